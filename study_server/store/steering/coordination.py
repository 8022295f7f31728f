"""What a coordinator changes, each change with its event in the same transaction."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from sampling.assignment.roster import pseudonym_problem, same_identity
from sampling.study.errors import StudyError, did_you_mean
from study_server.store.asking.participants import GONE, add_link, find_participant, revoke_links
from study_server.store.asking.practice_and_attention import end_practice, let_through
from study_server.store.assigning.run_state import load_run_state
from study_server.store.assigning.slots import open_slots_of, release_slot
from study_server.store.schema.events import Details, append_event
from study_server.store.schema.tables import (
    ExclusionTable,
    LinkTable,
    OutsideAnswerTable,
    ParticipantTable,
    ProblemTable,
    QuestionTable,
    StudyTable,
)


@dataclass(frozen=True)
class Decision:
    """Who decides, when, and why: what every event says."""

    at: datetime
    actor: str
    reason: str


def set_study_state(session: Session, state: str, decision: Decision) -> bool:
    """Open, pause or close the study; tell whether that changed anything."""
    study = session.get(StudyTable, 1, with_for_update=True)
    if study is None or study.state == state:
        return False
    action = {"open": "study.resumed", "paused": "study.paused", "closed": "study.closed"}[state]
    study.state = state
    details: Details = {}
    if state == "closed":
        details = {**load_run_state(session).closing}
    _log(session, decision, action, "study", details)
    return True


def set_person_paused(
    session: Session, pseudonym: str, decision: Decision, *, paused: bool
) -> bool:
    """Pause a person, or let them go on; tell whether that changed anything."""
    person = present_person(session, pseudonym)
    if (person.state == "paused") == paused:
        return False
    back = "active" if person.last_seen_at is not None else "invited"
    person.state = "paused" if paused else back
    action = "participant.paused" if paused else "participant.resumed"
    _log(session, decision, action, f"participant:{person.pseudonym}")
    return True


def end_practice_of(session: Session, pseudonym: str, decision: Decision) -> bool:
    """End a person's practice; tell whether that changed anything."""
    person = present_person(session, pseudonym)
    session.flush()
    return end_practice(session, person.id, decision.at, decision.actor, decision.reason)


def let_person_through(session: Session, pseudonym: str, decision: Decision) -> bool:
    """Let a person work whatever their practice was; tell whether that changed anything."""
    person = present_person(session, pseudonym)
    session.flush()
    return let_through(session, person.id, decision.at, decision.actor, decision.reason)


def set_quota(session: Session, pseudonym: str, quota: int, decision: Decision) -> bool:
    """Limit how many questions a person answers; what they have answered is the least.

    What they hold above it is for re-planning to give to others.
    """
    person = present_person(session, pseudonym)
    if quota < person.answered_count:
        raise StudyError(
            f"{person.pseudonym}: has answered {person.answered_count} questions already, more "
            f"than {quota}; {person.answered_count} is the lowest limit there can be"
        )
    if person.quota == quota:
        return False
    before = person.quota
    person.quota = quota
    subject = f"participant:{person.pseudonym}"
    _log(
        session, decision, "participant.quota_changed", subject, {"before": before, "after": quota}
    )
    return True


def raise_limits(session: Session, limit: int, decision: Decision) -> int:
    """Raise everyone's limit to at least `limit`; give how many were raised."""
    raised = 0
    for person in load_run_state(session).people:
        if person.state in GONE or person.limit >= limit:
            continue
        found = present_person(session, person.pseudonym)
        found.quota = limit
        raised += 1
    if raised:
        _log(session, decision, "limits.raised", "study", {"limit": limit, "people": raised})
    return raised


def new_link(session: Session, pseudonym: str, decision: Decision) -> str:
    """Give a person a new link, which ends every older one; the token is shown once."""
    person = present_person(session, pseudonym)
    revoked = _has_link(session, person.id)
    revoke_links(session, person.id, decision.at)
    token = add_link(session, person.id, decision.at)
    action = "link.rotated" if revoked else "link.created"
    _log(session, decision, action, f"participant:{person.pseudonym}")
    return token


def end_links(session: Session, pseudonym: str, decision: Decision) -> bool:
    """End a person's links without a new one; tell whether there was any."""
    person = present_person(session, pseudonym)
    if not _has_link(session, person.id):
        return False
    revoke_links(session, person.id, decision.at)
    _log(session, decision, "link.revoked", f"participant:{person.pseudonym}")
    return True


