"""A backup and an export made while people answer: sound, and of a single moment."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from study_server.store.answering.answers import Submission, submit
from study_server.store.asking.participants import record_step
from study_server.store.assigning.slots import current_slot
from study_server.store.schema.backup import backup
from study_server.store.schema.database import open_engine, reading, transaction
from study_server.store.schema.tables import AnswerTable, ParticipantTable
from study_server.store.steering.exporting import participant_flow, read_responses

PEOPLE = 4
QUESTIONS = 24


@pytest.fixture
def study(small_study_anywhere: Callable[..., Any]) -> Any:
    """Four people, each with 24 questions to answer."""
    made = small_study_anywhere(people=PEOPLE, rounds=4)
    with transaction(made.engine) as session:
        for person in range(1, PEOPLE + 1):
            record_step(session, person, state="active")
    return made


@contextmanager
def everyone_answering(study: Any, noon: datetime) -> Iterator[Callable[[], bool]]:
    """Answer everything in a thread a person; gives a function that says whether any is left."""

    def answer(person: int) -> None:
        for number in range(QUESTIONS):
            with transaction(study.engine) as session:
                slot = current_slot(session, person)
                submit(session, person, Submission(slot.public_id, f"{person}-{number}", "x"), noon)

    threads = [threading.Thread(target=answer, args=(n,)) for n in range(1, PEOPLE + 1)]
    for thread in threads:
        thread.start()
    yield lambda: any(thread.is_alive() for thread in threads)
    for thread in threads:
        thread.join()


def answered(file: Path) -> int:
    """Count a copy's answers, which must be those that it counts for each person."""
    engine = open_engine(f"sqlite:///{file}")
    with reading(engine) as session:
        stored = Counter(session.scalars(select(AnswerTable.participant_id)))
        people = session.execute(select(ParticipantTable.id, ParticipantTable.answered_count))
        assert all(stored[person] == count for person, count in people)
    engine.dispose()
    return stored.total()


def test_every_copy_made_meanwhile_is_of_one_moment(
    study: Any, noon: datetime, tmp_path: Path
) -> None:
    copies = []
    with everyone_answering(study, noon) as busy:
        while busy():
            copies.append(tmp_path / f"{len(copies)}.db")
            backup(study.engine, copies[-1])
    backup(study.engine, tmp_path / "last.db")
    counts = [answered(copy) for copy in [*copies, tmp_path / "last.db"]]
    assert counts == sorted(counts)
    assert counts[-1] == PEOPLE * QUESTIONS


def test_every_export_made_meanwhile_is_of_one_moment(study: Any, noon: datetime) -> None:
    with everyone_answering(study, noon) as busy:
        while busy():
            with reading(study.engine) as session:
                rows = read_responses(session)
                flow = participant_flow(session)
            assert len({(row["participant"], row["sample_id"]) for row in rows}) == len(rows)
            assert flow["responses"]["answered"] == len(rows)
