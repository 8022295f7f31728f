"""What every table shares: names of constraints, and moments in UTC on every database."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, ClassVar, cast

from sqlalchemy import (
    JSON,
    Connection,
    DateTime,
    Dialect,
    Table,
    TypeDecorator,
)
from sqlalchemy.orm import DeclarativeBase, Session

# What plain statements run on: a transaction's session, or a bare connection, which costs less.
Database = Session | Connection
NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


class UtcTime(TypeDecorator[datetime]):
    """A moment, aware and in UTC, on every database."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    """The tables of one study."""

    type_annotation_map: ClassVar[dict[Any, Any]] = {
        datetime: UtcTime,
        Any: JSON(none_as_null=True),
    }


Base.metadata.naming_convention = NAMES


def table(of: type[Base]) -> Table:
    """Give the plain table of a class, for statements that are built once and run often."""
    return cast(Table, of.__table__)
