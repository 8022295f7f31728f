"""Transport: what a model's answer is wrapped in, taken off without ever evaluating anything."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, NoReturn

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
