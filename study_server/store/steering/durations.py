"""Lengths of time, worked out by the database itself."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Float
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement


class SecondsBetween(FunctionElement[float]):
    """The seconds from the first of two moments to the second."""

    type = Float()
    inherit_cache = True


@compiles(SecondsBetween, "sqlite")
def _sqlite(element: SecondsBetween, compiler: SQLCompiler, **options: Any) -> str:
    begin, end = (compiler.process(one, **options) for one in element.clauses)
    return f"(julianday({end}) - julianday({begin})) * 86400.0"


@compiles(SecondsBetween, "postgresql")
def _postgresql(element: SecondsBetween, compiler: SQLCompiler, **options: Any) -> str:
    begin, end = (compiler.process(one, **options) for one in element.clauses)
    return f"CAST(EXTRACT(EPOCH FROM {end} - {begin}) AS DOUBLE PRECISION)"
