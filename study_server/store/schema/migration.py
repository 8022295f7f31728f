"""Brings a database to this version's schema, and refuses one from a newer version."""

from __future__ import annotations

import os
from importlib import resources
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import OperationalError

from sampling.study.errors import StudyError
from study_server.store.schema.database import BEGINS, WRITE, taken_for_one

ADVISORY_LOCK = 0x6C6F6E746172


def migrate(engine: Engine) -> None:
    """Apply every missing step in one transaction: all of them or, when interrupted, none.

    Several servers may start at once: the first one migrates, the others wait and find it done.

    Raises
    ------
    StudyError
        When the database was written by a newer version, cannot be opened, or is damaged.
    """
    try:
        with taken_for_one(engine):
            _migrate(engine)
    except (OperationalError, OSError) as error:
        place = engine.url.render_as_string(hide_password=True)
        cause = error.orig if isinstance(error, OperationalError) else error
        raise StudyError(
            f"{place}: the database cannot be opened for writing ({cause}); "
            "check that it is running, that its folder may be written to and that disk is left"
        ) from error


def _migrate(engine: Engine) -> None:
    if engine.dialect.name == "sqlite":
        _make_private(Path(str(engine.url.database)))
        writing = engine.execution_options(**{BEGINS: WRITE})
        with writing.begin() as connection:
            _upgrade(connection)
    else:
        with engine.begin() as connection:
            connection.execute(text(f"SELECT pg_advisory_xact_lock({ADVISORY_LOCK})"))
            _upgrade(connection)


def _make_private(file: Path) -> None:
    """Make a database's file, where there is none, for its owner only; SQLite keeps that."""
    if not file.exists():
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))


def _upgrade(connection: Connection) -> None:
    """Run the steps between the database's revision and the newest one."""
    config = Config()
    folder = str(resources.files("study_server.store") / "migrations")
    config.set_main_option("script_location", folder.replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    known = {step.revision for step in ScriptDirectory.from_config(config).walk_revisions()}
    current = MigrationContext.configure(connection).get_current_revision()
    if current is not None and current not in known:
        raise StudyError(
            f"the study's database has the schema {current!r}, which this version of Lontar does "
            "not know: it was written by a newer version; install that one, "
            "or restore a backup made before the upgrade"
        )
    command.upgrade(config, "head")
