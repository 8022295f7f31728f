"""Vocabularies that the tests of normalisation share."""

from __future__ import annotations

import pytest

from sampling.answers.vocabularies import AnswerFormat, Vocabulary


@pytest.fixture(scope="session")
def vocabularies() -> dict[str, Vocabulary]:
    """One vocabulary of each kind, and some with labels that are traps."""
    entries = [
        Vocabulary(
            "script",
            AnswerFormat.SINGLE,
            ("Balinese", "Kambaramayanam", "Khmer", "Sundanese", "Tamil"),
            {"kamba ramayanam": "Kambaramayanam", "kambarāmāyaṇam": "Kambaramayanam"},
        ),
        Vocabulary("symbol", AnswerFormat.SINGLE, ("None", "Drawing", "Symbol")),
        Vocabulary(
            "condition",
            AnswerFormat.MULTI,
            ("crack", "stain", "fading", "broken edge", "none"),
            exclusive=frozenset({"none"}),
        ),
        Vocabulary(
            "traps",
            AnswerFormat.MULTI,
            (
                *("None", "nan", "NA", "007", "1e5", "Don't know <5 & >2", "C#, F#", "m²", "?"),
                *("faded, uneven ink", "oil", "wax", "oil/wax", "black and white", "no hole"),
                *("hole", "[1, 2]"),
            ),
        ),
        Vocabulary("yesno", AnswerFormat.BINARY, ("yes", "no"), {"y": "yes", "true": "yes"}),
        Vocabulary("plain", AnswerFormat.BINARY, ("yes", "no")),
        Vocabulary("truth", AnswerFormat.BINARY, ("true", "false")),
        Vocabulary("count", AnswerFormat.COUNT, maximum=40),
        Vocabulary("text", AnswerFormat.TEXT),
    ]
    return {vocabulary.category: vocabulary for vocabulary in entries}
