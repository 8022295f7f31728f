"""Skips and problems: a question left unanswered for a reason, its slot free for someone else."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import exists, insert, select
from sqlalchemy.orm import Session

from study_server.store.assigning.slots import release_slot
from study_server.store.schema.events import append_event
from study_server.store.schema.tables import (
    ExclusionTable,
    ParticipantTable,
    ProblemTable,
    QuestionTable,
    SetAsideTable,
    SlotTable,
    StudyTable,
)


def skip(
    session: Session,
    participant_id: int,
    slot: str,
    key: str,
    reason: str,
    at: datetime,
    barred_as: str = "skipped",
) -> bool:
    """Leave a question for a reason: it is never shown to this person again.

    Gives False when the slot is not this person's, or already answered, or the study is closed; a
    repeated key is a success that changes nothing.
    """
    held = _held_slot(session, participant_id, slot)
    if _is_repeated(session, participant_id, key):
        return True
    if held is None or _is_closed(session):
        return False
    question_id, response_index, shown_at = held
    session.execute(
        insert(SetAsideTable).values(
            status="skipped",
            reason=reason,
            question_id=question_id,
            participant_id=participant_id,
            submission_key=key,
            shown_at=shown_at,
            submitted_at=at,
            set_aside_at=at,
        )
    )
    release_slot(session, question_id, response_index, at)
    session.execute(
        insert(ExclusionTable).values(
            participant_id=participant_id, question_id=question_id, reason=barred_as
        )
    )
    if barred_as == "skipped":
        # What they wrote stays with the answers: the log holds nobody's words.
        _log(session, participant_id, question_id, "question.skipped", "", at)
    return True


def report_problem(
    session: Session,
    participant_id: int,
    slot: str,
    key: str,
    kind: str,
    description: str,
    at: datetime,
) -> bool:
    """Flag a question for the coordinator and free its slot; False where `skip` says so."""
    held = _held_slot(session, participant_id, slot)
    if _is_repeated(session, participant_id, key):
        return True
    if held is None or _is_closed(session):
        return False
    session.execute(
        insert(ProblemTable).values(
            question_id=held[0],
            participant_id=participant_id,
            kind=kind,
            description=description,
            state="open",
            reported_at=at,
        )
    )
    reason = f"problem reported: {kind}"
    skip(session, participant_id, slot, key, reason, at, barred_as="problem")
    _log(session, participant_id, held[0], "problem.reported", kind, at)
    return True


def _log(
    session: Session, participant_id: int, question_id: int, action: str, why: str, at: datetime
) -> None:
    """Tell the log what a participant did to a question."""
    actor = f"participant:{_pseudonym(session, participant_id)}"
    append_event(session, at, actor, action, _subject(session, question_id), why)


def _is_repeated(session: Session, participant_id: int, key: str) -> bool:
    """Tell whether this person has left a question with this key already."""
    known = exists().where(
        SetAsideTable.submission_key == key, SetAsideTable.participant_id == participant_id
    )
    return bool(session.scalar(select(known)))


def _is_closed(session: Session) -> bool:
    """Tell whether the study is closed; asked once the person is held."""
    return session.scalar(select(StudyTable.state).where(StudyTable.id == 1)) == "closed"


def _held_slot(
    session: Session, participant_id: int, slot: str
) -> tuple[int, int, datetime | None] | None:
    """Lock and give (question, response index, shown at) of a person's unanswered slot."""
    session.execute(
        select(ParticipantTable.id).where(ParticipantTable.id == participant_id).with_for_update()
    )
    row = session.execute(
        select(SlotTable.question_id, SlotTable.response_index, SlotTable.shown_at)
        .where(
            SlotTable.public_id == slot,
            SlotTable.participant_id == participant_id,
            SlotTable.answered_at.is_(None),
        )
        .with_for_update()
    ).first()
    return None if row is None else (row.question_id, row.response_index, row.shown_at)


def _pseudonym(session: Session, participant_id: int) -> str:
    """Give a participant's pseudonym."""
    query = select(ParticipantTable.pseudonym).where(ParticipantTable.id == participant_id)
    return session.scalars(query).one()


def _subject(session: Session, question_id: int) -> str:
    """Name a question as the log does."""
    query = select(QuestionTable.sample_id).where(QuestionTable.id == question_id)
    return f"question:{session.scalars(query).one()}"
