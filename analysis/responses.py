"""Reading the human responses: one row a response, odd values flagged and never corrected."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from sampling.errors import Problems, StudyError

ANSWERED = "answered"
STATUSES = (ANSWERED, "skipped", "withdrawn", "surplus")
FIELDS = (
    "sample_id",
    "participant",
    "response_index",
    "status",
    "raw_response",
    "shown_at",
    "submitted_at",
    "active_seconds",
)
REQUIRED = ("sample_id", "participant", "status")
NEEDED = frozenset(REQUIRED)
LINES_AT_ONCE = 20_000
SHOWN_AT_MOST = 20


@dataclass(frozen=True)
class ResponseRows:
    """The rows of a responses file and what is odd about them.

    `frame` has one row a line: `sample_id`, `participant`, `response_index` (float, NaN where
    null), `status`, `raw_response` (any JSON value), `shown_at`, `submitted_at` (aware UTC or
    NaT), `active_seconds` (float, NaN where unknown) and `line`, from 1.
    """

    frame: pd.DataFrame
    warnings: tuple[str, ...] = ()


def read_responses(path: Path) -> pd.DataFrame:
    """Read `responses.jsonl`: one row a response, of every status."""
    return read_response_rows(path).frame


def read_response_rows(path: Path) -> ResponseRows:
    """Read `responses.jsonl` with the list of what is odd in it.

    Raises
    ------
    StudyError
        When the file is missing, or with every line that is not a JSON object or lacks
        `sample_id`, `participant` or `status`.
    """
    try:
        with path.open(encoding="utf-8-sig") as lines:
            return parse_responses(lines, path.name)
    except FileNotFoundError:
        raise StudyError(
            f"{path.parent.name}/{path.name}: not found; write it with `lontar export`"
        ) from None
    except UnicodeDecodeError:
        raise StudyError(f"{path.parent.name}/{path.name}: not UTF-8 text") from None


def parse_responses(lines: Iterable[str], name: str = "responses.jsonl") -> ResponseRows:
    """Make a frame of JSON lines, a few thousand at a time so that a million fit in memory.

    Examples
    --------
    >>> rows = parse_responses(['{"sample_id": "q1", "participant": "P1", "status": "answered"}'])
    >>> rows.frame["participant"].to_list()
    ['P1']
    """
    problems = Problems()
    values: dict[str, list[Any]] = {field: [] for field in FIELDS}
    line_numbers: list[int] = []
    numbered = ((number, line) for number, line in enumerate(lines, start=1) if line.strip())
    while chunk := list(islice(numbered, LINES_AT_ONCE)):
        rows = _parse_chunk(chunk, name, problems)
        line_numbers.extend(number for number, _ in rows)
        for field, column in values.items():
            column.extend([row.get(field) for _, row in rows])
    problems.raise_if_any()
    return _frame(values, line_numbers, name)


def _parse_chunk(
    chunk: list[tuple[int, str]], name: str, problems: Problems
) -> list[tuple[int, dict[str, Any]]]:
    """Parse lines together, which is fastest, and one by one when something is wrong."""
    try:
        rows = json.loads(f"[{','.join(line for _, line in chunk)}]")
    except json.JSONDecodeError:
        rows = []
    if len(rows) == len(chunk) and all(type(row) is dict and row.keys() >= NEEDED for row in rows):
        return list(zip((number for number, _ in chunk), rows, strict=True))
    parsed = (
        (number, _parse_line(line, f"{name} line {number}", problems)) for number, line in chunk
    )
    return [(number, row) for number, row in parsed if row is not None]


def _parse_line(line: str, where: str, problems: Problems) -> dict[str, Any] | None:
    if len(problems) >= SHOWN_AT_MOST:
        return None
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        problems.add(where, f"not valid JSON: {error.msg} at column {error.colno}")
        return None
    if not isinstance(row, dict):
        problems.add(where, 'not a JSON object such as {"sample_id": ...}')
        return None
    missing = [field for field in REQUIRED if row.get(field) in (None, "")]
    if missing:
        problems.add(where, f"without {' and '.join(repr(field) for field in missing)}")
        return None
    return row


def _frame(values: dict[str, list[Any]], lines: list[int], name: str) -> ResponseRows:
    """Make typed columns of the values read, and list what is odd in them."""
    flags: list[str] = []
    frame = pd.DataFrame(
        {
            "sample_id": pd.Series([str(value) for value in values["sample_id"]], dtype="str"),
            "participant": pd.Series([str(value) for value in values["participant"]], dtype="str"),
            "response_index": _numbers(values["response_index"], "response_index", lines, flags),
            "status": pd.Series([str(value) for value in values["status"]], dtype="str"),
            "raw_response": pd.Series(values["raw_response"], dtype=object),
            "shown_at": _times(values["shown_at"], "shown_at", lines, flags),
            "submitted_at": _times(values["submitted_at"], "submitted_at", lines, flags),
            "active_seconds": _numbers(values["active_seconds"], "active_seconds", lines, flags),
            "line": np.asarray(lines, dtype=np.int64),
        }
    )
    flags.extend(_odd_rows(frame))
    return ResponseRows(frame, tuple(f"{name}: {flag}" for flag in flags))


def _numbers(
    values: list[Any], field: str, lines: list[int], flags: list[str]
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Read a column of numbers; what is not one becomes NaN and is flagged."""
    numbers = np.array(
        [value if type(value) in {int, float} else np.nan for value in values], dtype=np.float64
    )
    absent = np.array([value is None for value in values], dtype=bool)
    _flag(np.isnan(numbers) & ~absent, f"{field} is not a number", lines, flags)
    return numbers


def _times(
    values: list[Any], field: str, lines: list[int], flags: list[str]
) -> pd.Series[pd.Timestamp]:
    """Read a column of ISO 8601 times as aware UTC; what is not one becomes NaT, flagged."""
    texts = pd.Series([value if type(value) is str else None for value in values], dtype=object)
    times = pd.to_datetime(texts, format="ISO8601", utc=True, errors="coerce")
    absent = np.array([value is None for value in values], dtype=bool)
    unread = times.isna().to_numpy() & ~absent
    _flag(unread, f"{field} is not an ISO 8601 time", lines, flags)
    return times


def _odd_rows(frame: pd.DataFrame) -> list[str]:
    """Flag unknown statuses, negative times and answers given before they were shown."""
    flags: list[str] = []
    lines = frame["line"].to_list()
    unknown = ~frame["status"].isin(STATUSES)
    early = frame["submitted_at"] < frame["shown_at"]
    unnumbered = (frame["status"] == ANSWERED) & ~(frame["response_index"] >= 1)
    for odd, what in (
        (unknown, f"unknown status, not scored (known: {', '.join(STATUSES)})"),
        (frame["active_seconds"] < 0, "active_seconds is negative"),
        (early, "submitted_at is before shown_at"),
        (unnumbered, "an answered row has no response_index"),
    ):
        _flag(odd.to_numpy(), what, lines, flags)
    return flags


def _flag(
    odd: np.ndarray[Any, np.dtype[np.bool_]], what: str, lines: list[int], flags: list[str]
) -> None:
    """Note how many rows are odd and the lines of the first few."""
    found = np.flatnonzero(odd)
    if found.size:
        shown = ", ".join(str(lines[index]) for index in found[:5])
        more = ", ..." if found.size > 5 else ""
        plural = "row" if found.size == 1 else "rows"
        flags.append(f"{what} in {found.size} {plural} (line {shown}{more})")
