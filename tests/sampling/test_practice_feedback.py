"""Feedback stands beside a practice key, where there is any."""

from __future__ import annotations

from pathlib import Path

import pytest

from sampling.answers.key_checks import read_feedback
from sampling.study.errors import StudyError


def test_a_sentence_is_read_for_each_question_that_has_one(tmp_path: Path) -> None:
    file = tmp_path / "keys.jsonl"
    file.write_text(
        '{"sample_id": "a", "answer": "yes", "feedback": " A peacock. "}\n'
        '{"sample_id": "b", "answer": "no"}\n'
        '{"sample_id": "c", "answer": "no", "feedback": ""}\n'
        '{"sample_id": 4, "answer": "no", "feedback": "ក្ងោក"}\n',
        encoding="utf-8",
    )
    assert read_feedback(file) == {"a": "A peacock.", "4": "ក្ងោក"}


def test_feedback_that_is_no_text_is_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "keys.jsonl"
    file.write_text('{"sample_id": "a", "answer": "yes", "feedback": 3}\n')
    with pytest.raises(StudyError, match=r"keys\.jsonl line 1: 'feedback' must be text, not 3"):
        read_feedback(file)
