"""Reads the tables of `results/` back as rows of text, for the report alone."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path

from analysis.report.blocks import Row


def read_rows(folder: Path, name: str) -> list[dict[str, str]]:
    """Read `name.csv`; an absent table has no rows."""
    path = folder / f"{name}.csv"
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def read_notes(folder: Path) -> list[str]:
    """Read the notes under Table 11; there are none without it."""
    path = folder / "table11.json"
    return list(json.loads(path.read_text(encoding="utf-8"))["notes"]) if path.is_file() else []


def number(text: str) -> float | None:
    """Read a printed number; an empty cell is none.

    >>> number("28.91"), number("")
    (28.91, None)
    """
    return float(text) if text else None


def interval(row: Row, low: str, high: str) -> tuple[float, float] | None:
    """Read the two ends of an interval; none where either is empty."""
    ends = number(row.get(low, "")), number(row.get(high, ""))
    return None if ends[0] is None or ends[1] is None else (ends[0], ends[1])


def filled_columns(rows: Sequence[Row], leave_out: Sequence[str] = ()) -> list[str]:
    """Name the columns in which some row has something, in their order.

    >>> filled_columns([{"a": "1", "b": ""}, {"a": "", "b": ""}])
    ['a']
    """
    names = list(rows[0]) if rows else []
    return [name for name in names if name not in leave_out and any(row[name] for row in rows)]
