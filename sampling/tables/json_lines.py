"""JSON lines: one object a line, thousands parsed at once, and each broken line named."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from sampling.study.errors import Problems, StudyError

# What Python's parser says, in the words of who wrote the file.
JSON_FAULTS = {
    "Expecting property name": "a name in double quotes must stand here, and no comma before a }",
    "Expecting value": "a value is missing, or is a text without double quotes",
    "Expecting ',' delimiter": (
        'a comma is missing, or a bracket; a quote inside a text is written \\"'
    ),
    "Expecting ':' delimiter": "a colon must stand between a name and its value",
    "Illegal trailing comma": "take out the comma before the closing bracket",
    "Invalid control character": "a line break or tab inside a text is written \\n or \\t",
    "Invalid \\": "a backslash inside a text is written \\\\",
    "Unterminated string": "the text that begins here has no closing quote",
    "Extra data": "one object ends before this; each stands on a line of its own",
}
LINES_AT_ONCE = 1_000  # few enough that they stay in the processor's cache


@dataclass(frozen=True)
class JsonLines:
    """Some objects of a file of JSON lines, and the line of each, from 1."""

    numbers: Sequence[int]
    rows: Sequence[dict[str, Any]]


def json_lines(
    lines: Iterable[bytes], name: str, problems: Problems, at_once: int = LINES_AT_ONCE
) -> Iterator[JsonLines]:
    """Yield the objects of a file, a few thousand at a time so that a million fit in memory.

    A byte order mark, CRLF and blank lines are accepted. Broken lines are noted in `problems`
    and left out.

    Raises
    ------
    StudyError
        When a line is not UTF-8.
    """
    stream = iter(lines)
    first = 1
    while chunk := list(islice(stream, at_once)):
        if first == 1:
            chunk[0] = chunk[0].removeprefix(codecs.BOM_UTF8)
        rows = _parse_together(chunk)
        if rows is None:
            yield _parse_one_by_one(chunk, first, name, problems)
        else:
            yield JsonLines(range(first, first + len(chunk)), rows)
        first += len(chunk)


def json_fault(error: json.JSONDecodeError) -> str:
    """Say what is wrong with JSON and in which column; the place names the line.

    >>> json_fault(json.JSONDecodeError("Expecting value", '{"a": }', 6))
    'not valid JSON at column 7: a value is missing, or is a text without double quotes'
    """
    known = (words for said, words in JSON_FAULTS.items() if error.msg.startswith(said))
    return f"not valid JSON at column {error.colno}: {next(known, error.msg)}"


def has_surrogates(source: str) -> bool:
    """Tell whether JSON has escapes that may be half a character."""
    return "\\ud" in source or "\\uD" in source


def is_object(row: Any, surrogates: bool, where: str, problems: Problems) -> bool:
    """Tell whether a parsed value is an object of clean text, or note what it is."""
    if not isinstance(row, dict):
        problems.add(
            where, 'not a JSON object such as {"sample_id": ...}', "rows that are no object"
        )
        return False
    if surrogates:
        try:
            json.dumps(row, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            problems.add(
                where, "holds half of a surrogate pair, which is no text", "half characters"
            )
            return False
    return True


def _parse_together(chunk: list[bytes]) -> list[dict[str, Any]] | None:
    """Parse lines as one list, which is fast and shares the names; None when one is odd."""
    joined = b",".join(chunk).rstrip()
    if not _is_object_each(joined, len(chunk)) or _may_hold_surrogates(joined):
        return None
    try:
        parsed: list[dict[str, Any]] = json.loads(f"[{joined.decode()}]")
    except (ValueError, RecursionError):
        return None
    return parsed if len(parsed) == len(chunk) else None


def _is_object_each(joined: bytes, lines: int) -> bool:
    """Tell whether every line begins with a brace and ends with one."""
    ends = b"}\r\n,{" if b"\r" in joined else b"}\n,{"
    return joined[:1] + joined[-1:] == b"{}" and joined.count(ends) == lines - 1


def _may_hold_surrogates(joined: bytes) -> bool:
    """Tell whether escapes may be half a character; most files have no backslash at all."""
    return b"\\" in joined and (b"\\ud" in joined or b"\\uD" in joined)


def _parse_one_by_one(chunk: list[bytes], first: int, name: str, problems: Problems) -> JsonLines:
    """Parse lines singly, to say which one is broken."""
    numbers, rows = [], []
    for number, line in enumerate(chunk, first):
        row = _parse_line(line.strip(), f"{name} line {number}", problems) if line.strip() else None
        if row is not None:
            numbers.append(number)
            rows.append(row)
    return JsonLines(numbers, rows)


def _parse_line(line: bytes, place: str, problems: Problems) -> dict[str, Any] | None:
    try:
        text = line.decode()
        row = json.loads(text)
    except UnicodeDecodeError:
        raise StudyError(f"{place}: is not UTF-8 text; save the file as UTF-8") from None
    except json.JSONDecodeError as error:
        problems.add(place, json_fault(error), "broken JSON lines")
        return None
    except (ValueError, RecursionError) as error:
        problems.add(place, f"not valid JSON: {error}", "broken JSON lines")
        return None
    return row if is_object(row, has_surrogates(text), place, problems) else None
