"""The event log in the database: chained, and the database itself refuses edits."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import DatabaseError

from sampling.record.event_log import check_chain
from study_server.store.schema.database import open_engine, reading, transaction
from study_server.store.schema.events import (
    append_event,
    last_event_number,
    latest_events,
    read_log,
)
from study_server.store.schema.migration import migrate

NOON = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    engine = open_engine(f"sqlite:///{tmp_path / 'study.db'}")
    migrate(engine)
    with transaction(engine) as session:
        for number in range(3):
            append_event(
                session,
                NOON,
                "coordinator:maria",
                "participant.paused",
                f"participant:P0{number}",
                "ill",
                {"slots": number},
            )
    return engine


def test_what_was_appended_is_an_intact_chain(engine: Engine) -> None:
    with reading(engine) as session:
        log = list(read_log(session))
        assert last_event_number(session) == 3
        assert [event.number for event in latest_events(session, 2)] == [3, 2]
    assert check_chain(log) == ()
    assert (log[0].at, log[2].subject) == ("2026-03-01T12:00:00.123456Z", "participant:P02")


@pytest.mark.parametrize(
    "statement", ["UPDATE event SET reason = 'none' WHERE seq = 2", "DELETE FROM event"]
)
def test_the_database_refuses_to_change_or_delete_events(engine: Engine, statement: str) -> None:
    with pytest.raises(DatabaseError, match="append only"), transaction(engine) as session:
        session.execute(text(statement))


def test_an_edit_that_goes_around_the_refusal_is_found(engine: Engine) -> None:
    with transaction(engine) as session:
        session.execute(text("DROP TRIGGER event_no_update"))
        session.execute(text("UPDATE event SET reason = 'well' WHERE seq = 2"))
    with reading(engine) as session:
        assert check_chain(read_log(session)) == ("event 2: was changed after it was written",)


@pytest.mark.postgres
def test_postgresql_refuses_too(new_postgres_url) -> None:  # type: ignore[no-untyped-def]
    engine = open_engine(new_postgres_url())
    migrate(engine)
    with transaction(engine) as session:
        append_event(session, NOON, "system", "study.opened", "study")
    with reading(engine) as session:
        assert check_chain(read_log(session)) == ()
    with pytest.raises(DatabaseError, match="append only"), transaction(engine) as session:
        session.execute(text("DELETE FROM event"))
    engine.dispose()
