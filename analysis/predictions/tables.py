"""Reading tables of answers: JSON lines, JSON lists, CSV, TSV and Excel, cells kept as they are.

Reading Parquet tables of answers, plain or as lighteval writes them.
"""

from __future__ import annotations

import importlib
import json
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sampling.study.errors import Problems, StudyError
from sampling.tables.json_lines import json_fault
from sampling.tables.row_files import read_rows, read_text

# The extra `formats` is optional.
openpyxl: Any = importlib.import_module("openpyxl") if find_spec("openpyxl") else None

Record = tuple[str, Mapping[str, Any]]


def read_rows_with_places(path: Path, problems: Problems | None = None) -> list[Record]:
    """Read JSON lines, CSV or TSV; cells of a table stay text, `None` and `NA` included.

    Broken lines are noted in `problems` where they are given, and left out.

    Raises
    ------
    StudyError
        With every broken line.
    """
    noted = Problems() if problems is None else problems
    records: list[Record] = list(read_rows(path, noted).places())
    if problems is None:
        noted.raise_if_any()
    return records


def read_json(path: Path) -> Any:
    """Read one JSON file; JSON lines under that name are a list."""
    try:
        return json.loads(read_text(path))
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            return [record for _, record in read_rows_with_places(path)]
        raise StudyError(f"{path.name} line {error.lineno}: {json_fault(error)}") from None
    except (ValueError, RecursionError) as error:
        raise StudyError(f"{path.name}: not valid JSON: {error}") from None


def read_answers_by_id(path: Path) -> dict[str, Any]:
    """Read a JSON object of answers by id.

    Raises
    ------
    StudyError
        With every id that stands twice.
    """
    outermost: list[tuple[str, Any]] = []

    def keep(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        outermost[:] = pairs  # the outer object is the last to be read
        return dict(pairs)

    answers: dict[str, Any] = json.loads(read_text(path), object_pairs_hook=keep)
    problems = Problems()
    for name, count in Counter(name for name, _ in outermost).items():
        if count > 1:
            problems.add(path.name, f"{name!r} is answered twice; keep one", "repeated answers")
    problems.raise_if_any()
    return answers


def records_of_list(items: list[Any], name: str) -> list[Record]:
    """Give the objects of a JSON list as records; anything else in it is named."""
    problems = Problems()
    for number, item in enumerate(items, start=1):
        if not isinstance(item, dict):
            problems.add(f"{name} item {number}", "not a JSON object")
    problems.raise_if_any()
    return [(f"{name} item {number}", item) for number, item in enumerate(items, start=1)]


def records_of_columns(columns: Mapping[str, Any], name: str) -> list[Record]:
    """Give a table stored by column (`{"index": {"0": ...}, ...}`) as records."""
    lists = {
        field: list(values.values()) if isinstance(values, dict) else list(values)
        for field, values in columns.items()
    }
    if len({len(values) for values in lists.values()}) > 1:
        raise StudyError(f"{name}: its columns are of different lengths")
    rows = zip(*lists.values(), strict=True)
    return [
        (f"{name} item {number}", dict(zip(lists, row, strict=True)))
        for number, row in enumerate(rows, start=1)
    ]


def read_excel(path: Path) -> list[Record]:
    """Read the first sheet of a workbook; a cell that begins with `=` is text, not a formula."""
    if openpyxl is None:
        raise StudyError(
            f"{path.name}: reading Excel needs openpyxl; "
            "run `pip install 'lontar[formats]'` or save the table as CSV"
        )
    try:
        workbook = openpyxl.load_workbook(path, read_only=True, data_only=False)
    except (zipfile.BadZipFile, KeyError):
        raise StudyError(f"{path.name}: not an Excel workbook; save it again as xlsx") from None
    rows = workbook.worksheets[0].iter_rows(values_only=True)
    header = [None if cell is None else str(cell).strip() for cell in next(rows, ())]
    records: list[Record] = [
        (f"{path.name} row {number}", _named_cells(header, row))
        for number, row in enumerate(rows, start=2)
        if any(cell is not None for cell in row)
    ]
    workbook.close()
    return records


def _named_cells(header: Sequence[str | None], row: Sequence[Any]) -> dict[str, Any]:
    """Give a row's cells by the names above them; a column without a name is left out."""
    return {name: cell for name, cell in zip(header, row, strict=False) if name}


# The extra `formats` is optional.
INSTALLED = find_spec("pyarrow") is not None
pa: Any = importlib.import_module("pyarrow") if INSTALLED else None
pq: Any = importlib.import_module("pyarrow.parquet") if INSTALLED else None

DETAILS = frozenset({"doc", "model_response"})


def read_parquet(path: Path) -> list[Record]:
    """Read a Parquet file as records; pictures in it are left unread."""
    _require(path)
    schema = _schema(path)
    columns = [name for name in schema.names if not _holds_bytes(schema.field(name).type)]
    table = pq.read_table(path, columns=columns)
    return [
        (f"{path.name} row {number}", record)
        for number, record in enumerate(table.to_pylist(), start=1)
    ]


def is_lighteval(path: Path) -> bool:
    """Tell whether a Parquet file has the columns of a lighteval details file."""
    _require(path)
    return set(_schema(path).names) >= DETAILS


def _schema(path: Path) -> Any:
    try:
        return pq.read_schema(path)
    except pa.ArrowInvalid as error:
        raise StudyError(f"{path.name}: not a Parquet file: {error}") from None


def _require(path: Path) -> None:
    if not INSTALLED:
        raise StudyError(
            f"{path.name}: reading Parquet needs pyarrow; "
            "run `pip install 'lontar[formats]'` or save the table as JSON lines"
        )


def _holds_bytes(kind: Any) -> bool:
    """Tell whether a column is, or has inside it, binary data."""
    if pa.types.is_struct(kind):
        return any(_holds_bytes(kind.field(index).type) for index in range(kind.num_fields))
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return _holds_bytes(kind.value_type)
    return bool(pa.types.is_binary(kind) or pa.types.is_large_binary(kind))
