"""The eight questions about a synthetic folio, and their keys by construction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sampling.synthetic.attributes import Folio
from sampling.synthetic.vocabulary import (
    BINDING,
    HOLE_LABELS,
    INTACT,
    LABEL_TEXT,
    LINE_COUNT,
    MATERIAL,
    NO_FEATURE,
    NO_MARK,
    OTHER,
    PHYSICAL_CONDITION,
    SCRIBE,
    SCRIPT_NAME,
    SYMBOLS,
)


@dataclass(frozen=True)
class Asked:
    """A question that is asked of every folio."""

    question_id: int
    category: str
    task_family: str
    question_type: str
    question_en: str


ASKED = (
    Asked(1, SCRIPT_NAME, "Script recognition", "classification", "Which script collection is it?"),
    Asked(
        2,
        PHYSICAL_CONDITION,
        "Condition assessment",
        "multi-label recognition",
        "What damage or wear can be seen on the leaf?",
    ),
    Asked(3, LINE_COUNT, "Line counting", "counting", "How many lines of text can be seen?"),
    Asked(
        4,
        SYMBOLS,
        "Symbol detection",
        "binary recognition",
        "Is there any drawing or ornament beside the text?",
    ),
    Asked(
        5,
        MATERIAL,
        "Material analysis",
        "multi-label recognition",
        "How is the leaf finished and how is it written on?",
    ),
    Asked(
        6,
        BINDING,
        "Layout reasoning",
        "multi-label recognition",
        "What binding holes and binding parts can be seen?",
    ),
    Asked(
        7,
        SCRIBE,
        "Layout reasoning",
        "multi-label recognition",
        "What margins and scribal marks can be seen?",
    ),
    Asked(
        8,
        OTHER,
        "Feature detection",
        "multi-label recognition",
        "What else that is not part of the leaf can be seen?",
    ),
)
LABEL_QUESTION = Asked(
    9, LABEL_TEXT, "Transcription", "transcription", "What is printed on the label?"
)


def key_of(folio: Folio, category: str) -> str | int | list[str]:
    """Give the key of a folio's question: what was decided before it was drawn.

    Examples
    --------
    >>> from sampling.synthetic.attributes import invent_folios
    >>> folio, = invent_folios("seed", "Khmer", ["Khmer_0001"])
    >>> key_of(folio, "Script Name"), key_of(folio, "Visible Line Count") == folio.lines
    ('Khmer', True)
    """
    return _keys(folio)[category]


def _keys(folio: Folio) -> dict[str, str | int | list[str]]:
    binding = [HOLE_LABELS[folio.holes]]
    if folio.cord:
        binding.append("cord present")
    if folio.damaged_hole:
        binding.append("damaged hole")
    return {
        SCRIPT_NAME: folio.collection,
        PHYSICAL_CONDITION: list(folio.condition) or [INTACT],
        LINE_COUNT: folio.lines,
        SYMBOLS: "yes" if folio.drawing else "no",
        MATERIAL: sorted((folio.coating, folio.writing), key=_MATERIAL_ORDER.index),
        BINDING: binding,
        SCRIBE: list(folio.margins) or [NO_MARK],
        OTHER: list(folio.features) or [NO_FEATURE],
    }


_MATERIAL_ORDER = (
    "plain leaf",
    "incised and inked",
    "surface inked",
    "oiled or varnished",
    "gilded",
    "painted",
)


def record(folio: Folio, asked: Asked, split: str, answer: Any) -> dict[str, Any]:
    """Write a question of a folio as the benchmark's record."""
    return {
        "sample_id": f"{folio.name}__{asked.question_id}",
        "image_name": f"{folio.name}.jpg",
        "script_name": folio.collection,
        "question_id": asked.question_id,
        "task_family": asked.task_family,
        "category": asked.category,
        "question_type": asked.question_type,
        "question_en": asked.question_en,
        "answer": answer,
        "split": split,
    }
