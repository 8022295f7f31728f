"""Opens a study's database where there is one.

Keeps a sample and a plan from being overwritten once people rely on them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from sampling.study.errors import StudyError
from sampling.study.folder import StudyFolder
from study_server.store.asking.sync import has_answers, holds_study
from study_server.store.schema.database import (
    URL_VARIABLE,
    database_url,
    open_engine,
    reading,
    taken_for_one,
)
from study_server.store.schema.migration import migrate


def is_there(study: StudyFolder) -> bool:
    """Tell whether the study has a database."""
    return bool(os.environ.get(URL_VARIABLE)) or study.database_file.is_file()


@contextmanager
def reading_existing(study: StudyFolder) -> Iterator[Session]:
    """Read from a study's database as `open_existing` opens it; a damaged one is refused."""
    engine = open_existing(study)
    with taken_for_one(engine), reading(engine) as session:
        yield session


def open_existing(study: StudyFolder) -> Engine:
    """Open and migrate the database of a study that was served or invited to.

    Within a command, its connections are closed when the command ends.

    Raises
    ------
    StudyError
        When there is none yet, or one without a study in it.
    """
    if not is_there(study):
        raise StudyError(
            f"{study.database_file.name}: not found in {study.root}; "
            "`lontar invite` or `lontar serve` makes it"
        )
    engine = open_engine(database_url(study.database_file))
    context = click.get_current_context(silent=True)
    if context is not None:
        context.call_on_close(engine.dispose)
    if not holds_study(engine):
        place = URL_VARIABLE if os.environ.get(URL_VARIABLE) else study.database_file.name
        raise StudyError(
            f"{place}: the database holds no study; `lontar invite` or `lontar serve` loads it"
        )
    migrate(engine)
    return engine


def refuse_when_begun(study: StudyFolder, what: str) -> None:
    """Raise a `StudyError` when the study is frozen or its database holds answers."""
    if study.freeze_file.exists():
        raise StudyError(
            f"{study.freeze_file.name}: the study is frozen, so its {what} stays as it is; "
            "start another study folder for another design"
        )
    if has_answers(study.database_file):
        raise StudyError(
            f"{study.database_file.name}: people have answered, so the {what} stays as it is; "
            "changes while it runs are made on the coordinator's pages"
        )


def overwrite_notice(path: Path) -> str | None:
    """Say that a file will be written over, if it is there."""
    return f"note: {path.parent.name}/{path.name} is written again" if path.exists() else None
