"""Answers given as the letter of an option, turned into the option's text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_LETTER = re.compile(r"\W*([A-Za-z])\W*")


def option_text(raw: Any, options: Mapping[str, Any] | None) -> Any:
    """Give the text of the option whose letter is the whole answer; else the answer as it is.

    >>> option_text(" (B).", {"A": "Balinese", "B": "Khmer"}), option_text("Khmer", {"A": "x"})
    ('Khmer', 'Khmer')
    """
    letter = _LETTER.fullmatch(raw) if isinstance(raw, str) and options else None
    if letter is None or options is None:
        return raw
    return options.get(letter[1].upper(), raw)
