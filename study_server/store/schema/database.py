"""Opens the database and its transactions: SQLite beside the study, or PostgreSQL."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine, create_engine, event, exc, make_url, text
from sqlalchemy.exc import ArgumentError, DatabaseError, DBAPIError, OperationalError
from sqlalchemy.orm import Session

from sampling.study.errors import StudyError

URL_VARIABLE = "LONTAR_DATABASE_URL"
BUSY_SECONDS = 30
# Room for the log of a few transactions (SQLite) before none can be written.
LEAST_FREE_BYTES = 1_000_000
POSTGRES_DISK_FULL, POSTGRES_READ_ONLY = "53100", "25006"
SQLITE_REFUSALS = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR}
DISK_FULL, NO_WRITES = "disk full", "the database takes no writes"
# A write that was refused counts so long, unless one succeeds: who waits for `/healthz` to be well
# before sending anybody would wait for ever otherwise.
REFUSED_SECONDS = 60.0
_refused: WeakKeyDictionary[Engine, tuple[float, str]] = WeakKeyDictionary()
# What is raised when no connection has become free for half a minute.
NoConnectionError = exc.TimeoutError
# How a SQLite connection begins: a snapshot to read from; each statement by itself; the write lock
# and a commit that outlives a power cut.
BEGINS = "lontar_begins"
SNAPSHOT, GLANCE, WRITE = "snapshot", "glance", "write"
# A PostgreSQL that is cut off is noticed within so many seconds (milliseconds for the third).
PATIENCE = {"connect_timeout": 5, "keepalives_idle": 15, "tcp_user_timeout": 15_000}
# What `glancing` gives: a connection without a transaction.
Glance: TypeAlias = Connection
SESSION: dict[str, Any] = {"autoflush": False, "expire_on_commit": False}


def database_url(database_file: Path) -> str:
    """Give the address of a study's database: `LONTAR_DATABASE_URL`, or its SQLite file."""
    return os.environ.get(URL_VARIABLE) or f"sqlite:///{database_file.absolute()}"


def open_engine(url: str, pool_size: int = 8) -> Engine:
    """Open a database by its address; nothing is created until migrations run.

    Raises
    ------
    StudyError
        When the address is none that a study can be kept in.
    """
    try:
        address = make_url(url)
    except ArgumentError:
        raise StudyError(
            f"{URL_VARIABLE}: not a database address; "
            "it looks like postgresql://user:password@host/database"
        ) from None
    backend = address.get_backend_name()
    if backend == "sqlite":
        # Connections are files here: there are enough for every thread of a worker.
        engine = create_engine(
            address, pool_size=pool_size, max_overflow=7 * pool_size, hide_parameters=True
        )
        _set_up_sqlite(engine)
        return engine
    if backend in {"postgresql", "postgres"}:
        engine = create_engine(
            address.set(drivername="postgresql+psycopg"),
            pool_size=pool_size,
            max_overflow=pool_size,
            pool_recycle=1800,
            hide_parameters=True,
            connect_args={**PATIENCE, **address.query},
        )
        _set_up_postgres(engine)
        return engine
    raise StudyError(f"{URL_VARIABLE}: {backend!r} is not supported; use PostgreSQL or SQLite")


@contextmanager
def transaction(engine: Engine) -> Iterator[Session]:
    """Open a short write transaction: committed at the end, rolled back on any error.

    On SQLite it takes the write lock at once. What was committed outlives a power cut.
    """
    with (
        _connected(engine) as connection,
        Session(connection, **SESSION) as session,
        session.begin(),
    ):
        session.connection()
        yield session


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """Open a write transaction like `transaction`, for plain statements only: it costs less."""
    with _connected(engine) as connection, connection.begin():
        yield connection


@contextmanager
def noting(connection: Glance) -> Iterator[None]:
    """Note something small at a glance, such as a first look at a question.

    It outlives the end of the process like any other, but on SQLite nobody waits for the disk: a
    power cut may take it back.
    """
    if connection.dialect.name == "sqlite":
        raw: Any = connection.connection.driver_connection
        raw.execute("PRAGMA synchronous = NORMAL")
    yield


@contextmanager
def reading(engine: Engine) -> Iterator[Session]:
    """Open a transaction that only reads, from one snapshot, and never waits for a writer."""
    with Session(engine, **SESSION) as session:
        if engine.dialect.name == "postgresql":
            session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
        yield session


