"""Migrations: all steps or none, also when the process is killed; a newer database is refused."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import DateTime, Engine, bindparam, inspect, text
from sqlalchemy.exc import DBAPIError

from sampling.study.errors import StudyError
from study_server.store.schema import migration
from study_server.store.schema.database import open_engine
from study_server.store.schema.migration import migrate

KILLED_BEFORE_COMMIT = """
import os, signal, sys
from sqlalchemy import event
from study_server.store.schema.database import open_engine
from study_server.store.schema.migration import migrate
engine = open_engine(sys.argv[1])
@event.listens_for(engine, "commit")
def kill(connection):
    os.kill(os.getpid(), signal.SIGKILL)
migrate(engine)
"""


@pytest.fixture
def engine(kind_of_database: str, request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    """An empty database of each kind."""
    url = f"sqlite:///{tmp_path / 'study.db'}"
    if kind_of_database == "postgres":
        url = request.getfixturevalue("new_postgres_url")()
    engine = open_engine(url)
    yield engine
    engine.dispose()


def tables(engine: Engine) -> list[str]:
    return sorted(set(inspect(engine).get_table_names()) - {"alembic_version"})


def test_a_step_that_fails_leaves_none_of_the_steps_before_it(engine: Engine) -> None:
    upgrade = migration.command.upgrade

    def fail_at_the_end(*arguments: Any, **options: Any) -> None:
        upgrade(*arguments, **options)
        raise KeyboardInterrupt

    with (
        patch.object(migration.command, "upgrade", fail_at_the_end),
        pytest.raises(KeyboardInterrupt),
    ):
        migrate(engine)
    assert tables(engine) == []
    migrate(engine)
    assert "answer" in tables(engine)


def test_a_process_killed_before_the_commit_leaves_nothing_behind(engine: Engine) -> None:
    url = engine.url.render_as_string(hide_password=False)
    done = subprocess.run([sys.executable, "-c", KILLED_BEFORE_COMMIT, url], check=False)
    assert done.returncode == -signal.SIGKILL
    assert tables(engine) == []
    migrate(engine)
    assert "answer" in tables(engine)


def test_two_servers_that_start_at_once_migrate_once(engine: Engine) -> None:
    url = engine.url.render_as_string(hide_password=False)
    program = (
        "import sys; from study_server.store.schema.database import open_engine; "
        "from study_server.store.schema.migration import migrate; migrate(open_engine(sys.argv[1]))"
    )
    both = [subprocess.Popen([sys.executable, "-c", program, url]) for _each in range(2)]
    assert [one.wait(60) for one in both] == [0, 0]
    assert "answer" in tables(engine)


def test_a_database_from_a_newer_version_is_refused_with_advice_and_left_alone(
    engine: Engine, write_revision: Callable[[Engine, str], None]
) -> None:
    migrate(engine)
    before = tables(engine)
    write_revision(engine, "9999")
    with pytest.raises(StudyError, match=r"'9999'.*newer version; install that one, or restore"):
        migrate(engine)
    assert tables(engine) == before
    with engine.connect() as connection:
        assert connection.scalar(text("SELECT version_num FROM alembic_version")) == "9999"


@pytest.fixture
def write_revision() -> Callable[[Engine, str], None]:
    """A function that says of a database that another version wrote it."""

    def write(engine: Engine, revision: str) -> None:
        with engine.begin() as connection:
            connection.execute(text("UPDATE alembic_version SET version_num = :r"), {"r": revision})

    return write


def at_revision(engine: Engine, revision: str) -> None:
    """Bring an empty database to an older schema."""
    config = Config()
    folder = str(resources.files("study_server.store") / "migrations")
    config.set_main_option("script_location", folder)
    config.set_main_option("path_separator", "os")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


def test_a_database_of_0_1_0_gains_where_practice_ends_and_loses_nothing(engine: Engine) -> None:
    at_revision(engine, "0003")
    assert "practice_ended_at" not in {
        one["name"] for one in inspect(engine).get_columns("participant")
    }
    person = {"id": 1, "name": "P01", "at": datetime(2026, 3, 1, 12, tzinfo=UTC)}
    with engine.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO participant (id, pseudonym, folded_pseudonym, state, preview, "
                "preview_position, session_reached, assigned_count, answered_count, "
                "completion_code, created_at, practice_passed_at) VALUES "
                "(:id, :name, :name, 'active', false, 0, 1, 6, 6, 'AB2CD3EF4G', :at, :at)"
            ).bindparams(bindparam("at", type_=DateTime(timezone=True))),
            person,
        )
        connection.execute(
            text(
                "INSERT INTO event VALUES (1, :at, 'a', 'participant.started', 's', '', '{}', "
                "'0', '1')"
            ).bindparams(bindparam("at", type_=DateTime(timezone=True))),
            {"at": person["at"]},
        )
        before = connection.execute(text("SELECT * FROM participant")).mappings().one()
    migrate(engine)
    migrate(engine)
    with engine.begin() as connection:
        after = connection.execute(text("SELECT * FROM participant")).mappings().one()
        assert dict(after) == dict(before) | {"practice_ended_at": None}
        assert connection.scalar(text("SELECT count(*) FROM event")) == 1
    with pytest.raises(DBAPIError, match="append only"), engine.begin() as connection:
        connection.execute(text("DELETE FROM event"))
