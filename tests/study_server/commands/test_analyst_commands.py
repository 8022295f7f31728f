"""The analyst's commands as a person types them: data on stdout, words on stderr."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from sampling.study.errors import StudyError
from study_server.cli import lontar

VOCABULARIES = {"Script": {"format": "single", "labels": ["Khmer", "Tamil"]}}
QUESTIONS: list[dict[str, Any]] = [
    {"sample_id": f"q{number}", "image_name": "leaf.jpg", "question_id": 1, "category": "Script"}
    | {"question_en": "Which?"}
    for number in (1, 2, 3)
]
KEYS = [{"sample_id": "q1", "answer": "Khmer"}, {"sample_id": "q2", "answer": "Tamil"}]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, rows in (("q.jsonl", QUESTIONS), ("k.jsonl", KEYS)):
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "v.json").write_text(json.dumps(VOCABULARIES), encoding="utf-8")
    return tmp_path


def score(folder: Path, *arguments: str) -> Result:
    options = ["--questions", "q.jsonl", "--keys", "k.jsonl", "--vocabularies", "v.json"]
    paths = [str(folder / word) if "." in word else word for word in options]
    return CliRunner().invoke(lontar, ["score", *paths, *arguments], catch_exceptions=True)


def test_score_needs_no_study_and_repeats_of_images_and_question_ids_are_fine(
    folder: Path,
) -> None:
    rows = [{"sample_id": f"q{number}", "prediction": "khmer"} for number in (1, 2, 3)]
    path = folder / "demo.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    result = score(folder, str(path))
    assert result.exit_code == 0
    scored = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(row["sample_id"], row["model_name"], row["exact_match"]) for row in scored] == [
        ("q1", "demo", 1),
        ("q2", "demo", 0),
    ]
    assert "demo   constrained  2        0  50.00  50.00" in result.stderr
    assert "1 answer to questions outside the sample" in result.stderr


def test_score_reads_fields_under_any_name(folder: Path) -> None:
    rows = [
        {"uid": one["sample_id"], "leaf": "a.jpg", "kind": "Script", "ask": "?", "truth": "Khmer"}
        for one in QUESTIONS
    ]
    for name in ("q.jsonl", "k.jsonl"):
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "demo.json").write_text(json.dumps({"q1": "Khmer", "q2": "Tamil", "q3": "Khmer"}))
    names = {"sample_id": "uid", "image_name": "leaf", "category": "kind", "question_en": "ask"}
    options = [
        word
        for ours, theirs in (names | {"answer": "truth"}).items()
        for word in ("--field", f"{ours}={theirs}")
    ]
    result = score(folder, *options, str(folder / "demo.json"))
    assert result.exit_code == 0, result.exception
    assert "demo   constrained  3        0  66.67  66.67" in result.stderr
    assert "--field sample_id=uid" in str(score(folder, str(folder / "demo.json")).exception)
    assert score(folder, "--field", "sampleid=uid", str(folder / "demo.json")).exit_code == 2


def test_score_writes_to_a_file_and_nothing_to_stdout(folder: Path) -> None:
    path = folder / "demo.json"
    path.write_text(json.dumps({"q1": "Khmer", "q2": "Khmer"}), encoding="utf-8")
    out = folder / "scored.jsonl"
    result = score(folder, str(path), "-o", str(out))
    assert (result.exit_code, result.stdout) == (0, "")
    assert len(out.read_text(encoding="utf-8").splitlines()) == 2


def test_score_stops_at_an_unknown_id_and_leaves_no_half_file(folder: Path) -> None:
    path = folder / "demo.json"
    path.write_text(json.dumps({"q1": "Khmer", "q77": "Khmer"}), encoding="utf-8")
    out = folder / "scored.jsonl"
    result = score(folder, str(path), "-o", str(out))
    assert isinstance(result.exception, StudyError)
    assert "demo.json key 'q77': id 'q77' is not in the benchmark" in str(result.exception)
    assert not out.exists()


def test_score_names_every_file_that_is_missing(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_file():
            path.unlink()
    result = score(folder, str(folder / "nowhere.jsonl"))
    assert isinstance(result.exception, StudyError)
    assert len(result.exception.problems) == 4
    assert "nowhere.jsonl: no prediction file there" in str(result.exception)


def test_score_without_files_is_wrong_usage(folder: Path) -> None:
    assert score(folder).exit_code == 2


def test_score_writes_json_that_every_reader_takes(folder: Path) -> None:
    path = folder / "demo.jsonl"
    path.write_text(
        '{"sample_id": "q1", "prediction": NaN, "latency": [Infinity, 1.5]}\n'
        '{"sample_id": "q2", "prediction": -Infinity}\n',
        encoding="utf-8",
    )

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    lines = score(folder, str(path)).stdout.splitlines()
    rows = [json.loads(line, parse_constant=refuse) for line in lines]
    assert [row["raw_prediction"] for row in rows] == [None, "-inf"]
    assert rows[0]["reported"] == {"latency": ["inf", 1.5]}
    assert {row["scoring_status"] for row in rows} == {"invalid"}


@pytest.mark.parametrize("content", ["", "sample_id,prediction\n"])
def test_score_says_that_a_file_holds_no_answers(folder: Path, content: str) -> None:
    path = folder / "demo.csv" if content else folder / "demo.jsonl"
    path.write_text(content, encoding="utf-8")
    result = score(folder, str(path))
    assert (result.exit_code, result.stdout) == (0, "")
    assert "note: demo: no answer to any question of the sample" in result.stderr


def test_a_compressed_file_gives_its_model_the_name_before_the_endings(folder: Path) -> None:
    path = folder / "my.model-2.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"sample_id": "q1", "prediction": "Khmer"}\n'))
    (line,) = score(folder, str(path)).stdout.splitlines()
    assert json.loads(line)["model_name"] == "my.model-2"


def test_score_reads_questions_and_keys_of_any_format_under_other_names(folder: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    table = pa.Table.from_pylist([QUESTIONS[0] | KEYS[0], QUESTIONS[1] | KEYS[1]])
    pq.write_table(table, folder / "q.parquet")
    # As VLMEvalKit lays out a benchmark: the image itself in a cell, or the row that holds it.
    peer = "index\timage\tquestion\tanswer\tcategory\n"
    peer += "0\tiVBORw0KGgo=\tWhich?\tKhmer\tScript\n1\t0\tWhich?\tTamil\tScript\n"
    (folder / "q.tsv").write_text(peer, encoding="utf-8")
    for name, ids in (("q.parquet", ("q1", "q2")), ("q.tsv", ("0", "1"))):
        (folder / "m.json").write_text(json.dumps(dict.fromkeys(ids, "Khmer")), encoding="utf-8")
        both = [str(folder / word) if "." in word else word for word in ("--keys", name)]
        result = score(folder, "--questions", str(folder / name), *both, str(folder / "m.json"))
        assert result.exit_code == 0, result.exception
        scored = [json.loads(line) for line in result.stdout.splitlines()]
        assert [(row["sample_id"], row["exact_match"]) for row in scored] == [
            (ids[0], 1),
            (ids[1], 0),
        ]


def test_several_files_of_parts_are_one_model_named_by_their_folder(folder: Path) -> None:
    (folder / "my-model").mkdir()
    for number in (1, 2):
        answers = [{"question_id": "1", "answer": "Khmer"}]
        content = {"image_name": f"leaf_{number}.jpg", "answers": answers}
        part = folder / "my-model" / f"{number}.json"
        part.write_text(json.dumps(content), encoding="utf-8")
    rows = [row | {"image_name": f"leaf_{row['sample_id'][1]}.jpg"} for row in QUESTIONS]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "q.jsonl").write_text(text, encoding="utf-8")
    result = score(folder, str(folder / "my-model" / "1.json"), str(folder / "my-model/2.json"))
    assert {json.loads(line)["model_name"] for line in result.stdout.splitlines()} == {"my-model"}


def test_analyze_prints_the_table_on_stdout_and_notes_on_stderr(
    paper_shape: Path, tmp_path: Path
) -> None:
    study = tmp_path / "study"
    shutil.copytree(paper_shape / "study", study, copy_function=shutil.copyfile)
    with (study / "predictions/chatgpt-5.5.jsonl").open("r+", encoding="utf-8") as stream:
        kept = stream.readlines()[6:]
        stream.seek(0)
        stream.writelines(kept)
        stream.truncate()
    result = CliRunner().invoke(lontar, ["-C", str(study), "analyze"], catch_exceptions=False)
    assert result.exit_code == 0
    printed = [line.split() for line in result.stdout.splitlines()]
    assert ["Human", "768", "/", "96", "87.50", "92.40", "96.88", "77.86", "—", "—", "—"] in printed
    assert "6 of 256 questions without an answer" in result.stderr
    assert "gaps are taken on the 250 questions that both answered (750 human" in result.stderr
    assert (study / "results/table11.tex").exists()


def test_tables_of_two_runs_are_never_released_as_one(
    paper_shape: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    study = tmp_path / "study"
    shutil.copytree(paper_shape / "study", study, copy_function=shutil.copyfile)
    for name in ("run.json", "table11.csv"):
        (study / "results").mkdir(exist_ok=True)
        (study / "results" / name).write_text("{}", encoding="utf-8")
    monkeypatch.setattr("analysis.results.write_statistics", interrupt)
    assert CliRunner().invoke(lontar, ["-C", str(study), "analyze"]).exit_code == 1
    told = CliRunner().invoke(lontar, ["-C", str(study), "release"]).exception
    assert isinstance(told, StudyError)
    assert "run.json" in str(told)
    assert "run `lontar analyze` first" in str(told)


def test_prompts_are_written_for_the_sample(paper_shape: Path, tmp_path: Path) -> None:
    study = tmp_path / "study"
    shutil.copytree(paper_shape / "study", study, copy_function=shutil.copyfile)
    result = CliRunner().invoke(lontar, ["-C", str(study), "prompts"], catch_exceptions=False)
    assert result.exit_code == 0
    for name in ("open", "constrained"):
        lines = (study / f"prompts/{name}.jsonl").read_text(encoding="utf-8").splitlines()
        assert len(lines) == 256


@pytest.mark.parametrize(
    ("command", "absent"),
    [
        ("prompts", ["questions"]),
        ("analyze", ["questions", "keys"]),
        ("release", ["questions", "keys"]),
    ],
)
def test_without_a_sample_the_way_to_one_is_named(
    tmp_path: Path, command: str, absent: list[str]
) -> None:
    text = """
    [study]
    name = "s"
    seed = "s"
    [benchmark]
    questions = "q.jsonl"
    vocabularies = "v.json"
    [sample]
    strata = ["category"]
    per_stratum = 1
    """
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    told = CliRunner().invoke(lontar, ["-C", str(tmp_path), command]).exception
    assert isinstance(told, StudyError)
    sample = [one for one in told.problems if not one.startswith("responses/")]
    assert sample == [
        f"sample/{name}.jsonl: not found; draw the sample with `lontar sample`" for name in absent
    ]
    assert (len(told.problems) > len(sample)) == (command != "prompts")


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("Kmer", "key of q1: answer 'Kmer' is not in the vocabulary of 'Script' (did you mean"),
        ("Khmer, Tamil", "key of q1: answer 'Khmer, Tamil' holds several labels; 'Script' takes"),
        ("", "key of q1: has no answer; every question needs its key"),
    ],
)
def test_score_says_what_is_wrong_with_a_key(folder: Path, answer: str, told: str) -> None:
    keys = [KEYS[0] | {"answer": answer}, KEYS[1]]
    text = "".join(json.dumps(row) + "\n" for row in keys)
    (folder / "k.jsonl").write_text(text, encoding="utf-8")
    (folder / "m.json").write_text('{"q1": "Khmer"}', encoding="utf-8")
    assert str(score(folder, str(folder / "m.json")).exception).startswith(told)
