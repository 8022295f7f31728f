"""A file whose expected field is in no row is an error, and letters stay what the labels are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analysis.scoring.responses import parse_responses
from analysis.table11.alone import score_files
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
