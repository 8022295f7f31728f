"""A benchmark of four questions on one image, and a way to read predictions for it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from analysis.predictions.joining import JoinedRow, QuestionIndex
from analysis.predictions.reading import find_prediction_files
from analysis.scoring.models import join_files
from sampling.study.errors import Problems
from sampling.study.questions import Question

TEXTS = ("Which script?", "Which damage?", "How many lines?", "Any drawing?")


@pytest.fixture
def index() -> QuestionIndex:
    """Four questions `Leaf_1__1` to `Leaf_1__4` of one image, in this order."""
    questions = tuple(
        Question(
            sample_id=f"Leaf_1__{number}",
            image_name="Leaf_1.jpg",
            category=f"Category {number}",
            question_en=text,
            question_id=number,
        )
        for number, text in enumerate(TEXTS, start=1)
    )
    return QuestionIndex(questions, frozenset(question.sample_id for question in questions))


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, Any], Path]:
    """A function that writes a file: text as it is, a list of objects as JSON lines or JSON."""

    def write_file(name: str, content: Any) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
            return path
        if not isinstance(content, str):
            as_lines = path.suffix == ".jsonl"
            content = (
                "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in content)
                if as_lines
                else json.dumps(content, ensure_ascii=False)
            )
        path.write_text(content, encoding="utf-8")
        return path

    return write_file


@pytest.fixture
def read(index: QuestionIndex) -> Callable[..., list[JoinedRow]]:
    """A function that reads files, folders or globs and joins their rows to the questions."""

    def read_rows(*patterns: Path | str, format_name: str | None = None) -> list[JoinedRow]:
        files = find_prediction_files(Path(), [str(pattern) for pattern in patterns])
        problems = Problems()
        rows = join_files(files, format_name, index, problems)
        problems.raise_if_any()
        return rows

    return read_rows


@pytest.fixture
def answers() -> Callable[[list[JoinedRow]], Mapping[str, Any]]:
    """A function that gives the raw answer of each question by the last sign of its id."""
    return lambda rows: {joined.sample_id[-1]: joined.row.raw for joined in rows}
