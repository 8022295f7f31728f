"""Writes `responses/`: exact JSON Lines, and a CSV that no spreadsheet takes for formulas."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sampling.study.files import write_whole
from study_server.store.steering.exporting import CODE_FIELDS, RESPONSE_FIELDS

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def write_json_lines(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    """Write one record a line, exactly as it was given."""
    lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    write_whole(path, "".join(lines))


def write_json(path: Path, record: Mapping[str, Any]) -> None:
    """Write one record for people to read."""
    write_whole(path, json.dumps(record, ensure_ascii=False, indent=2) + "\n")


def write_csv(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    """Write a table of responses."""
    write_whole(path, csv_text(RESPONSE_FIELDS, records))


def write_completion_codes(path: Path, records: Sequence[Mapping[str, Any]]) -> None:
    """Write who has which completion code, for its owner only; without a code there is no file."""
    path.unlink(missing_ok=True)
    if records:
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(csv_text(CODE_FIELDS, records))


def csv_text(fields: Sequence[str], records: Iterable[Mapping[str, Any]]) -> str:
    """Return a table: lists as JSON in one cell, and no text that a spreadsheet would run."""
    table = io.StringIO(newline="")
    writer = csv.writer(table, lineterminator="\r\n")
    writer.writerow(fields)
    for record in records:
        writer.writerow([safe_cell(record[field]) for field in fields])
    return table.getvalue()


def safe_cell(value: Any) -> str | int | float:
    """Write a value for a cell; a text that would start a formula gets an apostrophe before it.

    >>> safe_cell("=1+1"), safe_cell(["cracks", "stains"]), safe_cell(None), safe_cell(-2)
    ("'=1+1", '["cracks", "stains"]', '', -2)
    """
    if value is None:
        return ""
    if isinstance(value, (int, float)):
        return value
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text
