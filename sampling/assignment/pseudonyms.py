"""What may be a pseudonym, and what looks like a name or contact details."""

from __future__ import annotations

import re
from collections.abc import Iterable

PSEUDONYM = re.compile(r"[A-Za-z0-9_-]{1,40}")
NAME = re.compile(r"[A-Z]?[a-z]{2,}(?:[_-][A-Z]?[a-z]{2,})*")
CONTACT = re.compile(r"@|\d(?:[ ()./-]?\d){6,}")


def pseudonym_problem(text: str) -> str | None:
    """Return what is wrong with a pseudonym, or None.

    >>> pseudonym_problem("annotator_3")
    >>> pseudonym_problem("name@example.org")
    "'name@example.org' looks like an e-mail address; write a pseudonym such as P01"
    """
    if PSEUDONYM.fullmatch(text):
        return None
    if "@" in text:
        return f"{text!r} looks like an e-mail address; write a pseudonym such as P01"
    return f"{text!r} must be 1 to 40 of the letters A to Z, digits, _ and -, such as P01"


def looks_like_a_name(text: str) -> bool:
    """Tell whether a pseudonym has no digit and may be somebody's name.

    >>> looks_like_a_name("Anna"), looks_like_a_name("P01")
    (True, False)
    """
    return NAME.fullmatch(text) is not None


def looks_like_contact(text: str) -> bool:
    """Tell whether a text holds an @ or seven digits or more, as telephone numbers do.

    >>> looks_like_contact("call 0812-555 01 23"), looks_like_contact("away until 14 March 2026")
    (True, False)
    """
    return CONTACT.search(text) is not None


def next_pseudonym(known: Iterable[str]) -> str:
    """Return the next free code of the form P05.

    >>> next_pseudonym(["P01", "p04", "Anna"])
    'P05'
    """
    numbers = [int(one[1:]) for one in known if re.fullmatch(r"[Pp]\d{1,6}", one)]
    return f"P{max(numbers, default=0) + 1:02d}"
