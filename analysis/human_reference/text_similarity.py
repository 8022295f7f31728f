"""How alike a model's transcription is to those of several people."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from analysis.scoring.transcription_scores import edit_similarity
from sampling.answers.transcription import tokenize
from sampling.study.definition import TextTable


def model_similarity(model: str | None, people: Sequence[str | None], rules: TextTable) -> Fraction:
    """Average the edit similarity of a model's text to each person's.

    An invalid text (None) is like no other.

    >>> str(model_similarity("ab", ["ab", "a", None], TextTable()))
    '1/2'
    """
    if model is None:
        return Fraction(0)
    units = tokenize(model, rules)
    found = [edit_similarity(units, tokenize(text, rules)) for text in people if text is not None]
    return sum(found, Fraction(0)) / len(people)
