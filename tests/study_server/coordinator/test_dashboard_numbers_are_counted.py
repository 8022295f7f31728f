"""The dashboard's numbers: equal to COUNT(*) over the tables, whatever happened before."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from statistics import median
from typing import Any

import pytest
from sqlalchemy import func, select

from study_server.coordinator.quality import answer_traces, medians_so_far
from study_server.store.answering.skips import report_problem, skip
from study_server.store.schema.database import reading, transaction
from study_server.store.schema.events import read_log
from study_server.store.schema.tables import AnswerTable, ParticipantTable, SlotTable
from study_server.store.steering.dashboard import (
    cell_counts,
    measured,
    participant_counts,
    version_key,
)
from study_server.store.steering.drill_down import find_question, list_questions, recent_notes
from study_server.store.steering.quality import given_answers

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_cells_and_people_add_up_to_the_answers(small: Any) -> None:
    small.answer("P1", 5)
    small.answer("P2", 9)
    small.answer("P3", 1)
    with reading(small.engine) as session:
        cells = cell_counts(session)
        people = participant_counts(session, small.decision().at - timedelta(days=1))
        count = session.scalar(select(func.count()).select_from(AnswerTable))
        assert count == 15
        assert sum(cell.answered * cell.questions for cell in cells) == 15
        assert sum(cell.questions for cell in cells) == 24
        assert {one.pseudonym: one.answered for one in people if one.answered} == {
            "P1": 5,
            "P2": 9,
            "P3": 1,
        }
        assert {one.assigned for one in people} == {9}
        assert measured(session).answers == 15


def test_the_version_changes_with_an_answer_and_with_a_problem(small: Any) -> None:
    with reading(small.engine) as session:
        first = version_key(session)
        assert version_key(session) == first
    small.answer("P1", 1)
    with reading(small.engine) as session:
        second = version_key(session)
    with transaction(small.engine) as session:
        person = session.scalars(
            select(ParticipantTable.id).where(ParticipantTable.pseudonym == "P2")
        ).one()
        slot = session.scalars(
            select(SlotTable.public_id)
            .where(SlotTable.participant_id == person)
            .order_by(SlotTable.position)
        ).first()
        decision = small.decision()
        assert report_problem(session, person, str(slot), "k1", "image", "torn", decision.at)
    with reading(small.engine) as session:
        third = version_key(session)
    assert len({first, second, third}) == 3


def test_medians_are_those_of_the_statistics_module(small: Any) -> None:
    small.answer("P1", 4)
    small.answer("P2", 5)
    with transaction(small.engine) as session:
        answers = session.scalars(select(AnswerTable).order_by(AnswerTable.question_id)).all()
        for number, answer in enumerate(answers):
            answer.active_seconds = float((7 * number) % 11)
    with reading(small.engine) as session:
        found = medians_so_far(answer_traces(given_answers(session), {}))
        for person, middle in found.items():
            times = session.scalars(
                select(AnswerTable.active_seconds).where(AnswerTable.participant_id == person)
            ).all()
            assert middle == median(float(one or 0) for one in times)
    assert len(found) == 2


def test_how_long_a_page_was_open_is_counted_by_the_database(small: Any) -> None:
    small.answer("P1", 1)
    with transaction(small.engine) as session:
        answer = session.scalars(select(AnswerTable)).one()
        answer.shown_at = NOON
        answer.submitted_at = NOON + timedelta(days=1, seconds=90.25)
    with reading(small.engine) as session:
        (one,) = given_answers(session)
    assert one.open_seconds == pytest.approx(24 * 3600 + 90.25, abs=0.001)
    assert (one.response, one.category) == ('"leaf"', "Material")


def test_a_cell_leads_to_its_questions_by_how_many_answers_they_have(small: Any) -> None:
    small.answer("P1", 3)
    with reading(small.engine) as session:
        assert len(list_questions(session, "A", "Material")) == 4
        once = list_questions(session, answered=1)
        assert len(once) == 3
        assert [one.answered for one in once] == [1, 1, 1]
        assert {holder.pseudonym for one in once for holder in one.holders} >= {"P1"}
        assert find_question(session, "nothing") is None
        assert [note.kind for note in recent_notes(session, 2)] == ["comment", "comment"]


def test_a_skip_is_an_event_without_the_words_of_it(small: Any) -> None:
    with transaction(small.engine) as session:
        person, slot = session.execute(
            select(ParticipantTable.id, SlotTable.public_id)
            .join(SlotTable, SlotTable.participant_id == ParticipantTable.id)
            .where(ParticipantTable.pseudonym == "P2")
            .order_by(SlotTable.position)
            .limit(1)
        ).one()
        for _ in range(2):  # the second is a repetition
            assert skip(session, person, slot, "k", "my own leaf, ask me", small.decision().at)
    with reading(small.engine) as session:
        skips = [event for event in read_log(session) if event.action == "question.skipped"]
    assert [(one.actor, one.reason) for one in skips] == [("participant:P2", "")]
    assert skips[0].subject.startswith("question:q")
