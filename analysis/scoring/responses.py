"""Reading the human responses: one row a response, odd values flagged and never corrected."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis.arrays import BoolArray, IntArray
from sampling.assignment.roster import same_identity
from sampling.study.errors import Problems, StudyError, did_you_mean
from sampling.study.files import collection_paused
from sampling.tables.json_lines import JsonLines, json_lines

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
# What other tools call an answer.
PEERS = ("answer", "response", "label", "value", "text", "prediction")
NAMES = ("sample_id", "participant", "status")
NUMBERS = {"response_index": "a number", "active_seconds": "a number"}
TIMES = {"shown_at": "an ISO 8601 time", "submitted_at": "an ISO 8601 time"}
PLAIN_NUMBERS: frozenset[type] = frozenset({int, float, type(None)})
PLAIN_TEXTS: frozenset[type] = frozenset({str, type(None)})
TEXT: frozenset[type] = frozenset({str})
NAME_TYPES: frozenset[type] = frozenset({str, int})
OTHER_SPELLING = "a participant is written in another way, and taken as the same"
NO_LINES = np.empty(0, dtype=np.int64)


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
        with path.open("rb") as lines:
            return parse_responses(lines, path.name)
    except FileNotFoundError:
        raise StudyError(
            f"{path.parent.name}/{path.name}: not found; write it with `lontar export`"
        ) from None


def parse_responses(lines: Iterable[bytes], name: str = "responses.jsonl") -> ResponseRows:
    """Make a frame of JSON lines, a few thousand at a time so that a million fit in memory.

    Examples
    --------
    >>> row = b'{"sample_id": "q1", "participant": "P1", "status": "answered", "raw_response": "a"}'
    >>> rows = parse_responses([row])
    >>> rows.frame["participant"].to_list()
    ['P1']
    """
    problems = Problems()
    gathered = _Gathered()
    with collection_paused():
        for chunk in json_lines(lines, name, problems):
            gathered.fields |= dict.fromkeys(itertools.chain.from_iterable(chunk.rows))
            values = _values(chunk.rows)
            if _is_complete(values):
                gathered.add(chunk.numbers, values)
            else:
                numbers, rows = _complete_rows(chunk, name, problems)
                gathered.add(numbers, _values(rows))
        _check_answers(gathered, name, problems)
        problems.raise_if_any()
        return _frame(gathered, name)


def _check_answers(gathered: _Gathered, name: str, problems: Problems) -> None:
    """Note a file of answers in which no row has the field that holds them."""
    if "raw_response" in gathered.fields or ANSWERED not in gathered.names["status"]:
        return
    others = [field for field in gathered.fields if field not in FIELDS]
    likely = next((field for field in PEERS if field in others), None)
    hint = f" (did you mean {likely!r}?)" if likely else did_you_mean("raw_response", others)
    problems.add(
        name,
        f"no row has 'raw_response', the answer{hint}; give the field that name "
        f"(fields: {', '.join(gathered.fields)})",
    )


class _Gathered:
    """The columns of the rows read so far; names as numbers, equal answers as one object."""

    def __init__(self) -> None:
        self.fields: dict[str, None] = {}
        self.lines: list[IntArray] = []
        self.names = {field: defaultdict[Any, int](itertools.count().__next__) for field in NAMES}
        self.codes: dict[str, list[IntArray]] = {field: [] for field in NAMES}
        self.values: dict[str, list[Any]] = {field: [] for field in FIELDS if field not in NAMES}
        self._texts: dict[str, str] = {}
        self._lists: dict[str, list[Any]] = {}

    def add(self, numbers: Sequence[int], values: Mapping[str, list[Any]]) -> None:
        self.lines.append(np.asarray(numbers, dtype=np.int64))
        for field, names in self.names.items():
            found = map(names.__getitem__, values[field])
            self.codes[field].append(np.fromiter(found, np.int64, len(numbers)))
        for field, column in self.values.items():
            column.extend(
                self._one_of_each(values[field]) if field == "raw_response" else values[field]
            )

    def _one_of_each(self, answers: Sequence[Any]) -> list[Any]:
        """Replace equal texts, and equal lists, by the first of them: the rest need no memory."""
        texts, lists = self._texts, self._lists
        return [
            texts.setdefault(answer, answer)
            if type(answer) is str
            else lists.setdefault(repr(answer), answer)
            if type(answer) is list
            else answer
            for answer in answers
        ]


def _values(rows: Sequence[dict[str, Any]]) -> dict[str, list[Any]]:
    """Give the values of each field; None where a row does not have it."""
    return {field: _column(rows, field) for field in FIELDS}


def _column(rows: Sequence[dict[str, Any]], field: str) -> list[Any]:
    try:
        return [row[field] for row in rows]
    except KeyError:
        return [row.get(field) for row in rows]


def _is_complete(values: Mapping[str, Sequence[Any]]) -> bool:
    """Tell whether every row names its question, its participant and its status in text."""
    return all(set(map(type, values[field])) <= TEXT and all(values[field]) for field in NAMES)


def _complete_rows(
    chunk: JsonLines, name: str, problems: Problems
) -> tuple[list[int], list[dict[str, Any]]]:
    """Keep the rows that have all names, and note what is wrong with the others."""
    numbers, rows = [], []
    for number, row in zip(chunk.numbers, chunk.rows, strict=True):
        place = f"{name} line {number}"
        others = [field for field in row if field not in FIELDS]
        missing = [field for field in NAMES if row.get(field) in (None, "")]
        odd = [field for field in NAMES if type(row.get(field)) not in NAME_TYPES]
        if missing:
            fields = " and ".join(
                repr(field) + ("" if field in row else did_you_mean(field, others))
                for field in missing
            )
            problems.add(place, f"without {fields}", "rows that lack a name")
        elif odd:
            what = f"{odd[0]!r} must be text, not {row[odd[0]]!r}"
            problems.add(place, what, "names that are no text")
        else:
            numbers.append(number)
            rows.append(row)
    return numbers, rows


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


def _frame(gathered: _Gathered, name: str) -> ResponseRows:
    """Make typed columns of what was gathered, and list what is odd in them."""
    flags: list[str] = []
    lines = np.concatenate([NO_LINES, *gathered.lines])
    data: dict[str, Any] = {}
    for field, names in gathered.names.items():
        spellings = list(map(str, names))
        codes = np.concatenate([NO_LINES, *gathered.codes[field]])
        if field == "participant":
            spellings, other = _one_spelling_each(spellings)
            _flag(other[codes], OTHER_SPELLING, lines, flags)
        data[field] = pd.array(spellings, dtype="str").take(codes)
    for field, what in NUMBERS.items():
        values = gathered.values[field]
        data[field] = np.array(_only(values, PLAIN_NUMBERS), dtype=np.float64)
        _flag(_unread(values, np.isnan(data[field])), f"{field} is not {what}", lines, flags)
    for field, what in TIMES.items():
        values = gathered.values[field]
        times = _times(_only(values, PLAIN_TEXTS))
        data[field] = times
        _flag(_unread(values, times.isna().to_numpy()), f"{field} is not {what}", lines, flags)
    data["raw_response"] = pd.Series(gathered.values["raw_response"], dtype=object)
    frame = pd.DataFrame({field: data[field] for field in FIELDS} | {"line": lines})
    flags.extend(_odd_rows(frame))
    return ResponseRows(frame, tuple(f"{name}: {flag}" for flag in flags))


def _times(texts: Sequence[Any]) -> pd.Series:
    """Read ISO 8601 times as UTC; what is none becomes NaT."""
    column = pd.Series(texts, dtype=object)
    times = pd.to_datetime(column, format="ISO8601", utc=True, errors="coerce", cache=False)
    return times.astype("datetime64[us, UTC]")


def _one_spelling_each(spellings: list[str]) -> tuple[list[str], BoolArray]:
    """Give a person who is written in two ways (`P01`, `p01 `) the first, and mark the others.

    Who it is is not said: what is odd is published with the results.
    """
    first: dict[str, str] = {}
    kept = [first.setdefault(same_identity(spelling), spelling) for spelling in spellings]
    other = [one != spelling for one, spelling in zip(kept, spellings, strict=True)]
    return kept, np.array(other, dtype=bool)


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
