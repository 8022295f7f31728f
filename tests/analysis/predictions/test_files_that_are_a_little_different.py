"""Files of predictions as people really have them: compressed, exported, renamed, half broken."""

from __future__ import annotations

import gzip
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from analysis.predictions.joining import QuestionIndex
from analysis.scoring.models import join_files
from sampling.study.errors import Problems, StudyError
from sampling.study.questions import Question

Write = Callable[[str, Any], Path]
Read = Callable[..., Any]
Answers = Callable[[Any], dict[str, Any]]

EXPECTED = {"1": "khmer", "2": "cracks, rust", "3": "5", "4": "No"}
ROWS = [
    {"sample_id": f"Leaf_1__{number}", "raw_prediction": text} for number, text in EXPECTED.items()
]
LINES = "".join(json.dumps(row) + "\n" for row in ROWS)
TABLE = "sample_id,raw_prediction\n" + "".join(
    f'Leaf_1__{number},"{text}"\n' for number, text in EXPECTED.items()
)


@pytest.mark.parametrize(
    ("name", "text"), [("m.jsonl.gz", LINES), ("m.csv.gz", TABLE), ("M.JSON.GZ", json.dumps(ROWS))]
)
def test_compressed_files_are_read_alone_and_in_a_folder(
    write: Write, read: Read, answers: Answers, name: str, text: str
) -> None:
    path = write(f"out/{name}", gzip.compress(text.encode()))
    assert answers(read(path)) == EXPECTED
    assert answers(read(path.parent)) == EXPECTED


def test_ids_and_images_may_be_in_another_unicode_form(write: Write) -> None:
    asked = tuple(
        Question(f"caf\u00e9__{number}", "caf\u00e9.jpg", "Script", "?", question_id=number)
        for number in (1, 2)
    )
    index = QuestionIndex(asked, frozenset(one.sample_id for one in asked))
    by_id = [{"sample_id": f"cafe\u0301__{number}", "prediction": "x"} for number in (1, 2)]
    by_image = [
        {"image_name": "cafe\u0301.jpg", "question_id": number, "prediction": "x"}
        for number in (1, 2)
    ]
    for rows in (by_id, by_image):
        joined = join_files([write("m.jsonl", rows)], None, index, Problems())
        assert [one.sample_id for one in joined] == ["caf\u00e9__1", "caf\u00e9__2"]


def test_a_damaged_compressed_file_is_named(write: Write, read: Read) -> None:
    path = write("m.jsonl.gz", gzip.compress(LINES.encode())[:-12])
    with pytest.raises(StudyError, match=r"m\.jsonl\.gz: is damaged"):
        read(path)


@pytest.mark.parametrize("name", ["predicted_text", "filtered_resps", "picked", "completion"])
def test_a_table_may_name_its_answers_as_a_harness_does(
    write: Write, read: Read, answers: Answers, name: str
) -> None:
    rows = [{"id": row["sample_id"], name: row["raw_prediction"], "score": 1} for row in ROWS]
    assert answers(read(write("m.jsonl", rows))) == EXPECTED


def test_json_lines_may_be_called_json(write: Write, read: Read, answers: Answers) -> None:
    assert answers(read(write("m.json", LINES))) == EXPECTED


def test_a_row_number_without_a_name_is_no_model(
    write: Write, read: Read, answers: Answers
) -> None:
    lines = TABLE.splitlines()
    numbered = [f"{number - 1}," * (number > 0) + line for number, line in enumerate(lines)]
    numbered[0] = "," + lines[0]  # as pandas writes its index
    rows = read(write("m.csv", "\n".join(numbered)))
    assert answers(rows) == EXPECTED
    assert {(one.row.model, one.row.condition, one.row.run) for one in rows} == {(None, None, "")}


def test_an_excel_column_without_a_name_moves_no_other(
    tmp_path: Path, read: Read, answers: Answers
) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append([None, "sample_id", None, "prediction"])
    for number, text in EXPECTED.items():
        sheet.append([int(number) - 1, f"Leaf_1__{number}", "x", text])
    book.save(tmp_path / "m.xlsx")
    assert answers(read(tmp_path / "m.xlsx")) == EXPECTED


@pytest.mark.parametrize("damage", ["not a zip", "another zip"])
def test_what_is_no_workbook_is_named(tmp_path: Path, read: Read, damage: str) -> None:
    path = tmp_path / "m.xlsx"
    path.write_text("text")
    if damage == "another zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("x", "y")
    with pytest.raises(StudyError, match=r"m\.xlsx: not an Excel workbook"):
        read(path)


def log(number: int, **changes: Any) -> dict[str, Any]:
    """Give a row of lm-eval's sample log."""
    text = EXPECTED[str(number)]
    row = {"doc_id": number - 1, "doc": {}, "resps": [[text]], "filtered_resps": [text]}
    return row | changes


def event(number: int) -> dict[str, Any]:
    """Give a sampling event of OpenAI evals."""
    data = {"sampled": [EXPECTED[str(number)]]}
    return {"run_id": "r", "event_id": number, "sample_id": f"t.0.{number - 1}", "data": data} | {
        "type": "sampling"
    }


@pytest.mark.parametrize("make", [log, event])
def test_a_log_may_be_saved_as_a_json_list(
    write: Write, read: Read, answers: Answers, make: Callable[[int], dict[str, Any]]
) -> None:
    assert answers(read(write("samples.json", [make(n) for n in range(1, 5)]))) == EXPECTED


