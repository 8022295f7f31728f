"""A file whose expected field is in no row is an error, and letters stay what the labels are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analysis.predictions.reading import find_prediction_files, read_prediction_files
from analysis.scoring.responses import parse_responses
from analysis.table11.alone import score_files
from analysis.table11.reported import check_reported_file
from sampling.answers.key_checks import read_feedback
from sampling.assignment.plan import read_plan
from sampling.benchmark.image_files import check_listed
from sampling.study.errors import StudyError


def test_responses_without_answers_name_the_likely_field() -> None:
    row = b'{"sample_id": "q1", "participant": "P1", "status": "answered", "answer": "B"}'
    with pytest.raises(StudyError, match=r"no row has 'raw_response'.*did you mean 'answer'"):
        parse_responses([row])


def written(folder: Path, name: str, content: object) -> Path:
    path = folder / name
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("labels", "key"), [(["A", "B"], "B"), (["$6", "$7"], "$7"), (["b", "a"], "b")]
)
def test_a_letter_stays_where_letters_are_labels(
    tmp_path: Path, labels: list[str], key: str
) -> None:
    question = {"uid": "v1", "image": "a.png", "category": "mc", "question": "x", "answer": key}
    output = {"id": "v1", "response": "B", "index2ans": {"A": "$6", "B": "$7"}, "answer": "B"}
    questions = written(tmp_path, "q.json", [question])
    vocabularies = written(tmp_path, "v.json", {"mc": labels})
    outputs = written(tmp_path, "m.json", [output | {"all_choices": ["A", "B"]}])
    scored = score_files(
        questions, questions, vocabularies, [str(outputs)], fields={"sample_id": "uid"}
    )
    assert scored.predictions["m"]["exact_match"].to_list() == [1.0]
    turned = any("read as the text of the option" in warning for warning in scored.warnings)
    assert turned is (labels[0] == "$6")


def test_score_names_the_option_that_it_has(tmp_path: Path) -> None:
    questions = written(tmp_path, "q.json", [{"uid": "q1", "image": "a", "category": "c"}])
    vocabularies = written(tmp_path, "v.json", {"c": ["A", "B"]})
    outputs = written(tmp_path, "m.json", [{"sample_id": "q1", "prediction": "A"}])
    with pytest.raises(StudyError, match="--field sample_id=uid"):
        score_files(questions, questions, vocabularies, [str(outputs)])


def test_a_list_of_reference_texts_is_not_scored_against(tmp_path: Path) -> None:
    question = {
        "id": "q1",
        "image": "a",
        "category": "t",
        "question": "x",
        "answers": ["1998", "98"],
    }
    questions = written(tmp_path, "q.json", [question])
    vocabularies = written(tmp_path, "v.json", {"t": {"format": "text"}})
    outputs = written(tmp_path, "m.json", [{"sample_id": "q1", "prediction": "1998"}])
    with pytest.raises(StudyError, match="several right answers are not supported yet"):
        score_files(questions, questions, vocabularies, [str(outputs)])


DOC = {"doc_id": 0, "doc": {"id": "q1"}}
WITHOUT_ANSWERS = {
    "table.jsonl": ({"sample_id": "q1", "Prediction": "A"}, "", "Prediction"),
    "other.json": ([{"sample_id": "q1", "output": "A"}], "", "output"),
    "submission.json": ([{"questionId": 1, "reply": "A"}], "submission", "reply"),
    "found.json": ([{"questionId": 1, "label": "A"}], "", "label"),
    "mmmu.json": ([{"id": "q1", "answer": "A", "all_choices": ["A"], "pred": "A"}], "", "pred"),
    "answers.json": ({"answers": [{"question_id": "1", "answers": "A"}]}, "", "answers"),
    "samples.jsonl": ({**DOC, "response": "A"}, "lm-eval", "response"),
    "lmms_samples.jsonl": ({**DOC, "generated_text": "A"}, "lmms-eval", "generated_text"),
    "evals.jsonl": (
        {"type": "match", "sample_id": "q", "data": {"pick": "A"}},
        "openai-evals",
        "pick",
    ),
    "inspect.json": (
        {"samples": [{"id": "q1", "output": {"text": "", "reply": "A"}}]},
        "",
        "reply",
    ),
    "m/medium/results/leaf.json": ({"image": "leaf", "output": "A"}, "", "output"),
    "run/scenario_state.json": (
        {
            "request_states": [
                {"instance": {"id": "id0"}, "result": {"completions": [{"output": "A"}]}}
            ]
        },
        "",
        "output",
    ),
    "run/display_predictions.json": ([{"instance_id": "id0", "prediction": "A"}], "", "prediction"),
}


@pytest.mark.parametrize("name", WITHOUT_ANSWERS)
def test_predictions_without_answers_name_the_likely_field(tmp_path: Path, name: str) -> None:
    content, form, likely = WITHOUT_ANSWERS[name]
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    written(tmp_path, name, content)
    files = find_prediction_files(tmp_path, [name])
    with pytest.raises(StudyError, match=f"did you mean '{likely}'"):
        read_prediction_files(files, form or None)


def test_answers_that_all_failed_are_no_missing_field(tmp_path: Path) -> None:
    log = {"samples": [{"id": "q1", "error": "refused"}], "status": "error"}
    [(_, rows)] = read_prediction_files([written(tmp_path, "inspect.json", log)])
    assert [row.raw for row in rows] == [None]


def test_predictions_without_ids_name_the_likely_field(tmp_path: Path) -> None:
    file = written(tmp_path, "m.json", [{"Sample ID": "q1", "prediction": "A"}])
    with pytest.raises(StudyError, match="did you mean 'Sample ID'"):
        read_prediction_files([file])


def test_a_plan_without_a_column_names_the_likely_one(tmp_path: Path) -> None:
    file = tmp_path / "assignment.csv"
    head = "person,sample_id,response index,session,position"
    file.write_text(f"{head}\nP1,q1,1,1,1\n", encoding="utf-8")
    with pytest.raises(StudyError, match=r"'response_index' \(did you mean 'response index'\?\)"):
        read_plan(file)


def test_reported_numbers_without_a_column_name_the_likely_one(tmp_path: Path) -> None:
    file = tmp_path / "reported.csv"
    file.write_text("name,Values,n\nA,87.5,8\n", encoding="utf-8")
    with pytest.raises(StudyError, match=r"no column 'value' \(did you mean 'Values'\?\)"):
        check_reported_file(file)


@pytest.mark.parametrize("field", ["Feedback", "feed_back", "explanation"])
def test_practice_keys_without_feedback_name_the_likely_field(tmp_path: Path, field: str) -> None:
    file = written(tmp_path, "keys.json", [{"sample_id": "p1", "answer": "yes", field: "Look."}])
    with pytest.raises(StudyError, match=f"no row has 'feedback' .did you mean '{field}'"):
        read_feedback(file)
    plain = written(tmp_path, "plain.json", [{"sample_id": "p1", "answer": "yes", "level": 1}])
    assert read_feedback(plain) == {}


def test_checksums_of_other_files_are_no_check() -> None:
    with pytest.raises(StudyError, match=r"sums: names no image.*did you mean 'leaf_1.jpg'"):
        check_listed({"other/leaf-1.jpg": "0" * 64}, "sums", ["leaf_1.jpg", "zebra.png"])
    with pytest.raises(StudyError, match="holds no digest"):
        check_listed({}, "sums", ["leaf_1.jpg"])
    check_listed({"other/leaf_1.jpg": "0" * 64}, "sums", ["images/leaf_1.jpg"])
