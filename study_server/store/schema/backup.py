"""Consistent copies of a running study's database, and leaving nothing in its files."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from sqlalchemy import Engine, create_engine, func, insert, select, text

from sampling.study.errors import StudyError
from study_server.store.schema.database import open_engine, reading
from study_server.store.schema.migration import migrate
from study_server.store.schema.tables import Base

ROWS_AT_ONCE = 5_000


def backup(engine: Engine, file: Path, force: bool = False) -> int:
    """Write one consistent copy as a SQLite file and give the number of rows in it.

    It is checked, and only then gets its name; the study goes on meanwhile.

    Raises
    ------
    StudyError
        When the file exists already, cannot be written, or the copy is not sound.
    """
    if file.exists() and not force:
        raise StudyError(f"{file}: exists; choose another name or add --force")
    draft = file.with_name(f".{file.name}.draft")
    try:
        draft.unlink(missing_ok=True)
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        if engine.dialect.name == "sqlite":
            _copy_sqlite(Path(engine.url.database or ""), draft)
        else:
            _copy_rows(engine, draft)
        rows = _checked(draft)
        draft.replace(file)
    except (OSError, sqlite3.Error) as error:
        raise StudyError(f"{file}: the copy could not be written ({error})") from None
    finally:
        for leftover in ("", "-wal", "-shm"):
            Path(f"{draft}{leftover}").unlink(missing_ok=True)
    return rows


def compact(engine: Engine) -> None:
    """Leave nothing of what was deleted in the database's files."""
    if engine.dialect.name == "sqlite":
        with engine.connect() as connection:
            raw = connection.connection.driver_connection
            assert raw is not None  # noqa: S101 - it was just opened
            raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            raw.execute("VACUUM")
            raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    else:
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("VACUUM FULL"))


def _copy_sqlite(source: Path, target: Path) -> None:
    """Copy page by page with SQLite's own backup, then keep everything in one file."""
    with sqlite3.connect(source, timeout=30) as opened, sqlite3.connect(target) as copy:
        opened.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")
    opened.close()
    copy.close()


def _copy_rows(engine: Engine, target: Path) -> None:
    """Copy another database's rows, from one snapshot, into a SQLite file of the same schema."""
    copy = open_engine(f"sqlite:///{target}")
    migrate(copy)
    with reading(engine) as session, copy.begin() as connection:
        for table in Base.metadata.sorted_tables:
            rows = session.execute(
                select(table).execution_options(stream_results=True, yield_per=ROWS_AT_ONCE)
            )
            for part in rows.mappings().partitions():
                connection.execute(insert(table), [dict(row) for row in part])
    copy.dispose()
    plain = sqlite3.connect(target)
    plain.execute("PRAGMA journal_mode = DELETE")
    plain.close()


def _checked(file: Path) -> int:
    """Check a copy and count its rows."""
    engine = create_engine(f"sqlite:///{file}")
    try:
        with engine.connect() as connection:
            found = connection.execute(text("PRAGMA integrity_check")).scalar()
            broken = connection.execute(text("PRAGMA foreign_key_check")).first()
            if found != "ok" or broken is not None:
                raise StudyError(f"{file.name}: the copy is not sound ({found}); try again")
            counts = [select(func.count()).select_from(one) for one in Base.metadata.sorted_tables]
            return sum(connection.execute(count).scalar_one() for count in counts)
    finally:
        engine.dispose()
