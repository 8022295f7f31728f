"""Questions: what a participant or a model is asked. A question never holds its key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

QUESTION_FIELDS = (
    "sample_id",
    "image_name",
    "script_name",
    "question_id",
    "task_family",
    "category",
    "question_type",
    "question_en",
    "split",
)


@dataclass(frozen=True)
class Question:
    """One question of the sample, without its key. `kept` holds the fields of `[benchmark] keep`.

    `script_name` is the collection; it is empty where a benchmark has none.
    """

    sample_id: str
    image_name: str
    category: str
    question_en: str
    script_name: str = ""
    question_id: str | int = ""
    task_family: str = ""
    question_type: str = ""
    split: str = ""
    kept: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Key:
    """The reference answer of one question: a label, a number, a text or a list of labels."""

    sample_id: str
    answer: str | int | tuple[str, ...]
