"""Rows of a Croissant description: fields followed to columns of local files, nothing fetched.

Rows of Parquet files, read with pyarrow where it is installed.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sampling.study.errors import Problems, StudyError
from sampling.tables.row_files import RowTable, read_rows


def read_parquet(path: Path, name: str) -> RowTable:
    """Read a Parquet file's rows.

    Raises
    ------
    StudyError
        When pyarrow is not installed or the file is not Parquet.
    """
    try:
        parquet = importlib.import_module("pyarrow.parquet")
        arrow = importlib.import_module("pyarrow")
    except ModuleNotFoundError:
        raise StudyError(
            f"{name}: reading Parquet needs pyarrow: pip install 'lontar[formats]', "
            "or convert the file to JSONL"
        ) from None
    try:
        rows = parquet.read_table(path).to_pylist()
    except FileNotFoundError:
        raise StudyError(f"{name}: not found in {path.parent}") from None
    except arrow.ArrowException as error:
        raise StudyError(f"{name}: not a readable Parquet file: {error}") from None
    return RowTable(name, "row", tuple(enumerate(rows, 1)))


def is_croissant(text: str) -> bool:
    """Tell whether JSON text looks like a Croissant description."""
    return '"recordSet"' in text and "mlcommons.org/croissant" in text


def read_croissant(path: Path, description: Mapping[str, Any], problems: Problems) -> RowTable:
    """Read the largest record set whose fields are columns of one local file.

    Raises
    ------
    StudyError
        When no record set can be read from files beside the description.
    """
    files = {_id(node): node for node in description.get("distribution", [])}
    sets = sorted(
        (_columns(record_set) for record_set in description.get("recordSet", [])),
        key=lambda columns: -max(map(len, columns.values()), default=0),
    )
    if not sets or not sets[0]:
        raise StudyError(f"{path.name}: no record set whose fields are columns of a file")
    source, columns = max(sets[0].items(), key=lambda item: len(item[1]))
    table = _read_source(path, files, source, problems)
    rows = tuple(
        (number, {field: _pick(row, column) for field, column in columns.items()})
        for number, row in table.rows
    )
    return RowTable(table.name, table.unit, rows)


def _id(node: Any) -> str:
    return str(node.get("@id", "")) if isinstance(node, Mapping) else str(node)


def _columns(record_set: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """Map each source file to the fields it gives: our name to the file's column."""
    found: dict[str, dict[str, str]] = {}
    for field in record_set.get("field", []):
        source = field.get("source", {})
        extract = source.get("extract", {}) if isinstance(source, Mapping) else {}
        column = extract.get("column") or extract.get("jsonPath")
        if column:
            file = _id(source.get("fileObject") or source.get("fileSet") or {})
            name = str(field.get("name", column)).rpartition("/")[2]
            found.setdefault(file, {})[name] = str(column)
    return found


def _read_source(path: Path, files: Mapping[str, Any], source: str, problems: Problems) -> RowTable:
    """Read the one local file, or every file of a set, that a source names."""
    node = files.get(source, {})
    pattern = str(node.get("contentUrl") or node.get("includes") or source)
    local = [] if "://" in pattern else sorted(path.parent.glob(pattern))
    if not local:
        raise StudyError(
            f"{path.name}: its data {pattern!r} is not beside it; download it first, because "
            "only local files are read"
        )
    tables = [
        read_parquet(file, file.name)
        if file.suffix.lower() == ".parquet"
        else read_rows(file, problems)
        for file in local
    ]
    rows = tuple(row for table in tables for row in table.rows)
    return RowTable(tables[0].name, tables[0].unit, rows)


def _pick(row: Mapping[str, Any], column: str) -> Any:
    """Take a column, or follow a plain JSON path such as `$.meta.id` or `$[*].id`."""
    if column in row:
        return row[column]
    value: Any = row
    for part in column.removeprefix("$").replace("[*]", "").strip(".").split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value
