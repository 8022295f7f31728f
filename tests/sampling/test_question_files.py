"""Question and key files: written the same way each time, read back as they were."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sampling.benchmark.question_files import read_keys, read_questions, write_keys, write_questions
from sampling.study.errors import StudyError
from sampling.study.questions import Key, Question

QUESTION = Question(
    "q1", "a.jpg", "Condition", "អ្វី?", "Khmer", 3, kept={"z": [1], "a": "ខ"}, split="test"
)


def test_questions_are_written_to_the_byte(tmp_path: Path) -> None:
    write_questions(tmp_path / "sample/q.jsonl", [QUESTION])
    assert (tmp_path / "sample/q.jsonl").read_bytes().decode() == (
        '{"sample_id": "q1", "image_name": "a.jpg", "script_name": "Khmer", "question_id": 3, '
        '"task_family": "", "category": "Condition", "question_type": "", '
        '"question_en": "អ្វី?", "split": "test", "a": "ខ", "z": [1]}\n'
    )


def test_questions_come_back_as_they_were(tmp_path: Path) -> None:
    write_questions(tmp_path / "q.jsonl", [QUESTION])
    assert read_questions(tmp_path / "q.jsonl") == (QUESTION,)


def test_keys_come_back_as_they_were(tmp_path: Path) -> None:
    keys = (Key("q1", "None"), Key("q2", 4), Key("q3", ("cracks", "stains")), Key("q4", ()))
    write_keys(tmp_path / "k.jsonl", keys)
    assert read_keys(tmp_path / "k.jsonl") == keys


def test_an_answer_in_a_question_file_never_reaches_the_question(tmp_path: Path) -> None:
    row = {"sample_id": "q1", "image_name": "a", "category": "c", "question_en": "?"}
    (tmp_path / "q.jsonl").write_text(json.dumps({**row, "answer": "x"}))
    assert "x" not in repr(read_questions(tmp_path / "q.jsonl"))


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"sample_id": "q1"}, "k.jsonl line 2: 'q1' appears twice"),
        ({"sample_id": "q2", "answer": None}, "k.jsonl line 2: 'q2' has no 'answer'"),
        ({"answer": "x"}, "k.jsonl line 2: has no 'sample_id'"),
    ],
)
def test_a_fault_of_a_key_file_is_named(tmp_path: Path, row: dict[str, Any], said: str) -> None:
    rows = [{"sample_id": "q1", "answer": "a"}, {"answer": "b", **row}]
    (tmp_path / "k.jsonl").write_text("\n".join(map(json.dumps, rows)))
    with pytest.raises(StudyError) as caught:
        read_keys(tmp_path / "k.jsonl")
    assert str(caught.value) == said


def test_a_repeated_question_is_named(tmp_path: Path) -> None:
    write_questions(tmp_path / "q.jsonl", [QUESTION, QUESTION])
    with pytest.raises(StudyError, match=r"q\.jsonl line 2: 'q1' appears twice"):
        read_questions(tmp_path / "q.jsonl")


def test_plain_rows_are_read_alike_beside_one_that_needs_a_look(tmp_path: Path) -> None:
    write_questions(tmp_path / "plain.jsonl", [QUESTION])
    plain = (tmp_path / "plain.jsonl").read_text(encoding="utf-8")
    number = json.dumps(
        {"sample_id": 7, "image_name": "a", "category": "c", "question_en": "?", "split": None}
    )
    (tmp_path / "mixed.jsonl").write_text(plain + number, encoding="utf-8")
    assert read_questions(tmp_path / "plain.jsonl") == (QUESTION,)
    assert read_questions(tmp_path / "mixed.jsonl") == (QUESTION, Question("7", "a", "c", "?"))


def test_every_fault_of_a_question_file_is_told_at_once(tmp_path: Path) -> None:
    row = {"sample_id": "q1", "image_name": "a", "category": "c", "question_en": "?"}
    rows = [row, row, {**row, "sample_id": "q2", "category": " "}, {**row, "sample_id": ["q3"]}]
    text = "\n".join(map(json.dumps, rows)) + "\n{\n"
    (tmp_path / "q.jsonl").write_text(text)
    with pytest.raises(StudyError) as caught:
        read_questions(tmp_path / "q.jsonl")
    assert [problem[:14] for problem in caught.value.problems] == [
        "q.jsonl line 5",
        "q.jsonl line 2",
        "q.jsonl line 3",
        "q.jsonl line 4",
    ]
