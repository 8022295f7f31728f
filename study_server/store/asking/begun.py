"""Whether a collection has begun: a question that files alone cannot answer."""

from __future__ import annotations

import os
from pathlib import Path

from sqlalchemy import Engine, inspect, select

from study_server.store.asking.sync import holds_responses
from study_server.store.schema.database import (
    URL_VARIABLE,
    database_url,
    open_engine,
    reading,
    taken_for_one,
)
from study_server.store.schema.tables import AnswerTable, StudyTable


def holds_study(engine: Engine) -> bool:
    """Tell whether a study was ever loaded into a database, of whichever version its tables are."""
    with taken_for_one(engine):
        if not inspect(engine).has_table(StudyTable.__tablename__):
            return False
        with reading(engine) as session:
            return session.scalar(select(StudyTable.id)) is not None


def has_answers(database_file: Path) -> bool:
    """Tell whether a study's database exists and anybody has answered in it."""
    if not os.environ.get(URL_VARIABLE) and not database_file.exists():
        return False
    engine = open_engine(database_url(database_file))
    try:
        with taken_for_one(engine):
            if not inspect(engine).has_table(AnswerTable.__tablename__):
                return False
            with reading(engine) as session:
                return holds_responses(session)
    finally:
        engine.dispose()