def release_person(session: Session, pseudonym: str, decision: Decision) -> int:
    """Take back everything a person holds and has not answered; give how much it was."""
    person = present_person(session, pseudonym)
    slots = open_slots_of(session, person.id)
    for question_id, response_index in slots:
        release_slot(session, question_id, response_index, decision.at)
    if slots:
        subject = f"participant:{person.pseudonym}"
        _log(session, decision, "slots.released", subject, {"slots": len(slots)})
    return len(slots)


def add_person(
    session: Session,
    pseudonym: str,
    quota: int | None,
    excluded: Collection[str],
    decision: Decision,
) -> None:
    """Add a participant who may not answer the questions `excluded`."""
    name = pseudonym.strip()
    problem = pseudonym_problem(name)
    if problem is not None:
        raise StudyError(f"participant: {problem}")
    try:
        person_id = session.scalar(
            insert(ParticipantTable)
            .values(
                pseudonym=name,
                folded_pseudonym=same_identity(name),
                quota=quota,
                created_at=decision.at,
            )
            .returning(ParticipantTable.id)
        )
    except IntegrityError:
        raise StudyError(f"participant {name!r}: there already") from None
    questions = session.scalars(
        select(QuestionTable.id)
        .where(QuestionTable.sample_id.in_(excluded))
        .order_by(QuestionTable.id)
    ).all()
    if questions:
        rows = [
            {"participant_id": person_id, "question_id": question, "reason": "role"}
            for question in questions
        ]
        session.execute(insert(ExclusionTable), rows)
    details = {"quota": quota, "excluded_questions": len(questions)}
    _log(session, decision, "participant.added", f"participant:{name}", details)


def resolve_problem(session: Session, problem_id: int, decision: Decision) -> bool:
    """Close a reported problem; tell whether it was open."""
    changed = session.execute(
        update(ProblemTable)
        .where(ProblemTable.id == problem_id, ProblemTable.state == "open")
        .values(state="resolved", resolved_at=decision.at, resolution=decision.reason)
        .returning(ProblemTable.question_id)
    ).first()
    if changed is None:
        return False
    query = select(QuestionTable.sample_id).where(QuestionTable.id == changed.question_id)
    sample_id = session.scalars(query).one()
    _log(session, decision, "problem.resolved", f"question:{sample_id}")
    return True


def preview_link(session: Session, name: str, decision: Decision) -> str:
    """Start a preview from the beginning for this coordinator: a link that holds no slot."""
    folded = same_identity(f"preview {name}")
    person = session.scalars(
        select(ParticipantTable).where(ParticipantTable.folded_pseudonym == folded)
    ).first()
    if person is None:
        person = ParticipantTable(
            pseudonym=f"preview {name}",
            folded_pseudonym=folded,
            preview=True,
            state="active",
            created_at=decision.at,
        )
        session.add(person)
    person.preview_position = 0
    person.session_reached = 1
    person.language = person.consent_version = None
    person.consented_at = person.instructions_seen_at = person.practice_passed_at = None
    person.practice_ended_at = None
    session.flush()
    mine = OutsideAnswerTable.participant_id == person.id
    session.execute(delete(OutsideAnswerTable).where(mine))
    revoke_links(session, person.id, decision.at)
    return add_link(session, person.id, decision.at)


def present_person(session: Session, pseudonym: str) -> ParticipantTable:
    """Find someone who takes part, or say who does."""
    person = find_participant(session, pseudonym)
    if person is None or person.preview:
        known = session.scalars(
            select(ParticipantTable.pseudonym).where(ParticipantTable.preview.is_(False))
        ).all()
        raise StudyError(f"participant {pseudonym!r}: not known{did_you_mean(pseudonym, known)}")
    if person.state in GONE:
        raise StudyError(f"participant {person.pseudonym}: has left the study ({person.state})")
    return person


def _has_link(session: Session, participant_id: int) -> bool:
    """Tell whether somebody has a link that works."""
    query = select(LinkTable.id).where(
        LinkTable.participant_id == participant_id, LinkTable.revoked_at.is_(None)
    )
    return session.execute(query.limit(1)).first() is not None


def _log(
    session: Session,
    decision: Decision,
    action: str,
    subject: str,
    details: Details | None = None,
) -> None:
    session.flush()
    append_event(session, decision.at, decision.actor, action, subject, decision.reason, details)
