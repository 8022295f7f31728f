"""Submissions: one response a slot, whatever is clicked, repeated, lost or late."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Engine, Row, bindparam, delete, exists, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from study_server.store.answering.submissions import (
    USED,
    Submission,
    SubmissionConflictError,
    add_answer,
    answer_values,
    fill_own,
    fill_own_at_once,
)
from study_server.store.assigning.leases import take_free_slot
from study_server.store.schema.database import glancing, writing
from study_server.store.schema.events import utc_text
from study_server.store.schema.moments import Database, table
from study_server.store.schema.tables import (
    AnswerTable,
    ParticipantTable,
    ReleasedSlotTable,
    SetAsideTable,
    SlotTable,
    StudyTable,
)


class Outcome(StrEnum):
    """What became of a submission. All but `refused` and `unknown` are kept and say thanks."""

    SAVED = "saved"
    REPEATED = "repeated"
    EDITED = "edited"
    SURPLUS = "surplus"
    REFUSED = "refused"
    UNKNOWN = "unknown"


_person, _study = table(ParticipantTable), table(StudyTable)
_PERSON = (
    select(_person.c.state)
    .where(_person.c.id == bindparam("participant"), _person.c.preview.is_(False))
    .with_for_update()
)
# Asked once the person is held, and held too, so that whoever closes the study waits.
_STUDY = select(_study.c.state).where(_study.c.id == 1).with_for_update(read=True)


def submit_at_once(
    engine: Engine,
    participant_id: int,
    submission: Submission,
    seen_at: datetime | None,
    at: datetime,
) -> Outcome:
    """Store an answer as `submit` does, in a transaction of its own; the usual one costs less.

    `seen_at` is when the slot was first shown, as it was read when the answer arrived.

    Raises
    ------
    SubmissionConflictError
        When the key was already used for something else.
    """
    if engine.dialect.name == "postgresql":
        with glancing(engine) as database:
            if fill_own_at_once(database, participant_id, submission, seen_at, at):
                return Outcome.SAVED
        with writing(engine) as database:
            return _submit_held(database, participant_id, submission, at)
    with writing(engine) as database:
        return submit(database, participant_id, submission, at)


def submit(session: Database, participant_id: int, submission: Submission, at: datetime) -> Outcome:
    """Store an answer once.

    A repeated key with the same answer, or a repeated answer from a second tab, changes nothing.
    A different answer to the participant's own answered slot replaces it, under a new key or the
    same one (its first reply may have been lost), and the earlier value stays in `edits`.
    A late answer to a released slot takes a free slot of the question, else becomes `surplus`.
    In a closed study no answer is added or changed: whatever is not a repetition is `surplus`.

    Raises
    ------
    SubmissionConflictError
        When the key was already used for something else.
    """
    # SQLite has one writer at a time, so that nothing changes under the usual statement.
    if _is_sqlite(session) and fill_own(session, participant_id, submission, at):
        return Outcome.SAVED
    return _submit_held(session, participant_id, submission, at)


def _is_sqlite(session: Database) -> bool:
    engine = session.get_bind() if isinstance(session, Session) else session
    return engine.dialect.name == "sqlite"


def _submit_held(
    session: Database, participant_id: int, submission: Submission, at: datetime
) -> Outcome:
    """Hold the person, then the study as it stands, and meet whatever comes."""
    if session.scalar(_PERSON, {"participant": participant_id}) not in {"active", "paused"}:
        return Outcome.REFUSED
    if session.scalar(_STUDY) == "closed":
        return _submit_closed(session, participant_id, submission, at)
    if fill_own(session, participant_id, submission, at):
        return Outcome.SAVED
    return _submit_otherwise(session, participant_id, submission, at)


def _submit_closed(
    session: Database, participant_id: int, submission: Submission, at: datetime
) -> Outcome:
    """Meet a submission to a closed study: acknowledge a repetition, keep the rest aside."""
    own = (SlotTable.public_id, ReleasedSlotTable.public_id)
    for one in own:
        slots = one.class_
        slot = session.execute(
            select(slots.question_id, slots.shown_at).where(
                one == submission.slot, slots.participant_id == participant_id
            )
        ).first()
        if slot is not None:
            break
    else:
        return Outcome.UNKNOWN
    answer = _answer_of(session, slot.question_id, participant_id)
    if answer is not None and _says_nothing_new(answer, submission):
        return Outcome.REPEATED
    return _set_aside(session, slot, participant_id, submission, "study closed", at)


def _submit_otherwise(
    session: Database, participant_id: int, submission: Submission, at: datetime
) -> Outcome:
    """Meet a submission that is not the first answer of a slot's holder."""
    slot = session.execute(
        select(table(SlotTable)).where(SlotTable.public_id == submission.slot).with_for_update()
    ).first()
    if slot is None:
        return _submit_late(session, participant_id, submission, at)
    if slot.participant_id != participant_id:
        return Outcome.UNKNOWN
    if slot.answered_at is not None:
        return _repeat(session, slot.question_id, participant_id, submission, at)
    return _store(session, slot, participant_id, submission, slot.shown_at or at, at)


