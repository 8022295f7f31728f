"""Answers given as the letter of an option: kept where letters are labels, else its text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeGuard

from sampling.answers.label_keys import index_labels
from sampling.answers.vocabularies import Vocabulary

_LETTER = re.compile(r"\W*([A-Za-z])\W*")


def is_letter(raw: Any) -> TypeGuard[str]:
    """Tell whether a whole answer is one letter, with or without signs round it."""
    return isinstance(raw, str) and _LETTER.fullmatch(raw) is not None


def options_of(said: Any, text: Any) -> dict[str, Any] | None:
    """Return the one option of which a file holds both the letter that was said and the text.

    >>> options_of("(b)", "Khmer"), options_of("Khmer", "Khmer")
    ({'B': 'Khmer'}, None)
    """
    letter = _LETTER.fullmatch(said) if isinstance(said, str) and text else None
    return None if letter is None else {letter[1].upper(): text}


def option_text(raw: Any, options: Mapping[str, Any] | None, vocabulary: Vocabulary) -> Any:
    """Return the text of the option whose letter is the whole answer; else the answer as it is.

    A letter that is itself a label of the vocabulary stays the letter.

    >>> from sampling.answers.vocabularies import AnswerFormat
    >>> scripts = {"A": "Balinese", "B": "Khmer"}
    >>> texts = Vocabulary("Script", AnswerFormat.SINGLE, ("Balinese", "Khmer"))
    >>> letters = Vocabulary("Script", AnswerFormat.SINGLE, ("A", "B"))
    >>> option_text(" (B).", scripts, texts), option_text(" (B).", scripts, letters)
    ('Khmer', ' (B).')
    """
    letter = _LETTER.fullmatch(raw) if isinstance(raw, str) and options else None
    if letter is None or options is None or letter[1].upper() not in options:
        return raw
    if index_labels(vocabulary).find(letter[1]) is not None:
        return raw
    return options[letter[1].upper()]
