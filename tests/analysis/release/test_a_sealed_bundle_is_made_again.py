"""What was changed under new checksums is found, named, and never a traceback."""

import csv
import hashlib
import io
import json

import pytest

from analysis.release.verification import bundle_digest, verify_bundle
from analysis.release.writing import write_bundle
from analysis.report.checklist import write_checklist
from analysis.results import write_results
from analysis.scoring.study import score_study

pytestmark = pytest.mark.slow


def seal(folder):
    """Write new checksums over everything, as whoever changed a file could."""
    (folder / "SHA256SUMS").unlink()
    sums = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder).as_posix()}\n"
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    ]
    (folder / "SHA256SUMS").write_text("".join(sums))


@pytest.fixture
def folder(finished):
    study, scored = finished
    write_bundle(study, scored, "key")
    return study.release_folder


def changed(folder, name, old, new):
    text = (folder / name).read_text(encoding="utf-8")
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")
    seal(folder)
    return verify_bundle(folder)


def with_row(folder, number, **fields):
    rows = (folder / "responses.jsonl").read_text(encoding="utf-8").splitlines()
    rows[number - 1] = json.dumps(json.loads(rows[number - 1]) | fields)
    (folder / "responses.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")
    seal(folder)
    return verify_bundle(folder)


def with_cell(folder, name, row, column, value):
    """Change one cell of a table; rows count from 1 below the header."""
    rows = list(csv.reader(io.StringIO((folder / name).read_text(encoding="utf-8"))))
    rows[row][rows[0].index(column)] = value
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    (folder / name).write_text(text.getvalue(), encoding="utf-8")
    seal(folder)
    return verify_bundle(folder)


def test_a_score_that_was_improved_is_found(folder):
    assert with_row(folder, 2, exact_match=1) == [
        "responses.jsonl line 2: exact_match is 1, scored again it is 0"
    ]


def test_an_answer_that_was_improved_is_found_in_every_table(folder):
    problems = with_row(folder, 2, raw_response="Khmer")
    assert "responses.jsonl line 2: exact_match is 0, scored again it is 1" in problems
    # 2 of 4 answers are right; with that one 3 of 4 are.
    assert "table11.csv: Human: em is 50.00, made again it is 75.00" in problems
    assert any(problem.startswith("agreement.csv: Script: exact_agreement") for problem in problems)
    assert any(problem.startswith("by_category.csv: Human, Script: em") for problem in problems)


def test_a_second_answer_by_one_person_is_found(folder):
    first = json.loads((folder / "responses.jsonl").read_text().splitlines()[0])["participant"]
    assert with_row(folder, 2, participant=first) == [
        f"responses.jsonl: question q1 is answered by {first} 2 times"
    ]


def test_an_index_that_stands_twice_is_found(folder):
    assert with_row(folder, 2, response_index=1) == [
        "responses.jsonl: question q1 has index 1 2 times"
    ]


@pytest.mark.parametrize(
    ("name", "row", "column", "said"),
    [
        ("table11.csv", 1, "f1", "table11.csv: Human: f1 is 99.99, made again it is 50.00"),
        ("table11.csv", 1, "agreement", "table11.csv: Human: agreement is 99.99, made again it is"),
        ("agreement.csv", 1, "exact_agreement", "agreement.csv: Lines: exact_agreement is 99.99"),
        ("agreement.csv", 3, "alpha_defined", "agreement.csv: overall: alpha_defined is 99.99"),
        ("by_category.csv", 2, "em", "by_category.csv: Human, Script: em is 99.99, made again"),
        ("by_collection.csv", 1, "w1", "by_collection.csv: Human: w1 is 99.99, made again"),
    ],
)
def test_a_number_of_people_that_was_changed_is_found(folder, name, row, column, said):
    assert any(one.startswith(said) for one in with_cell(folder, name, row, column, "99.99"))


def test_a_table_to_read_that_is_not_the_one_to_compute_with_is_found(folder):
    assert changed(folder, "table11.md", "50.00", "60.00") == [
        "table11.md: its rows are not those of table11.csv"
    ]


