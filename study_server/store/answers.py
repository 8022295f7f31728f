"""Submissions: one response a slot, whatever is clicked, repeated, lost or late."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Row, bindparam, exists, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from sampling.errors import StudyError
from study_server.store.events import utc_text
from study_server.store.free_slots import take_free_slot
from study_server.store.schema import table
from study_server.store.tables import (
    AnswerTable,
    ParticipantTable,
    ReleasedSlotTable,
    SetAsideTable,
    SlotTable,
    StudyTable,
)

Raw = str | int | list[str]
USED = "this page was already used; load the question again"


class Outcome(StrEnum):
    """What became of a submission. All but `refused` and `unknown` are kept and say thanks."""

    SAVED = "saved"
    REPEATED = "repeated"
    EDITED = "edited"
    SURPLUS = "surplus"
    REFUSED = "refused"
    UNKNOWN = "unknown"


class SubmissionConflictError(StudyError):
    """Another submission took this key or this place; the form must be loaded again."""


@dataclass(frozen=True)
class Submission:
    """What a question page sends: its slot, a key of its own, and the answer."""

    slot: str
    key: str
    raw_response: Raw
    option_order: tuple[str, ...] | None = None
    active_seconds: float | None = None
    confidence: int | None = None
    comment: str | None = None
    adjustments: dict[str, float] | None = None


_slot, _person, _study = table(SlotTable), table(ParticipantTable), table(StudyTable)
# Built once: every answer runs these. The first serialises what one participant does.
_STATE = (
    select(
        _person.c.state.label("participant"),
        _study.c.state.label("study"),
        _slot.c.question_id,
        _slot.c.response_index,
        _slot.c.participant_id.label("holder"),
        _slot.c.shown_at,
        _slot.c.answered_at,
    )
    .select_from(_person)
    .join(_study, _study.c.id == 1)
    .outerjoin(_slot, _slot.c.public_id == bindparam("token"))
    .where(_person.c.id == bindparam("participant"), _person.c.preview.is_(False))
    .with_for_update(of=_person)
)
_FILL = (
    update(_slot)
    .where(
        _slot.c.question_id == bindparam("question"),
        _slot.c.response_index == bindparam("place"),
        _slot.c.participant_id == bindparam("participant"),
        _slot.c.answered_at.is_(None),
    )
    .values(answered_at=bindparam("submitted"), shown_at=bindparam("shown"), lease_expires_at=None)
)
_ANSWER = insert(table(AnswerTable))
_COUNT = (
    update(_person)
    .where(_person.c.id == bindparam("participant"))
    .values(answered_count=_person.c.answered_count + 1, last_seen_at=bindparam("now"))
)


def submit(session: Session, participant_id: int, submission: Submission, at: datetime) -> Outcome:
    """Store an answer once.

    A repeated key, or a repeated answer from a second tab, changes nothing. A different answer
    to the participant's own answered slot replaces it, and the earlier value stays in `edits`.
    A late answer to a released slot takes a free slot of the question, else becomes `surplus`.

    Raises
    ------
    SubmissionConflictError
        When the key was already used for something else.
    """
    found = session.execute(
        _STATE, {"participant": participant_id, "token": submission.slot}
    ).first()
    if found is None or found.participant not in {"active", "paused"}:
        return Outcome.REFUSED
    if found.study != "closed" and found.holder == participant_id and found.answered_at is None:
        # What was read may be old already, so that only the update decides; else look again.
        outcome = _store(session, found, participant_id, submission, found.shown_at or at, at)
        if outcome is not None:
            return outcome
    return _submit_otherwise(session, participant_id, submission, found.study, at)


def _submit_otherwise(
    session: Session, participant_id: int, submission: Submission, study_state: str, at: datetime
) -> Outcome:
    """Meet a submission that is not the first answer of a slot's holder."""
    slot = session.execute(
        select(table(SlotTable)).where(SlotTable.public_id == submission.slot).with_for_update()
    ).first()
    if slot is None:
        return _submit_late(session, participant_id, submission, study_state, at)
    if slot.participant_id != participant_id:
        return Outcome.UNKNOWN
    if slot.answered_at is not None:
        return _repeat(session, slot.question_id, participant_id, submission, at)
    if study_state == "closed":
        return _set_aside(session, slot, participant_id, submission, "study closed", at)
    raise SubmissionConflictError(USED)