@contextmanager
def glancing(engine: Engine) -> Iterator[Glance]:
    """Open a connection for a page's few reads, each of which sees what is committed by then."""
    postgres = engine.dialect.name == "postgresql"
    options = {"isolation_level": "AUTOCOMMIT"} if postgres else {BEGINS: GLANCE}
    with engine.connect() as connection:
        yield connection.execution_options(**options)


def ask(engine: Engine) -> None:
    """Ask the database for nothing, to see that it answers."""
    with glancing(engine) as connection:
        connection.execute(text("SELECT 1"))


def is_disk_full(error: BaseException | None) -> bool:
    """Tell whether a database failed because its disk, or its quota, is full.

    >>> is_disk_full(OSError(errno.ENOSPC, "No space left on device")), is_disk_full(OSError())
    (True, False)
    """
    if isinstance(error, OSError):
        return error.errno in {errno.ENOSPC, errno.EDQUOT}
    if isinstance(error, sqlite3.Error):
        return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
    return getattr(error, "sqlstate", None) == POSTGRES_DISK_FULL


def _takes_no_writes(error: BaseException | None) -> bool:
    """Tell whether a database failed because it can write nothing, whatever is written."""
    if isinstance(error, sqlite3.Error):
        return getattr(error, "sqlite_errorcode", 0) & 0xFF in SQLITE_REFUSALS
    return getattr(error, "sqlstate", None) in {POSTGRES_DISK_FULL, POSTGRES_READ_ONLY}


def why_nothing_is_stored(engine: Engine) -> str:
    """Return why no answer can be stored (`disk full`, say), or nothing where one can.

    Some reasons show only when something is written (a quota, a disk that fails): what was refused
    to this process less than a minute ago, and not followed by a success, counts.
    """
    if lacks_space(engine):
        return DISK_FULL
    refused_at, reason = _refused.get(engine, (-REFUSED_SECONDS, ""))
    if reason and time.monotonic() - refused_at < REFUSED_SECONDS:
        return reason
    if engine.dialect.name == "sqlite":
        file = Path(str(engine.url.database)).absolute()
        return "" if all(os.access(one, os.W_OK) for one in (file, file.parent)) else NO_WRITES
    return ""


def lacks_space(engine: Engine) -> bool:
    """Tell whether nothing more can be stored, as far as it is seen from here.

    SQLite: the file system that holds the file has less than a few transactions' room. PostgreSQL
    on another machine is seen only when it takes no writes (a host makes it read-only when full).
    """
    if engine.dialect.name == "sqlite":
        folder = Path(str(engine.url.database)).absolute().parent
        return shutil.disk_usage(folder).free < LEAST_FREE_BYTES
    with glancing(engine) as connection:
        return bool(connection.scalar(text("SHOW transaction_read_only")) == "on")


@contextmanager
def taken_for_one(engine: Engine) -> Iterator[None]:
    """Look into a file from the command line: refuse one that is no database, or is damaged."""
    try:
        yield
    except DatabaseError as error:
        if type(error) is not DatabaseError:
            raise
        raise StudyError(
            f"{engine.url.database}: is no database, or a damaged one ({error.orig}); "
            "put a backup in its place"
        ) from error


@contextmanager
def _connected(engine: Engine) -> Iterator[Connection]:
    """Hold a connection whose transactions write, and keep in mind when that is refused."""
    try:
        with engine.connect() as connection:
            yield connection.execution_options(**{BEGINS: WRITE})
    except DBAPIError as error:
        if _takes_no_writes(error.orig):
            reason = DISK_FULL if is_disk_full(error.orig) else NO_WRITES
            _refused[engine] = (time.monotonic(), reason)
        raise
    _refused.pop(engine, None)


def _set_up_postgres(engine: Engine) -> None:
    """Let no host that died in the middle of a transaction hold its locks for long."""

    @event.listens_for(engine, "connect")
    def connect(connection: Any, _record: Any) -> None:
        connection.execute("SET idle_in_transaction_session_timeout = '60s'")
        connection.commit()


def _set_up_sqlite(engine: Engine) -> None:
    """Set what every SQLite connection needs, and begin transactions ourselves."""

    @event.listens_for(engine, "connect")
    def connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute("PRAGMA synchronous = FULL")
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.execute("PRAGMA secure_delete = ON")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        begins = connection.get_execution_options().get(BEGINS, SNAPSHOT)
        raw = connection.connection.driver_connection
        if raw is None or begins == GLANCE:
            return
        try:
            raw.execute("PRAGMA synchronous = FULL")
            raw.execute("BEGIN IMMEDIATE" if begins == WRITE else "BEGIN")
        except sqlite3.OperationalError as error:
            raise OperationalError("BEGIN", None, error, hide_parameters=True) from error
