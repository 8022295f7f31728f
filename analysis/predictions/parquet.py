"""Reading Parquet tables of answers, plain or as lighteval writes them."""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from analysis.predictions.tables import Record
from sampling.study.errors import StudyError

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
