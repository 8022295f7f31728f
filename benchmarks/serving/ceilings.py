"""What this machine could do at best: a bare Flask view, with and without durable commits."""

from __future__ import annotations

import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from queue import SimpleQueue
from typing import Any

import psycopg
from flask import Flask, jsonify, request
from sqlalchemy import Engine, insert
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from study_server.serving import computing_threads, serve_application
from study_server.store.schema.database import open_engine, transaction

SECONDS = 2.0
TEXT = "an answer of the usual length, with its key"


class Base(DeclarativeBase):
    """The table of the ceilings."""


class RowTable(Base):
    """One row, about as large as an answer."""

    __tablename__ = "ceiling"

    id: Mapped[int] = mapped_column(primary_key=True)
    text: Mapped[str]


def bare(keep: Callable[[str], object] = len) -> Flask:
    """A view that gives a question and takes an answer as JSON, keeps it, and nothing else."""
    app = Flask("bare")

    @app.get("/question")
    def question() -> object:
        return jsonify(slot="a" * 22, question="Is there a drawing on the leaf?", key="b" * 22)

    @app.post("/question")
    def answer() -> object:
        keep(request.form["answer"])
        return jsonify(saved=True, key=request.form["key"])

    return app


def durable(address: str) -> Flask:
    """The bare view with one row committed an answer by the driver."""
    engine = open_engine(address)
    width = computing_threads(address)
    free: SimpleQueue[Any] = SimpleQueue()
    for _place in range(width):
        free.put(_connect(engine))

    def keep(text: str) -> None:
        connection = free.get()
        _insert(connection, text)
        free.put(connection)

    return bare(keep)


@contextmanager
def table_of_ceilings(address: str) -> Iterator[Engine]:
    """Have the table that the ceilings are measured with, for a while."""
    engine = open_engine(address)
    Base.metadata.create_all(engine)
    try:
        yield engine
    finally:
        Base.metadata.drop_all(engine)
        engine.dispose()


def commits_per_second(engine: Engine) -> dict[str, float]:
    """Measure durable single-row commits: by the driver, through SQLAlchemy Core and its ORM."""
    connection = _connect(engine)
    rates = {
        "driver": _rate(lambda: _insert(connection, TEXT)),
        "core": _rate(lambda: _core(engine)),
        "orm": _rate(lambda: _orm(engine)),
    }
    connection.close()
    return rates


def _connect(engine: Engine) -> Any:
    """Connect by the driver alone, each statement a transaction that outlives a power cut."""
    if engine.dialect.name == "sqlite":
        file = str(engine.url.database)
        connection = sqlite3.connect(file, 30.0, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        return connection
    url = engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
    return psycopg.connect(url, autocommit=True)


def _insert(connection: Any, text: str) -> None:
    mark = "?" if isinstance(connection, sqlite3.Connection) else "%s"
    connection.execute(f"INSERT INTO ceiling (text) VALUES ({mark})", (text,)).close()


def _core(engine: Engine) -> None:
    with transaction(engine) as session:
        session.connection().execute(insert(RowTable.__table__), {"text": TEXT})


def _orm(engine: Engine) -> None:
    with transaction(engine) as session:
        session.add(RowTable(text=TEXT))


def _rate(once: object) -> float:
    if not callable(once):
        raise TypeError("once must be a function")
    done, before = 0, time.perf_counter()
    while time.perf_counter() - before < SECONDS:
        once()
        done += 1
    return done / (time.perf_counter() - before)


def main() -> None:
    """Serve a view with the settings of the real server: HOST PORT WORKERS [DATABASE]."""
    host, port, workers, *address = sys.argv[1:]
    make = partial(durable, address[0]) if address else bare
    threads = computing_threads(address[0]) if address else 1
    serve_application(make, host, int(port), int(workers), threads)


if __name__ == "__main__":
    main()
