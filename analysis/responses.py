"""Reading the human responses: one row a response, odd values flagged and never corrected."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis.array_types import BoolArray, IntArray
from analysis.pausing import collection_paused
from sampling.errors import Problems, StudyError
from sampling.participants import same_identity

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
ALL_FIELDS = itemgetter(*FIELDS)
NAMES = ("sample_id", "participant", "status")
NUMBERS = {"response_index": "a number", "active_seconds": "a number"}
TIMES = {"shown_at": "an ISO 8601 time", "submitted_at": "an ISO 8601 time"}
PLAIN_NUMBERS: frozenset[type] = frozenset({int, float, type(None)})
PLAIN_TEXTS: frozenset[type] = frozenset({str, type(None)})
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
    names: dict[str, dict[Any, int]] = {field: {} for field in NAMES}
    parts: list[dict[str, Any]] = []
    stream = iter(lines)
    first = 1
    with collection_paused():
        while chunk := list(islice(stream, LINES_AT_ONCE)):
            numbers, rows = _parse_chunk(chunk, first, name, problems)
            parts.append(_columns(numbers, rows, names))
            first += len(chunk)
    problems.raise_if_any()
    return _frame(parts, names, name)


def _parse_chunk(
    chunk: list[str], first: int, name: str, problems: Problems
) -> tuple[Sequence[int], list[dict[str, Any]]]:
    """Parse lines together, which is fastest, and one by one when something is wrong."""
    try:
        rows = json.loads(f"[{','.join(chunk)}]")
    except json.JSONDecodeError:
        rows = []
    if len(rows) == len(chunk) and all(map(_is_complete, rows)):
        return range(first, first + len(chunk)), rows
    numbers, rows = [], []
    for number, line in enumerate(chunk, start=first):
        row = _parse_line(line, f"{name} line {number}", problems) if line.strip() else None
        if row is not None:
            numbers.append(number)
            rows.append(row)
    return numbers, rows


def _is_complete(row: Any) -> bool:
    """Tell whether a row is an object that names its question, its participant and its status."""
    return (
        type(row) is dict
        and bool(row.get("sample_id"))
        and bool(row.get("participant"))
        and bool(row.get("status"))
    )


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
    missing = [field for field in NAMES if row.get(field) in (None, "")]
    if missing:
        problems.add(where, f"without {' and '.join(repr(field) for field in missing)}")
        return None
    return row


def _columns(
    numbers: Sequence[int], rows: list[dict[str, Any]], names: dict[str, dict[Any, int]]
) -> dict[str, Any]:
    """Make typed columns of some rows; `names` numbers the distinct values of names and grows."""
    values = dict(zip(FIELDS, _fields(rows), strict=True))
    columns: dict[str, Any] = {
        "line": np.asarray(numbers, dtype=np.int64),
        "raw_response": values["raw_response"],
    }
    for field, known in names.items():
        codes, distinct = pd.factorize(np.array(values[field], dtype=object))
        global_codes = [known.setdefault(name, len(known)) for name in distinct]
        columns[field] = np.array(global_codes, dtype=np.int64)[codes]
    for field in NUMBERS:
        columns[field] = np.array(_only(values[field], PLAIN_NUMBERS), dtype=np.float64)
        columns[f"odd {field}"] = _unread(values[field], np.isnan(columns[field]))
    for field in TIMES:
        texts = pd.Series(_only(values[field], PLAIN_TEXTS), dtype=object)
        times = pd.to_datetime(texts, format="ISO8601", utc=True, errors="coerce")
        columns[field] = times.array.as_unit("us")
        columns[f"odd {field}"] = _unread(values[field], times.isna().to_numpy())
    return columns


def _fields(rows: list[dict[str, Any]]) -> Iterable[Sequence[Any]]:
    """Give the values of each field; None where a row does not have it."""
    if not rows:
        return [()] * len(FIELDS)
    try:
        return zip(*map(ALL_FIELDS, rows), strict=True)
    except KeyError:
        return [[row.get(field) for row in rows] for field in FIELDS]


def _only(values: Sequence[Any], kinds: frozenset[type]) -> Sequence[Any]:
    """Replace what is of another type by None, such as truth values among numbers."""
    if set(map(type, values)) <= kinds:
        return values
    return [value if type(value) in kinds else None for value in values]


def _unread(values: Sequence[Any], missing: BoolArray) -> BoolArray:
    """Mark the values that were given and could not be read."""
    if not missing.any():
        return missing
    given: BoolArray = np.array([value is not None for value in values], dtype=bool)
    return missing & given


def _frame(
    parts: list[dict[str, Any]], names: dict[str, dict[Any, int]], name: str
) -> ResponseRows:
    """Put the columns of all chunks together, and list what is odd in them."""
    parts = parts or [_columns((), [], names)]
    flags: list[str] = []
    lines = np.concatenate([part["line"] for part in parts])
    data: dict[str, Any] = {}
    for field, known in names.items():
        codes = np.concatenate([part[field] for part in parts])
        spellings = list(map(str, known))
        if field == "participant":
            spellings = _one_spelling_each(spellings, flags)
        data[field] = pd.array(spellings, dtype="str").take(codes)
    for field, what in (*NUMBERS.items(), *TIMES.items()):
        data[field] = pd.concat([pd.Series(part[field]) for part in parts], ignore_index=True)
        odd = np.concatenate([part[f"odd {field}"] for part in parts])
        _flag(odd, f"{field} is not {what}", lines, flags)
    raw = [value for part in parts for value in part["raw_response"]]
    data["raw_response"] = pd.Series(raw, dtype=object)
    frame = pd.DataFrame({field: data[field] for field in FIELDS} | {"line": lines})
    flags.extend(_odd_rows(frame))
    return ResponseRows(frame, tuple(f"{name}: {flag}" for flag in flags))


def _one_spelling_each(spellings: list[str], flags: list[str]) -> list[str]:
    """Give a person who is written in two ways (`P01`, `p01 `) the first of them."""
    first: dict[str, str] = {}
    for spelling in spellings:
        kept = first.setdefault(same_identity(spelling), spelling)
        if kept != spelling:
            flags.append(f"participant {spelling!r} is taken as {kept!r}")
    return [first[same_identity(spelling)] for spelling in spellings]


def _odd_rows(frame: pd.DataFrame) -> list[str]:
    """Flag unknown statuses, negative times and answers given before they were shown."""
    flags: list[str] = []
    lines = frame["line"].to_numpy()
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


def _flag(odd: BoolArray, what: str, lines: IntArray, flags: list[str]) -> None:
    """Note how many rows are odd and the lines of the first few."""
    found = np.flatnonzero(odd)
    if found.size:
        shown = ", ".join(str(lines[index]) for index in found[:5])
        more = ", ..." if found.size > 5 else ""
        plural = "row" if found.size == 1 else "rows"
        flags.append(f"{what} in {found.size} {plural} (line {shown}{more})")