def test_answers_to_a_question_that_was_taken_out_are_named(folder):
    lines = (folder / "questions.jsonl").read_text().splitlines()
    (folder / "questions.jsonl").write_text(lines[1] + "\n")
    seal(folder)
    assert verify_bundle(folder) == [
        f"responses.jsonl line {number}: question 'q1' is not in questions.jsonl"
        for number in (1, 2)
    ]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("responses.jsonl", b'{"sample_id": \n', "responses.jsonl line 1: not valid JSON"),
        (
            "responses.jsonl",
            b'{"sample_id": 1}\n',
            "responses.jsonl line 1: 'sample_id' is no text",
        ),
        ("responses.jsonl", b"", "responses.jsonl: holds no answer"),
        ("scoring_rules.json", b"[1]", "scoring_rules.json: is not the rules of a bundle"),
        (
            "scoring_rules.json",
            b'{"text": [1]}',
            "scoring_rules.json: input should be a",
        ),
        ("vocabularies.json", b'{"Script": ["a", "b"]}', "no vocabulary for its category"),
        ("agreement.csv", b"\xff", "agreement.csv line 1: is not UTF-8 text"),
        ("table11.csv", b'a,"b', "table11.csv: is no table that can be read"),
        ("by_category.csv", b"", "by_category.csv: has no row 'Human, Lines'"),
    ],
)
def test_what_cannot_be_read_is_a_difference_and_no_traceback(folder, name, content, said):
    (folder / name).write_bytes(content)
    seal(folder)
    assert any(said in problem for problem in verify_bundle(folder))


def test_a_category_that_nobody_knows_is_a_difference(folder):
    assert with_row(folder, 1, category="nope") == [
        "responses.jsonl line 1: category is 'nope', questions.jsonl has 'Script'"
    ]


def test_files_that_a_bundle_must_have_are_named_at_once(folder):
    for name in ("table11.csv", "scoring_rules.json"):
        (folder / name).unlink()
    seal(folder)
    assert verify_bundle(folder) == [
        "scoring_rules.json: is not in the bundle",
        "table11.csv: is not in the bundle",
    ]


def test_checksums_that_are_no_text_are_a_difference(folder):
    (folder / "SHA256SUMS").write_bytes(b"a\xff")
    assert verify_bundle(folder) == ["SHA256SUMS line 1: is not UTF-8 text; save the file as UTF-8"]


def test_new_checksums_have_another_digest(folder):
    before = bundle_digest(folder)
    with_row(folder, 2, active_seconds=1.0)
    assert verify_bundle(folder) == []
    assert bundle_digest(folder) != before


@pytest.fixture
def compared(write_study):
    """A bundle with two models, one of them on half the questions; one question is unanswered."""
    study = write_study(
        [{"sample_id": f"q{n}", "category": "Script"} for n in range(4)],
        {f"q{n}": "Khmer" for n in range(4)},
        {"Script": {"format": "single", "labels": ["Khmer", "Tamil"]}},
        [("q0", "P1", 1, "Khmer"), ("q0", "P2", 2, "Tamil"), ("q1", "P1", 1, "Khmer"),
         ("q1", "P2", 2, "nothing"), ("q2", "P2", 1, "Khmer")],
        {
            "A": [{"sample_id": f"q{n}", "raw_prediction": "Khmer"} for n in range(4)],
            "B": [{"sample_id": f"q{n}", "raw_prediction": "Tamil"} for n in range(2)],
        },
        '[benchmark.display.category]\nScript = "Which script"\n',
    )  # fmt: skip
    return release(study)


def release(study):
    scored = score_study(study)
    write_results(study, scored)
    write_checklist(study, scored, study.results_folder)
    write_bundle(study, scored, "key")
    return study.release_folder


def test_a_study_of_unequal_answers_and_other_printed_names_holds(compared):
    assert verify_bundle(compared) == []


def test_a_number_of_a_model_that_contradicts_the_others_is_found(compared):
    problems = with_cell(compared, "table11.csv", 2, "em", "40.00")
    assert "table11.md: its rows are not those of table11.csv" in problems
    assert "intervals.csv: A: em is 100.00, table11.csv has 40.00" in problems


def test_a_study_of_texts_holds_and_a_changed_score_of_people_is_found(write_study):
    folder = release(
        write_study(
            [{"sample_id": f"q{n}", "category": "Text"} for n in range(2)],
            {"q0": "ka kha", "q1": "ga gha nga"},
            {"Text": {"format": "text"}},
            [
                ("q0", "P1", 1, "ka kha"),
                ("q0", "P2", 2, "ka kh"),
                ("q1", "P1", 1, "ga gha"),
                ("q1", "P2", 2, ""),
            ],
        )
    )
    assert verify_bundle(folder) == []
    problems = with_cell(folder, "table11.csv", 1, "ned", "99.99")
    assert any(one.startswith("table11.csv: Human: ned is 99.99, made again") for one in problems)
