"""Transport: what a model's answer is wrapped in, taken off without ever evaluating anything.

Counts: the grammar of one whole number, strict about everything that is not one.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable
from enum import StrEnum
from typing import Any, NoReturn

from sampling.answers.labels import fold, strip_edges

_FENCE = re.compile(r"\s*(```|~~~)[\w+-]*[ \t]*\r?\n?(?P<inside>.*?)\s*\1\s*", re.DOTALL)
_FENCE_WHOLE = re.compile(r"\s*(```|~~~)(?P<inside>(?:(?!\1).)*?)\s*\1\s*", re.DOTALL)
_FENCE_LINE = re.compile(r"(?m)^[ \t]*(?:```|~~~)[\w+-]*[ \t]*$")
_INFO = re.compile(r"[\w+-]*[ \t]*\r?\n")
_THINKING = r"(?:think(?:ing)?|thoughts?|reason(?:ing)?|reflection|scratchpad)"
_OPENED = re.compile(
    rf"\s*(?:<{_THINKING}(?:\s[^<>]*)?>|\[{_THINKING}\]|\u25c1{_THINKING}\u25b7)", re.IGNORECASE
)
_CLOSED = re.compile(rf"</{_THINKING}\s*>|\[/{_THINKING}\]|\u25c1/{_THINKING}\u25b7", re.IGNORECASE)
_DEEPEST = 20
_INVISIBLE = "\ufeff\u200b \t\r\n"


def unwrap(raw: Any) -> Any:
    r"""Take off a code fence round a JSON value, `{"answer": X}`, and JSON of a list.

    Truncated or other JSON stays text, as do JSON strings and numbers outside a fence. An object
    that names `answer` twice says nothing certain and stays text.

    Examples
    --------
    >>> unwrap('```json\n{"answer": ["cracks"]}\n```')
    ['cracks']
    >>> unwrap('{"answer": "Khmer"')
    '{"answer": "Khmer"'
    """
    for _ in range(_DEEPEST):
        opened = _open_once(raw)
        if opened is raw:
            return raw
        raw = opened
    return raw


def without_thinking(text: str) -> str | None:
    """Take off a model's reasoning: all up to its last end. One that was cut off is no answer.

    >>> without_thinking("<think>Tamil?</think> Khmer"), without_thinking("<think>Tamil, or")
    (' Khmer', None)
    """
    ends = list(_CLOSED.finditer(text))
    if ends:
        text = text[ends[-1].end() :]
    return None if _OPENED.match(text) else text


class Reasoning(StrEnum):
    """What became of a model's reasoning in an answer."""

    TAKEN_OFF = "taken off"
    CUT_OFF = "cut off"


def reasoning_in(raw: Any) -> Reasoning | None:
    """Tell whether rule 2 takes reasoning off an answer, or finds nothing but reasoning.

    >>> [str(reasoning_in(raw)) for raw in ("<think>a</think>b", '{"answer": "<think>a"}', "b", 5)]
    ['taken off', 'cut off', 'None', 'None']
    """
    opened = unwrap(raw)
    found = {
        without_thinking(one) == one if without_thinking(one) is not None else None
        for one in (flatten(opened) if isinstance(opened, list | tuple) else [opened])
        if isinstance(one, str)
    }
    if None in found:
        return Reasoning.CUT_OFF
    return Reasoning.TAKEN_OFF if False in found else None


def without_fence(text: str) -> str:
    r"""Take off a code fence round anything, and lines of nothing but a fence.

    >>> without_fence("```text\ncracks\n```"), without_fence("```Khmer```")
    ('cracks', 'Khmer')
    """
    fence = _FENCE_WHOLE.fullmatch(text)
    if fence is not None:
        return _without_info(fence["inside"])
    return _FENCE_LINE.sub("", text)


def _without_info(inside: str) -> str:
    """Leave out the language that the first line of a fence names."""
    named = _INFO.match(inside)
    return inside if named is None else inside[named.end() :]


def flatten(elements: Iterable[Any]) -> list[Any]:
    """Lay nested lists flat, in order.

    >>> flatten(["a", ["b", ["c"]]])
    ['a', 'b', 'c']
    """
    flat, waiting = [], [iter(elements)]
    while waiting:
        for element in waiting[-1]:
            if isinstance(element, (list, tuple, set, frozenset)):
                waiting.append(iter(element))
                break
            flat.append(element)
        else:
            waiting.pop()
    return flat


def _open_once(raw: Any) -> Any:
    """Take off one layer, or give the same object back."""
    if isinstance(raw, dict):
        return raw.get("answer", raw)
    if not isinstance(raw, str):
        return raw
    fence = _FENCE.fullmatch(raw)
    if fence is not None:
        value = _parse(fence["inside"], raw)
        return raw if value == fence["inside"] else value
    text = raw.strip(_INVISIBLE)
    if text[:1] + text[-1:] not in ("{}", "[]"):
        return raw
    value = _parse(text, raw)
    return raw if isinstance(value, dict) and "answer" not in value else value


def _parse(text: str, otherwise: str) -> Any:
    """Parse JSON, refusing repeated names and NaN; what is not JSON stays as it was."""
    try:
        return json.loads(text, object_pairs_hook=_no_repeats, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return otherwise


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of pairs whose names differ."""
    names = dict(pairs)
    if len(names) < len(pairs):
        raise ValueError("a name stands twice")
    return names


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


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
