"""Counts: the grammar of one whole number, strict about everything that is not one."""

from __future__ import annotations

import re
import unicodedata

from sampling.answers.label_keys import fold, strip_edges

_WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    *("nineteen", "twenty"),
)
NUMBER_WORDS = {word: number for number, word in enumerate(_WORDS)}
_UNIT = re.compile(r"(?<=[^\W_])\s*lines?(?:\(s)?\Z")
_NUMBER = re.compile(r"(?P<whole>[0-9]+|[1-9][0-9]{0,2}(?:,[0-9]{3})+)(?:\.0+)?")
_MOST_DIGITS = 100
_HIDDEN_AFTER = re.compile(r"[%\u066a\u2030\u2031]")


def read_count(text: str) -> int | None:
    """Read one non-negative whole number, or None.

    Allowed: decimal digits of any script (category Nd), a word from zero to twenty, well-formed
    thousands (`1,005`), an integral decimal (`5.0`), and after it the unit `line(s)`. A range, an
    inequality, a sign, a superscript, an exponent, `1_0` or a Roman numeral is not a count.

    Examples
    --------
    >>> [read_count(text) for text in ("៥", "five lines.", "1,005", "5.0")]
    [5, 5, 1005, 5]
    >>> [read_count(text) for text in ("3-4", "-5", "5²", "1e1", "1_0", "V", "about 5")]
    [None, None, None, None, None, None, None]
    """
    if _hides_something(text):
        return None
    number = _UNIT.sub("", strip_edges(fold(text)))
    if number in NUMBER_WORDS:
        return NUMBER_WORDS[number]
    match = _NUMBER.fullmatch(to_ascii_digits(number))
    if match is None or len(match["whole"]) > _MOST_DIGITS:
        return None
    return int(match["whole"].replace(",", ""))


def to_ascii_digits(text: str) -> str:
    """Write every decimal digit (category Nd) as 0 to 9, and leave the rest.

    >>> to_ascii_digits("៥ ௫ ½")
    '5 5 ½'
    """
    return "".join(
        str(unicodedata.decimal(character)) if character.isdecimal() else character
        for character in text
    )


def has_other_digits(text: str) -> bool:
    """Tell whether a text holds numerals that are no decimal digits: ², ½, ⑤, Ⅴ, ௰.

    >>> has_other_digits("5²"), has_other_digits("៥")
    (True, False)
    """
    return any(unicodedata.category(character) in ("No", "Nl") for character in text)


def _hides_something(text: str) -> bool:
    """Tell whether folding and stripping would turn something else into a plain number."""
    if has_other_digits(text):
        return True
    body = unicodedata.normalize("NFKC", text).strip()
    inner = strip_edges(body)
    before, _, after = body.partition(inner) if inner else ("", "", "")
    dashes = any(unicodedata.category(character) == "Pd" for character in before + after)
    decimal_point = before[-1:] in (".", ",", "\u066b") and inner[:1].isdecimal()
    return dashes or decimal_point or bool(_HIDDEN_AFTER.search(after))
