"""Rows of Parquet files, read with pyarrow where it is installed."""

from __future__ import annotations

import importlib
from pathlib import Path

from sampling.study.errors import StudyError
from sampling.tables.row_files import RowTable


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
