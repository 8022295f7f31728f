"""Rows of JSONL, JSON, CSV and TSV files, each with its place; BOM, CRLF and gzip are accepted."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import itertools
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sampling.errors import Problems, StudyError

Row = tuple[int, dict[str, Any]]

GZIP = b"\x1f\x8b"
LONGEST_CELL = 2**31 - 1
LINES_AT_ONCE = 10_000
LIST_NAMES = ("data", "questions", "samples", "examples", "annotations", "items")


@dataclass(frozen=True)
class RowTable:
    """The rows of one file: `unit` and number say where each is (`test.jsonl line 3`)."""

    name: str
    unit: str
    rows: tuple[Row, ...]

    def places(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield each row with its place in words."""
        for number, row in self.rows:
            yield f"{self.name} {self.unit} {number}", row


def read_rows(path: Path, problems: Problems, name: str = "") -> RowTable:
    """Read the rows of a text file, by its ending or else by looking.

    Broken lines are noted in `problems` and left out. CSV and TSV cells stay text: `None`, `NA`,
    `007` and `1e5` keep their form.

    Raises
    ------
    StudyError
        When the file as a whole cannot be read.
    """
    name = name or path.name
    ending = format_ending(path)
    if ending in (".csv", ".tsv"):
        return RowTable(
            name, "line", _delimited_rows(read_text(path, name), ending, name, problems)
        )
    if ending in (".jsonl", ".ndjson"):
        return RowTable(name, "line", _json_lines(read_bytes(path, name), name, problems))
    text = read_text(path, name)
    if ending == ".json" or text.lstrip()[:1] in ("[", "{"):
        return _json_rows(text, name, problems)
    raise StudyError(
        f"{name}: not a format that is read; give JSONL, JSON, CSV, TSV or Parquet with that ending"
    )


def json_fault(error: json.JSONDecodeError) -> str:
    """Say what is wrong with JSON and in which column; the place names the line."""
    what = error.msg.removesuffix(" starting at")
    return f"not valid JSON: {what} at column {error.colno}"


def format_ending(path: Path) -> str:
    """Give the ending that tells a file's format, in small letters and without `.gz`.

    >>> format_ending(Path("test.JSONL.gz")), format_ending(Path("a.csv"))
    ('.jsonl', '.csv')
    """
    return Path(path.name.lower().removesuffix(".gz")).suffix


def read_bytes(path: Path, name: str = "") -> bytes:
    """Read a file's bytes, unpacked, or say that it is missing, a folder, damaged, or UTF-16."""
    name = name or path.name
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise StudyError(f"{name}: not found in {path.parent}") from None
    except IsADirectoryError:
        raise StudyError(f"{name}: is a folder, not a file") from None
    if raw[:2] == GZIP:
        try:
            raw = gzip.decompress(raw)
        except (EOFError, gzip.BadGzipFile, zlib.error):
            raise StudyError(f"{name}: is damaged; its compression breaks off") from None
    if raw[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) or b"\0" in raw[:2]:
        raise StudyError(f"{name}: is UTF-16 text; save the file as UTF-8")
    return raw


def read_text(path: Path, name: str = "") -> str:
    """Read a text file as UTF-8, with or without a byte order mark.

    Raises
    ------
    StudyError
        When it is missing, a folder, or not UTF-8 (the line is named).
    """
    name = name or path.name
    raw = read_bytes(path, name)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise StudyError(f"{name} line {line}: is not UTF-8 text; save the file as UTF-8") from None


def _json_lines(raw: bytes, name: str, problems: Problems) -> tuple[Row, ...]:
    """Read one JSON object a line, thousands at once; blank lines are passed over."""
    rows: list[Row] = []
    numbered = (
        (number, line.strip())
        for number, line in enumerate(io.BytesIO(raw.removeprefix(codecs.BOM_UTF8)), 1)
        if line.strip()
    )
    while chunk := list(itertools.islice(numbered, LINES_AT_ONCE)):
        rows.extend(_parse_together(chunk) or _parse_one_by_one(chunk, name, problems))
    return tuple(rows)


