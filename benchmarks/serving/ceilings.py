"""What this machine could do at best: a bare Flask view, and durable commits of one row."""

from __future__ import annotations

import sqlite3
import sys
import time

import psycopg
from flask import Flask, jsonify, request
from sqlalchemy import Engine, insert
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from study_server.serving import serve_application
from study_server.store.database import open_engine, transaction

SECONDS = 2.0
TEXT = "an answer of the usual length, with its key"


class Base(DeclarativeBase):
    """The table of the ceilings."""


class RowTable(Base):
    """One row, about as large as an answer."""

    __tablename__ = "ceiling"

    id: Mapped[int] = mapped_column(primary_key=True)
    text: Mapped[str]


def bare() -> Flask:
    """A view that gives a question and takes an answer as JSON, and does nothing else."""
    app = Flask("bare")

    @app.get("/question")
    def question() -> object:
        return jsonify(slot="a" * 22, question="Is there a drawing on the leaf?", key="b" * 22)

    @app.post("/question")
    def answer() -> object:
        return jsonify(saved=bool(request.form["answer"]), key=request.form["key"])

    return app


def commits_per_second(address: str) -> dict[str, float]:
    """Measure durable single-row commits: by the driver, through SQLAlchemy Core and its ORM."""
    engine = open_engine(address)
    Base.metadata.create_all(engine)
    try:
        return {
            "driver": _driver(engine),
            "core": _rate(lambda: _core(engine)),
            "orm": _rate(lambda: _orm(engine)),
        }
    finally:
        Base.metadata.drop_all(engine)
        engine.dispose()


def _driver(engine: Engine) -> float:
    if engine.dialect.name == "sqlite":
        file = str(engine.url.database)
        connection = sqlite3.connect(file, isolation_level=None)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        rate = _rate(
            lambda: connection.execute("INSERT INTO ceiling (text) VALUES (?)", (TEXT,)).close()
        )
        connection.close()
        return rate
    url = engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(url, autocommit=True) as postgres:
        return _rate(
            lambda: postgres.execute("INSERT INTO ceiling (text) VALUES (%s)", (TEXT,)).close()
        )


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
    """Serve the bare view with the settings of the real server: HOST PORT WORKERS."""
    host, port, workers = sys.argv[1:]
    serve_application(bare, host, int(port), int(workers))


if __name__ == "__main__":
    main()