def _store(
    session: Database,
    slot: Any,
    participant_id: int,
    submission: Submission,
    shown_at: datetime,
    at: datetime,
) -> Outcome:
    """Fill a slot that is locked and the participant's; what was set aside of it comes back."""
    session.execute(
        delete(SetAsideTable).where(
            SetAsideTable.submission_key == submission.key,
            SetAsideTable.participant_id == participant_id,
        )
    )
    values = answer_values(submission, shown_at, at)
    add_answer(session, slot, participant_id, values)
    session.execute(
        update(SlotTable)
        .where(
            SlotTable.question_id == slot.question_id,
            SlotTable.response_index == slot.response_index,
        )
        .values(answered_at=values["submitted_at"], shown_at=shown_at, lease_expires_at=None)
    )
    session.execute(
        update(ParticipantTable)
        .where(ParticipantTable.id == participant_id)
        .values(answered_count=ParticipantTable.answered_count + 1, last_seen_at=at)
    )
    return Outcome.SAVED


def _repeat(
    session: Database, question_id: int, participant_id: int, submission: Submission, at: datetime
) -> Outcome:
    """Meet a second submission for an answered slot: a repetition, or a change of mind."""
    if _is_set_aside(session, submission.key):
        return _repeat_aside(session, participant_id, submission, at)
    answer = _answer_of(session, question_id, participant_id)
    if answer is None or _says_nothing_new(answer, submission):
        return Outcome.REPEATED
    edits = [*(answer.edits or []), _earlier(answer, submission)]
    values = answer_values(submission, answer.shown_at, at)
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


def _says_nothing_new(answer: Row[Any], submission: Submission) -> bool:
    """Tell whether a submission repeats what is stored, or what a later page already replaced."""
    if submission.key == answer.submission_key:
        return not _changed(answer, submission)
    sent = [(edit["submission_key"], edit["raw_response"]) for edit in answer.edits or []]
    same = answer.raw_response == submission.raw_response
    return same or (submission.key, submission.raw_response) in sent


def _changed(answer: Row[Any], submission: Submission) -> dict[str, Any]:
    """Return the stored values that a submission would change, by column."""
    return {
        name: getattr(answer, name)
        for name in ("raw_response", "confidence", "comment")
        if getattr(answer, name) != getattr(submission, name)
    }


def _earlier(answer: Row[Any], submission: Submission) -> dict[str, Any]:
    """Return what `edits` keeps of an answer; of confidence and comment only what changed."""
    return {
        **_changed(answer, submission),
        "raw_response": answer.raw_response,
        "submitted_at": utc_text(answer.submitted_at),
        "submission_key": answer.submission_key,
    }


def _repeat_aside(
    session: Database, participant_id: int, submission: Submission, at: datetime
) -> Outcome:
    """Meet a repeated key whose answer was kept aside: a changed one stays aside, with both."""
    mine = (
        SetAsideTable.submission_key == submission.key,
        SetAsideTable.participant_id == participant_id,
        SetAsideTable.status == "surplus",
    )
    aside = session.execute(select(table(SetAsideTable)).where(*mine).with_for_update()).first()
    if aside is None or _says_nothing_new(aside, submission):
        return Outcome.REPEATED
    edits = [*(aside.edits or []), _earlier(aside, submission)]
    values = answer_values(submission, aside.shown_at, at)
    session.execute(update(SetAsideTable).where(*mine).values(**values, edits=edits))
    return Outcome.SURPLUS


def _submit_late(
    session: Database, participant_id: int, submission: Submission, at: datetime
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
        return _repeat_aside(session, participant_id, submission, at)
    own = session.execute(
        select(table(SlotTable))
        .where(
            SlotTable.question_id == lost.question_id, SlotTable.participant_id == participant_id
        )
        .with_for_update()
    ).first()
    if own is not None and own.answered_at is not None:
        return _repeat(session, lost.question_id, participant_id, submission, at)
    slot = own or take_free_slot(session, lost.question_id, participant_id)
    if slot is None:
        return _set_aside(session, lost, participant_id, submission, "slot was taken", at)
    return _store(session, slot, participant_id, submission, lost.shown_at or at, at)


def _answer_of(session: Database, question_id: int, participant_id: int) -> Row[Any] | None:
    """Read a participant's stored answer to a question, if there is one."""
    return session.execute(
        select(table(AnswerTable)).where(
            AnswerTable.question_id == question_id, AnswerTable.participant_id == participant_id
        )
    ).first()


def _is_set_aside(session: Database, key: str) -> bool:
    """Tell whether this submission was already kept aside."""
    return bool(session.scalar(select(exists().where(SetAsideTable.submission_key == key))))


def _set_aside(
    session: Database,
    slot: Row[Any],
    participant_id: int,
    submission: Submission,
    reason: str,
    at: datetime,
) -> Outcome:
    """Keep an answer that found no slot: it is never analysed, and never thrown away."""
    if _is_set_aside(session, submission.key):
        return _repeat_aside(session, participant_id, submission, at)
    session.execute(
        insert(SetAsideTable),
        {
            "status": "surplus",
            "reason": reason,
            "question_id": slot.question_id,
            "participant_id": participant_id,
            "set_aside_at": at,
            **answer_values(submission, slot.shown_at, at),
        },
    )
    return Outcome.SURPLUS