def _parse_together(chunk: list[tuple[int, bytes]]) -> list[Row] | None:
    """Parse lines as one list, which is fast and shares the names; None when one is odd."""
    joined = b",".join(line for _, line in chunk)
    if b"\\ud" in joined or b"\\uD" in joined:
        return None
    if not all(line[:1] + line[-1:] == b"{}" for _, line in chunk):
        return None
    try:
        parsed = json.loads(b"[" + joined + b"]")
    except (ValueError, RecursionError):
        return None
    if len(parsed) != len(chunk):
        return None
    return [(number, row) for (number, _), row in zip(chunk, parsed, strict=True)]


def _parse_one_by_one(
    chunk: list[tuple[int, bytes]], name: str, problems: Problems
) -> Iterator[Row]:
    """Parse lines singly, to say which one is broken."""
    for number, line in chunk:
        place = f"{name} line {number}"
        try:
            text = line.decode()
            row = json.loads(text)
        except UnicodeDecodeError:
            raise StudyError(f"{place}: is not UTF-8 text; save the file as UTF-8") from None
        except json.JSONDecodeError as error:
            problems.add(place, json_fault(error), "broken JSON lines")
            continue
        except (ValueError, RecursionError) as error:
            problems.add(place, f"not valid JSON: {error}", "broken JSON lines")
            continue
        if _is_row(row, text, place, problems):
            yield number, row


def _is_row(row: Any, source: str, where: str, problems: Problems) -> bool:
    """Tell whether a parsed value is an object of clean text, or note what it is."""
    if not isinstance(row, dict):
        problems.add(
            where, 'not a JSON object such as {"sample_id": ...}', "rows that are no object"
        )
        return False
    if "\\ud" in source or "\\uD" in source:
        try:
            json.dumps(row, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            problems.add(
                where, "holds half of a surrogate pair, which is no text", "half characters"
            )
            return False
    return True


def _json_rows(text: str, name: str, problems: Problems) -> RowTable:
    """Read a JSON list of objects, or JSON lines under another ending."""
    try:
        whole = json.loads(text)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            return RowTable(name, "line", _json_lines(text.encode(), name, problems))
        place = f"{name} line {error.lineno}"
        raise StudyError(f"{place}: {json_fault(error)}") from None
    if isinstance(whole, dict):
        lists = [whole[key] for key in LIST_NAMES if isinstance(whole.get(key), list)]
        whole = lists[0] if len(lists) == 1 else [whole]
    if not isinstance(whole, list):
        raise StudyError(f"{name}: not a list of objects")
    items = enumerate(whole, 1)
    return RowTable(
        name,
        "item",
        tuple(
            (number, row)
            for number, row in items
            if _is_row(row, text, f"{name} item {number}", problems)
        ),
    )


def _delimited_rows(text: str, ending: str, name: str, problems: Problems) -> tuple[Row, ...]:
    """Read CSV or TSV with a header; every cell stays the text it is."""
    csv.field_size_limit(LONGEST_CELL)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text, ending))
    header = next(reader, None)
    if not header:
        raise StudyError(f"{name}: empty; its first line must name the columns")
    header = [column.strip() for column in header]
    repeated = {column for column in header if header.count(column) > 1 and column}
    if repeated:
        raise StudyError(f"{name} line 1: the column {min(repeated)!r} stands twice")
    rows = []
    line = reader.line_num + 1
    for cells in reader:
        if any(cells) and len(cells) != len(header):
            problems.add(
                f"{name} line {line}",
                f"has {len(cells)} cells, the header {len(header)}; quote cells that hold commas",
                "rows of the wrong length",
            )
        elif any(cells):
            rows.append((line, dict(zip(header, cells, strict=True))))
        line = reader.line_num + 1
    return tuple(rows)


def _delimiter(text: str, ending: str) -> str:
    """Find what separates cells: a tab in TSV, else a comma, or a semicolon where no comma is."""
    if ending == ".tsv":
        return "\t"
    first = text.partition("\n")[0]
    return ";" if ";" in first and "," not in first else ","
