"""`lontar verify`: an event that was edited or cut off in the database is found."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import insert

from sampling.record.event_log import event_line
from sampling.record.verdicts import State
from sampling.study.folder import StudyFolder, open_study
from study_server.folder.verification import verify_log
from study_server.store.schema.database import open_engine, reading, transaction
from study_server.store.schema.events import append_event, read_log
from study_server.store.schema.migration import migrate
from study_server.store.schema.tables import StudyTable

STUDY = """
[study]
name = "Leaves"
seed = "s"
[benchmark]
questions = "q.jsonl"
vocabularies = "v.json"
[sample]
strata = ["category"]
per_stratum = 1
"""


@pytest.fixture
def study(tmp_path: Path) -> StudyFolder:
    (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")
    found = open_study(tmp_path)
    engine = open_engine(f"sqlite:///{found.database_file}")
    migrate(engine)
    loaded = {"id": 1, "public_id": "s", "name": "Leaves", "state": "open", "settings": {}}
    with transaction(engine) as session:
        session.execute(
            insert(StudyTable).values(
                **loaded,
                responses_per_question=1,
                digests={},
                created_at=datetime(2026, 3, 1, tzinfo=UTC),
            )
        )
        for number in range(3):
            at = datetime(2026, 3, 1, 12, number, tzinfo=UTC)
            append_event(session, at, "coordinator:maria", "study.paused", "study", "noon")
    engine.dispose()
    return found


def export(study: StudyFolder) -> None:
    with reading(open_engine(f"sqlite:///{study.database_file}")) as session:
        lines = "".join(event_line(event) + "\n" for event in read_log(session))
    path = study.responses_file.with_name("events.jsonl")
    path.parent.mkdir(exist_ok=True)
    path.write_text(lines, encoding="utf-8")


def edit(study: StudyFolder, statement: str) -> None:
    database = sqlite3.connect(study.database_file)
    database.execute("DROP TRIGGER event_no_update")
    database.execute("DROP TRIGGER event_no_delete")
    database.execute(statement)
    database.commit()
    database.close()


def test_an_untouched_log_holds_with_and_without_an_export(study: StudyFolder) -> None:
    assert verify_log(study).state is State.HOLDS
    export(study)
    assert verify_log(study).state is State.HOLDS


def test_an_edited_event_differs(study: StudyFolder) -> None:
    edit(study, "UPDATE event SET reason = 'well' WHERE seq = 2")
    found = verify_log(study)
    assert found.state is State.DIFFERS
    assert "database: event 2: was changed after it was written" in found.differences


def test_a_log_cut_off_at_its_end_is_found_by_the_export(study: StudyFolder) -> None:
    export(study)
    edit(study, "DELETE FROM event WHERE seq = 3")
    assert verify_log(study).differences == (
        "database: event 3: was in the earlier export and is gone",
    )


def test_without_any_log_it_is_absent(study: StudyFolder) -> None:
    study.database_file.unlink()
    assert verify_log(study).state is State.ABSENT