@pytest.mark.parametrize("summary", ["results_2026.json", "20261129_results.json"])
def test_the_summary_beside_a_log_is_no_prediction(
    write: Write, read: Read, answers: Answers, summary: str
) -> None:
    path = write("out/m/samples_t.jsonl", [log(n) for n in range(1, 5)])
    write(f"out/m/{summary}", {"results": {"t": {"em": 0.5}}, "configs": {}, "versions": {}})
    assert answers(read(path.parents[1])) == EXPECTED


def test_a_file_inside_a_helm_run_stands_for_the_run(
    write: Write, read: Read, answers: Answers
) -> None:
    states = [
        {
            "instance": {"id": f"id{int(number) - 1}"},
            "result": {"completions": [{"text": text}]},
        }
        for number, text in EXPECTED.items()
    ]
    path = write("run/scenario_state.json", {"request_states": states})
    assert answers(read(path)) == EXPECTED


def test_one_object_may_give_lists_of_labels(write: Write, read: Read, answers: Answers) -> None:
    given = {f"Leaf_1__{number}": [text] for number, text in EXPECTED.items()}
    assert answers(read(write("m.json", given))) == {n: [text] for n, text in EXPECTED.items()}


def test_an_id_that_one_object_names_twice_is_a_repeated_answer(write: Write, read: Read) -> None:
    path = write("m.json", '{"Leaf_1__1": "Khmer", "Leaf_1__1": "Tamil"}')
    with pytest.raises(StudyError, match=r"m\.json: 'Leaf_1__1' is answered twice; keep one"):
        read(path)


def test_lighteval_may_give_one_text_in_place_of_a_list(
    tmp_path: Path, read: Read, answers: Answers
) -> None:
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    rows = [
        {"doc": {"id": int(number) - 1}, "model_response": {"text": text}, "metric": {"em": 0.0}}
        for number, text in EXPECTED.items()
    ]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "details.parquet")
    assert answers(read(tmp_path / "details.parquet")) == EXPECTED


@pytest.mark.parametrize("number", [float, str, lambda text: f"Leaf_1__{text}"])
def test_answers_of_an_image_may_name_their_question_in_three_ways(
    write: Write, read: Read, answers: Answers, number: Callable[[str], Any]
) -> None:
    given = [{"question_id": number(n), "answer": text} for n, text in EXPECTED.items()]
    assert answers(read(write("run_Leaf_1.json", {"answers": given}))) == EXPECTED


BROKEN: dict[str, Any] = {
    "helm/scenario_state.json": [],
    "helm/display_predictions.json": [{"instance_id": 1, "train_trial_index": "x"}],
    "inspect.json": {"eval": "x", "status": "success", "samples": [{"id": 1}]},
    "inspect_2.json": {"eval": {}, "status": "success", "samples": [1]},
    "inspect_3.json": {"eval": {}, "status": "success", "samples": [{"id": 1, "input": 5}]},
    "mmmu.json": [{"id": "Leaf_1__1", "response": "A", "all_choices": [], "index2ans": ["A"]}],
    "evals.jsonl": [{"spec": 5}],
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_laid_out_otherwise_gives_a_message_and_no_traceback(
    write: Write, read: Read, name: str
) -> None:
    path = write(name, BROKEN[name])
    with pytest.raises(StudyError, match=r"is not laid out as|no row has '"):
        read(path)


def test_scores_of_an_inspect_log_may_be_plain_numbers(write: Write, read: Read) -> None:
    sample = {"id": "Leaf_1__1", "output": {"completion": "x"}, "scores": {"exact": 0.5}}
    (row,) = read(write("log.json", {"eval": {}, "status": "success", "samples": [sample]}))
    assert row.row.reported == {"exact": 0.5}


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a": ' + "9" * 5000 + "}"])
def test_json_that_python_refuses_is_named(write: Write, read: Read, text: str) -> None:
    with pytest.raises(StudyError, match=r"m\.json: not valid JSON"):
        read(write("m.json", text))


def test_a_record_without_an_id_is_named_as_such(write: Write, read: Read) -> None:
    given = [{"response": "A", "all_choices": ["A"], "index2ans": {"A": "Khmer"}}]
    with pytest.raises(StudyError, match=r"m\.json item 1: no field tells the question"):
        read(write("m.json", given))


def test_a_table_may_name_its_ids_as_the_benchmark_does(write: Write) -> None:
    asked = tuple(Question(f"q{number}", "a.jpg", "Script", "?") for number in (1, 2))
    index = QuestionIndex(asked, frozenset(("q1", "q2")), id_field="qid")
    rows = [{"qid": f"q{number}", "prediction": "x"} for number in (1, 2)]
    joined = join_files([write("m.jsonl", rows)], None, index, Problems())
    assert [one.sample_id for one in joined] == ["q1", "q2"]


def test_neither_ids_nor_answers_under_a_known_name_are_told_together(
    write: Write, read: Read
) -> None:
    rows = [{"qid": f"q{number}", "pred": "x"} for number in range(60)]
    with pytest.raises(StudyError) as caught:
        read(write("m.jsonl", rows))
    answer, question = caught.value.problems
    assert answer == (
        "m.jsonl: no field holds the model's answer; name it `raw_prediction` "
        "(did you mean 'pred'?) (found: pred, qid)"
    )
    assert question == (
        "m.jsonl line 1 and 59 more (2, 3, 4, ...): no field tells the question; give it as "
        "`sample_id` (did you mean 'qid'?) (found: qid, pred)"
    )


def test_a_broken_line_does_not_hide_an_unknown_id(write: Write, read: Read) -> None:
    text = LINES + '{"sample_id": "nowhere", "prediction": "x"}\n{"broken\n'
    with pytest.raises(StudyError) as caught:
        read(write("m.jsonl", text))
    broken, unknown = caught.value.problems
    assert "not valid JSON" in broken
    assert "id 'nowhere' is not in the benchmark" in unknown
