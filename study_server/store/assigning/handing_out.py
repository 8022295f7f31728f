"""Open mode: which free slot somebody may take without stranding the rest of the study."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from sampling.assignment.open_mode import choose_next, preferred_order
from sampling.study.definition import AssignmentTable
from study_server.store.assigning.active_questions import active_questions
from study_server.store.assigning.run_state import GONE, load_run_state
from study_server.store.schema.moments import Database
from study_server.store.schema.tables import (
    ParticipantTable,
    QuestionTable,
    SlotTable,
    StudyTable,
)


@dataclass(frozen=True)
class FreeSlot:
    """A slot that nobody holds."""

    question_id: int
    response_index: int


def choose_slot(session: Database, pseudonym: str) -> FreeSlot | None:
    """Choose a participant's next slot, or None when whatever they took would cost an answer.

    Leases that are out count as given. Call it in the transaction that takes the slot, with
    `lock_handing_out` before.
    """
    state = load_run_state(session)
    room = {
        person.pseudonym: max(person.limit - person.answered - person.held, 0)
        for person in state.people
        if person.state not in GONE | {"paused"}
    }
    if not state.free or not room.get(pseudonym):
        return None
    settings = session.scalars(select(StudyTable.settings)).one()
    questions = {one.sample_id: one for one in active_questions(session)}
    chosen = choose_next(
        pseudonym,
        state.free,
        room,
        state.barred | _held(session),
        preferred_order(
            [question for name, question in questions.items() if name in state.free],
            [questions[name] for name in _theirs(session, pseudonym) if name in questions],
            AssignmentTable.model_validate(settings["assignment"]),
            str(settings.get("order_seed", "")),
            pseudonym,
        ),
    )
    return None if chosen is None else _free_slot(session, chosen)


def lock_handing_out(session: Session) -> None:
    """Let one person at a time choose: what is safe for each need not be safe for two."""
    session.execute(select(StudyTable.id).with_for_update())


def _held(session: Database) -> frozenset[tuple[str, str]]:
    """List who holds which slot, answered or not."""
    rows = session.execute(
        select(ParticipantTable.pseudonym, QuestionTable.sample_id)
        .join(SlotTable, SlotTable.participant_id == ParticipantTable.id)
        .join(QuestionTable, QuestionTable.id == SlotTable.question_id)
    )
    return frozenset((row.pseudonym, row.sample_id) for row in rows)


def _theirs(session: Database, pseudonym: str) -> list[str]:
    """List what a person holds or has answered, in that order."""
    query = (
        select(QuestionTable.sample_id)
        .join(SlotTable, SlotTable.question_id == QuestionTable.id)
        .join(ParticipantTable, ParticipantTable.id == SlotTable.participant_id)
        .where(ParticipantTable.pseudonym == pseudonym)
        .order_by(SlotTable.position)
    )
    return list(session.scalars(query))


def _free_slot(session: Database, sample_id: str) -> FreeSlot | None:
    row = session.execute(
        select(SlotTable.question_id, SlotTable.response_index)
        .join(QuestionTable, QuestionTable.id == SlotTable.question_id)
        .where(QuestionTable.sample_id == sample_id, SlotTable.participant_id.is_(None))
        .order_by(SlotTable.response_index)
        .limit(1)
    ).first()
    return None if row is None else FreeSlot(row.question_id, row.response_index)
