"""Checks of raw keys against their vocabularies.

What a practice question's page says after the answer: `feedback` in the file of its keys.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any

from sampling.answers.labels import index_labels
from sampling.answers.normalization import (
    EXCLUSIVE,
    NO_ANSWER,
    SEVERAL,
    NormalizedAnswer,
    ScoringStatus,
    answer_identity,
    normalize_reference,
)
from sampling.answers.vocabularies import AnswerFormat, Vocabulary
from sampling.answers.vocabulary_files import listed_labels, nearest_label
from sampling.study.definition import TextTable
from sampling.study.errors import Problems, did_you_mean
from sampling.tables.row_files import read_rows

# What other files call the sentence that follows an answer.
OTHER_FEEDBACK = frozenset({"explanation", "rationale"})


def read_feedback(path: Path) -> dict[str, str]:
    """Read the sentence of every `sample_id` that has one.

    Raises
    ------
    StudyError
        With every problem at once: a missing file, broken lines, feedback that is no text, a
        field that looks like feedback where no row has `feedback`.
    """
    problems = Problems()
    sentences = {}
    table = read_rows(path, problems)
    others = {name for _, row in table.rows for name in row} - {"sample_id", "answer"}
    likely = sorted(others & OTHER_FEEDBACK)
    hint = f" (did you mean {likely[0]!r}?)" if likely else did_you_mean("feedback", others)
    if hint and "feedback" not in others:
        problems.add(table.name, f"no row has 'feedback'{hint}; give the field that name")
    for place, row in table.places():
        sentence = row.get("feedback")
        if sentence is None:
            continue
        if not isinstance(sentence, str):
            problems.add(place, f"'feedback' must be text, not {sentence!r}", "feedback is no text")
        elif sentence.strip():
            sentences[str(row.get("sample_id"))] = sentence.strip()
    problems.raise_if_any()
    return sentences


SEVERAL_TEXTS = (
    "answer is a list of several texts, and a question has one reference: several right answers "
    "are not supported yet; give one text, its lines joined by line breaks"
)
LOST = (
    "the answer is question marks alone, as when a program cannot write the characters; save the "
    "table again as UTF-8"
)
# As spreadsheets write 3-5: `5-Mar`, `2026-03-05`, `3/5/2026`.
DATE = re.compile(r"\d{1,2}-[A-Za-z]{3}|[A-Za-z]{3}-\d{2}|\d{4}-\d\d-\d\d.*|\d+/\d+/\d+|\d+月\d+日")


class KeyCheck:
    """Checks raw keys against their vocabularies, each distinct key of a category once."""

    def __init__(self, vocabularies: Mapping[str, Vocabulary], rules: TextTable) -> None:
        self._vocabularies = vocabularies
        self._rules = rules
        self._known: dict[tuple[str, Hashable], str | None] = {}

    @property
    def categories(self) -> tuple[str, ...]:
        return tuple(self._vocabularies)

    def knows(self, category: str) -> bool:
        """Tell whether a category has a vocabulary."""
        return category in self._vocabularies

    def labels(self, category: str) -> frozenset[str]:
        """Give the labels that the form of a category offers."""
        return frozenset(self._vocabularies[category].labels)

    def fault(self, category: str, answer: Any) -> str | None:
        """Say what is wrong with a key, or None."""
        identity = (category, answer_identity(answer))
        if identity not in self._known:
            vocabulary = self._vocabularies[category]
            key = normalize_reference(answer, vocabulary, text_rules=self._rules)
            self._known[identity] = key_fault(answer, key, vocabulary)
        return self._known[identity]


def key_fault(answer: Any, key: NormalizedAnswer, vocabulary: Vocabulary) -> str | None:
    """Say what is wrong with one normalised key, or None."""
    if key.reason == NO_ANSWER:
        return "has no answer; every question needs its key"
    if vocabulary.format is AnswerFormat.TEXT:
        return _text_fault(answer, key)
    if key.status is ScoringStatus.VALID_OOV and isinstance(key.value, tuple):
        index = index_labels(vocabulary)
        outside = [label for label in key.value if index.find(label) is None]
        hints = [nearest_label(label, vocabulary) for label in outside]
        named = ", ".join(repr(label) + hint for label, hint in zip(outside, hints, strict=True))
        labels = "" if all(hints) else listed_labels(vocabulary)
        return f"answer {named} is not in the vocabulary of {vocabulary.category!r}{labels}"
    if key.status is ScoringStatus.INVALID:
        if vocabulary.format is AnswerFormat.COUNT:
            hint = "; a spreadsheet may have made a date of it" if _is_date(answer) else ""
            return f"answer {answer!r} of {vocabulary.category!r} is {key.reason}{hint}"
        if key.reason == SEVERAL:
            return f"answer {answer!r} holds several labels; {vocabulary.category!r} takes one"
        hint = nearest_label(str(answer), vocabulary) or listed_labels(vocabulary)
        return f"answer {answer!r} is not in the vocabulary of {vocabulary.category!r}{hint}"
    if key.note == EXCLUSIVE:
        return f"answer {answer!r} holds {key.note}; {vocabulary.category!r} does not allow it"
    if isinstance(key.value, int):
        highest = vocabulary.maximum
        if key.value < vocabulary.minimum or (highest is not None and key.value > highest):
            bounds = f"{vocabulary.minimum} to {'any' if highest is None else highest}"
            return f"answer {key.value} is outside {bounds} of {vocabulary.category!r}"
    return None


def _text_fault(answer: Any, key: NormalizedAnswer) -> str | None:
    """Say why a transcription is no one text, or why nothing of it is scored."""
    if isinstance(answer, list | tuple) and len(answer) > 1:
        return SEVERAL_TEXTS
    if key.value:
        return None
    if isinstance(answer, str) and set(answer.strip()) == {"?"}:
        return LOST
    return f"answer {answer!r} holds nothing that is scored"


def _is_date(answer: Any) -> bool:
    return isinstance(answer, str) and DATE.fullmatch(answer.strip()) is not None
