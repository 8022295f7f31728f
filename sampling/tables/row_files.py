"""Rows of JSONL, JSON, CSV and TSV files, each with its place; BOM, CRLF and gzip are accepted."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sampling.study.errors import Problems, StudyError
from sampling.tables.json_lines import has_surrogates, is_object, json_fault, json_lines

Row = tuple[int, dict[str, Any]]

GZIP = b"\x1f\x8b"
ZIP = b"PK\x03\x04"
LONGEST_CELL = 2**31 - 1
SEPARATOR_LINE = re.compile(r'"?sep=([,;\t|])"?\r?\n')
SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}
STRAY_QUOTE = (
    "has signs behind a closing quote; a cell that holds quotes is quoted whole, its own doubled"
)
ID_NAMES = frozenset({"sample_id", "id", "index", "questionId", "instance_id", "doc_id"})
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


def format_ending(path: Path) -> str:
    """Give the ending that tells a file's format, in small letters and without `.gz`.

    >>> format_ending(Path("test.JSONL.gz")), format_ending(Path("a.csv"))
    ('.jsonl', '.csv')
    """
    return Path(path.name.lower().removesuffix(".gz")).suffix


def read_bytes(path: Path, name: str = "") -> bytes:
    """Read a file's bytes, unpacked, or say that it is missing, a folder, damaged or no text."""
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
    if raw[:4] == ZIP:
        raise StudyError(
            f"{name}: is an Excel file or another zip archive; save the table as CSV UTF-8"
        )
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
    """Read one JSON object a line; blank lines are passed over."""
    rows: list[Row] = []
    for chunk in json_lines(io.BytesIO(raw), name, problems):
        rows.extend(zip(chunk.numbers, chunk.rows, strict=True))
    return tuple(rows)


def _json_rows(text: str, name: str, problems: Problems) -> RowTable:
    """Read a JSON list of objects, an object of them by id, or JSON lines under another ending."""
    try:
        whole = json.loads(text)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            return RowTable(name, "line", _json_lines(text.encode(), name, problems))
        place = f"{name} line {error.lineno}"
        raise StudyError(f"{place}: {json_fault(error)}") from None
    except (ValueError, RecursionError) as error:
        raise StudyError(f"{name}: not valid JSON: {error}") from None
    if isinstance(whole, dict):
        lists = [whole[key] for key in LIST_NAMES if isinstance(whole.get(key), list)]
        whole = lists[0] if len(lists) == 1 else _records_by_id(whole)
    if not isinstance(whole, list):
        raise StudyError(f"{name}: not a list of objects")
    surrogates = has_surrogates(text)
    return RowTable(
        name,
        "item",
        tuple(
            (number, row)
            for number, row in enumerate(whole, 1)
            if is_object(row, surrogates, f"{name} item {number}", problems)
        ),
    )


def _records_by_id(whole: dict[str, Any]) -> list[Any]:
    """List the records of an object `{"1": {...}, "2": {...}}`; any other object is one record.

    A record without an id of its own gets its name in the object.

    >>> _records_by_id({"7": {"question": "x"}, "8": {"id": "b"}})
    [{'sample_id': '7', 'question': 'x'}, {'id': 'b'}]
    """
    if not whole or not all(isinstance(value, dict) for value in whole.values()):
        return [whole]
    return [
        value if ID_NAMES & set(value) else {"sample_id": name, **value}
        for name, value in whole.items()
    ]


def _delimited_rows(text: str, ending: str, name: str, problems: Problems) -> tuple[Row, ...]:
    """Read CSV or TSV with a header; every cell stays the text it is."""
    csv.field_size_limit(LONGEST_CELL)
    delimiter = _delimiter(text, ending)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    if SEPARATOR_LINE.match(text):
        next(reader)
    header = _header(next(reader, None), f"{name} line {max(reader.line_num, 1)}", name)
    top = reader.line_num
    rows: list[Row] = []
    line = top + 1
    for cells in _well_formed(reader, name, problems):
        if line == top + 1 and _is_title(header, cells):
            raise StudyError(
                f"{name} line {top}: holds {''.join(header)!r} alone, and line {line} several "
                "cells; the first line must name the columns: take out what stands above it"
            )
        if any(cells) and len(cells) != len(header):
            fault = _length_fault(len(cells), len(header), delimiter)
            if reader.line_num > line:
                fault = f"goes on to line {reader.line_num}; is a quote not closed?"
            problems.add(f"{name} line {line}", fault, "rows of the wrong length")
        elif any(cells):
            rows.append((line, dict(zip(header, cells, strict=True))))
        line = reader.line_num + 1
    return tuple(rows)


def _well_formed(reader: Any, name: str, problems: Problems) -> Iterator[list[str]]:
    """Yield rows up to the first cell whose quotes are wrong, which is noted with its line."""
    while True:
        first = reader.line_num + 1
        try:
            yield next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            if "end of data" in str(error):
                fault = "has a quote that is not closed, to the file's end"
            elif "expected after" in str(error):
                fault = STRAY_QUOTE
            else:
                fault = f"is no row of cells ({error})"
            if reader.line_num > first and fault == STRAY_QUOTE:
                fault = f"goes on to line {reader.line_num} by a quote, and {fault}"
            problems.add(f"{name} line {first}", fault)
            return


def _header(cells: list[str] | None, place: str, name: str) -> list[str]:
    """Take the names of the columns, each of which stands once."""
    if not cells:
        raise StudyError(f"{name}: empty; its first line must name the columns")
    header = [column.strip() for column in cells]
    repeated = {column for column in header if header.count(column) > 1 and column}
    if repeated:
        raise StudyError(f"{place}: the column {min(repeated)!r} appears twice")
    return header


def _length_fault(cells: int, columns: int, delimiter: str) -> str:
    """Say that a row has more or fewer cells than the header, and what the cause may be."""
    fault = f"has {'1 cell' if cells == 1 else f'{cells} cells'}, the header {columns}"
    if cells < columns:
        return f"{fault}; is a cell missing, or a quote not closed?"
    return f"{fault}; quote cells that hold {SEPARATORS.get(delimiter, repr(delimiter))}"


def _is_title(header: list[str], cells: list[str]) -> bool:
    """Tell whether what should be the header is one cell above a row of several."""
    return sum(map(bool, header)) == 1 and sum(map(bool, cells)) > 1


def _delimiter(text: str, ending: str) -> str:
    """Find what separates cells: a tab in TSV, else a comma, or a semicolon where no comma is.

    Excel writes `sep=;` above the header where it says so itself.
    """
    said = SEPARATOR_LINE.match(text)
    if said is not None:
        return said[1]
    if ending == ".tsv":
        return "\t"
    first = text.partition("\n")[0]
    return ";" if ";" in first and "," not in first else ","