def _store(
    session: Session,
    slot: Any,
    participant_id: int,
    submission: Submission,
    shown_at: datetime,
    at: datetime,
) -> Outcome | None:
    """Fill a slot that the participant holds; None when they do not hold it unanswered."""
    values = _answer_values(submission, shown_at, at)
    filled: Any = session.execute(
        _FILL,
        {
            "question": slot.question_id,
            "place": slot.response_index,
            "participant": participant_id,
            "submitted": values["submitted_at"],
            "shown": shown_at,
        },
    )
    if not filled.rowcount:
        return None
    row = {
        "question_id": slot.question_id,
        "response_index": slot.response_index,
        "participant_id": participant_id,
        "edits": None,
        **values,
    }
    try:
        session.execute(_ANSWER, row)
    except IntegrityError as error:
        raise SubmissionConflictError(USED) from error
    session.execute(_COUNT, {"participant": participant_id, "now": at})
    return Outcome.SAVED


def _answer_values(
    submission: Submission, shown_at: datetime | None, at: datetime
) -> dict[str, Any]:
    """Give the columns of a response; active time lies between none and the server's time."""
    submitted_at = at if shown_at is None else max(at, shown_at)
    active = submission.active_seconds
    if active is not None and shown_at is not None:
        active = min(max(active, 0.0), (submitted_at - shown_at).total_seconds())
    order = submission.option_order
    return {
        "submission_key": submission.key,
        "raw_response": submission.raw_response,
        "option_order": None if order is None else list(order),
        "shown_at": shown_at,
        "submitted_at": submitted_at,
        "active_seconds": active,
        "confidence": submission.confidence,
        "comment": submission.comment,
        "adjustments": submission.adjustments,
    }


def _repeat(
    session: Session, question_id: int, participant_id: int, submission: Submission, at: datetime
) -> Outcome:
    """Meet a second submission for an answered slot: a repetition, or a change of mind."""
    answer = session.execute(
        select(table(AnswerTable)).where(
            AnswerTable.question_id == question_id, AnswerTable.participant_id == participant_id
        )
    ).one()
    edits = list(answer.edits or [])
    keys = {answer.submission_key, *(edit["submission_key"] for edit in edits)}
    if submission.key in keys or answer.raw_response == submission.raw_response:
        return Outcome.REPEATED
    edits.append(
        {
            "raw_response": answer.raw_response,
            "submitted_at": utc_text(answer.submitted_at),
            "submission_key": answer.submission_key,
        }
    )
    values = _answer_values(submission, answer.shown_at, at)
    try:
        session.execute(
            update(AnswerTable)
            .where(
                AnswerTable.question_id == question_id,
                AnswerTable.participant_id == participant_id,
            )
            .values(**values, edits=edits)
        )
    except IntegrityError as error:
        raise SubmissionConflictError(USED) from error
    return Outcome.EDITED


def _submit_late(
    session: Session, participant_id: int, submission: Submission, study_state: str, at: datetime
) -> Outcome:
    """Meet an answer to a slot that was released meanwhile."""
    lost = session.execute(
        select(table(ReleasedSlotTable)).where(
            ReleasedSlotTable.public_id == submission.slot,
            ReleasedSlotTable.participant_id == participant_id,
        )
    ).first()
    if lost is None:
        return Outcome.UNKNOWN
    if _is_set_aside(session, submission.key):
        return Outcome.REPEATED
    own = session.execute(
        select(table(SlotTable))
        .where(
            SlotTable.question_id == lost.question_id, SlotTable.participant_id == participant_id
        )
        .with_for_update()
    ).first()
    if own is not None and own.answered_at is not None:
        return _repeat(session, lost.question_id, participant_id, submission, at)
    if study_state == "closed":
        return _set_aside(session, lost, participant_id, submission, "study closed", at)
    slot = own or take_free_slot(session, lost.question_id, participant_id)
    if slot is None:
        return _set_aside(session, lost, participant_id, submission, "slot was taken", at)
    stored = _store(session, slot, participant_id, submission, lost.shown_at or at, at)
    return Outcome.UNKNOWN if stored is None else stored


def _is_set_aside(session: Session, key: str) -> bool:
    """Tell whether this submission was already kept aside."""
    return bool(session.scalar(select(exists().where(SetAsideTable.submission_key == key))))


def _set_aside(
    session: Session,
    slot: Row[Any],
    participant_id: int,
    submission: Submission,
    reason: str,
    at: datetime,
) -> Outcome:
    """Keep an answer that found no slot: it is never analysed, and never thrown away."""
    if _is_set_aside(session, submission.key):
        return Outcome.REPEATED
    session.execute(
        insert(SetAsideTable),
        {
            "status": "surplus",
            "reason": reason,
            "question_id": slot.question_id,
            "participant_id": participant_id,
            "set_aside_at": at,
            **_answer_values(submission, slot.shown_at, at),
        },
    )
    return Outcome.SURPLUS
