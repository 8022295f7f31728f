"""What the dashboard counts: every number by COUNT(*) over answers, aggregated in the database."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Subquery, case, func, select
from sqlalchemy.orm import Session

from study_server.store.schema.tables import (
    AnswerTable,
    EventTable,
    ImageTable,
    LinkTable,
    ParticipantTable,
    ProblemTable,
    QuestionTable,
    SetAsideTable,
    SlotTable,
    StudyTable,
)


@dataclass(frozen=True)
class Study:
    """The study's own row."""

    name: str
    state: str
    responses_per_question: int
    created_at: datetime


@dataclass(frozen=True)
class CellCount:
    """How many questions of one cell have `answered` answers."""

    collection: str
    category: str
    answered: int
    questions: int


@dataclass(frozen=True)
class ParticipantCount:
    """One participant's progress. `session` is where they are, `sessions` how many they have."""

    id: int
    pseudonym: str
    state: str
    quota: int | None
    assigned: int
    answered: int
    answered_lately: int
    session: int
    sessions: int
    has_link: bool
    last_seen_at: datetime | None
    completed_at: datetime | None
    created_at: datetime
    instructions_seen_at: datetime | None = None
    practice_passed_at: datetime | None = None
    practice_ended_at: datetime | None = None


@dataclass(frozen=True)
class Problem:
    """One thing a participant reported about a question."""

    id: int
    sample_id: str
    image_name: str
    pseudonym: str
    kind: str
    description: str
    reported_at: datetime


def version_key(session: Session) -> str:
    """Name the state of everything the dashboard shows, cheaply: equal keys, equal content."""
    parts = session.execute(
        select(
            select(func.coalesce(func.max(EventTable.seq), 0)).scalar_subquery(),
            select(func.count()).select_from(AnswerTable).scalar_subquery(),
            select(func.count()).select_from(SetAsideTable).scalar_subquery(),
            select(func.count())
            .select_from(ProblemTable)
            .where(ProblemTable.state == "open")
            .scalar_subquery(),
        )
    ).one()
    return ".".join(str(part) for part in parts)


def study_row(session: Session) -> Study:
    """The study's name, state and k."""
    return Study(
        *session.execute(
            select(
                StudyTable.name,
                StudyTable.state,
                StudyTable.responses_per_question,
                StudyTable.created_at,
            )
        ).one()
    )


def cell_counts(session: Session) -> tuple[CellCount, ...]:
    """Count the active questions of every collection × category by how many answers they have."""
    given = (
        select(AnswerTable.question_id, func.count().label("answered"))
        .group_by(AnswerTable.question_id)
        .subquery()
    )
    answered = func.coalesce(given.c.answered, 0)
    rows = session.execute(
        select(QuestionTable.collection, QuestionTable.category, answered, func.count())
        .outerjoin(given, given.c.question_id == QuestionTable.id)
        .where(QuestionTable.state == "active")
        .group_by(QuestionTable.collection, QuestionTable.category, answered)
        .order_by(QuestionTable.collection, QuestionTable.category, answered)
    )
    return tuple(CellCount(*row) for row in rows)


def participant_counts(session: Session, lately: datetime) -> tuple[ParticipantCount, ...]:
    """Give a row for every participant, previews left out; `lately` begins the recent answers."""
    given, held = _answers_given(lately), _slots_held()
    link = select(LinkTable.id).where(
        LinkTable.participant_id == ParticipantTable.id, LinkTable.revoked_at.is_(None)
    )
    rows = session.execute(
        select(
            ParticipantTable.id,
            ParticipantTable.pseudonym,
            ParticipantTable.state,
            ParticipantTable.quota,
            func.coalesce(held.c.assigned, 0),
            func.coalesce(given.c.answered, 0),
            func.coalesce(given.c.lately, 0),
            ParticipantTable.session_reached,
            func.coalesce(held.c.sessions, 0),
            link.exists(),
            ParticipantTable.last_seen_at,
            ParticipantTable.completed_at,
            ParticipantTable.created_at,
            ParticipantTable.instructions_seen_at,
            ParticipantTable.practice_passed_at,
            ParticipantTable.practice_ended_at,
        )
        .outerjoin(given, given.c.participant_id == ParticipantTable.id)
        .outerjoin(held, held.c.participant_id == ParticipantTable.id)
        .where(ParticipantTable.preview.is_(False))
        .order_by(ParticipantTable.pseudonym)
    )
    return tuple(ParticipantCount(*row) for row in rows)


def _answers_given(lately: datetime) -> Subquery:
    """Count the answers of every participant, all and recent ones."""
    recent = case((AnswerTable.submitted_at >= lately, 1))
    return (
        select(
            AnswerTable.participant_id,
            func.count().label("answered"),
            func.count(recent).label("lately"),
        )
        .group_by(AnswerTable.participant_id)
        .subquery()
    )


def _slots_held() -> Subquery:
    """Count the slots of every participant, and their sessions."""
    return (
        select(
            SlotTable.participant_id,
            func.count().label("assigned"),
            func.max(SlotTable.session).label("sessions"),
        )
        .where(SlotTable.participant_id.is_not(None))
        .group_by(SlotTable.participant_id)
        .subquery()
    )


def first_answer_at(session: Session) -> datetime | None:
    """When the first answer came in."""
    return session.scalar(select(func.min(AnswerTable.submitted_at)))


def open_problems(session: Session) -> tuple[Problem, ...]:
    """List what participants reported and nobody resolved yet, newest first."""
    rows = session.execute(
        select(
            ProblemTable.id,
            QuestionTable.sample_id,
            ImageTable.image_name,
            ParticipantTable.pseudonym,
            ProblemTable.kind,
            ProblemTable.description,
            ProblemTable.reported_at,
        )
        .join(QuestionTable, QuestionTable.id == ProblemTable.question_id)
        .join(ImageTable, ImageTable.id == QuestionTable.image_id)
        .join(ParticipantTable, ParticipantTable.id == ProblemTable.participant_id)
        .where(ProblemTable.state == "open", ParticipantTable.preview.is_(False))
        .order_by(ProblemTable.reported_at.desc(), ProblemTable.id.desc())
    )
    return tuple(Problem(*row) for row in rows)


def answer_count(session: Session) -> int:
    """Count the answers that fill slots."""
    return session.scalar(select(func.count()).select_from(AnswerTable)) or 0


@dataclass(frozen=True)
class Measured:
    """What a monitor watches. `last_answer` is in seconds since 1970, 0 before the first."""

    answers: int
    needed: int
    events: int
    last_answer: float
    people: dict[str, int]
    set_aside: dict[str, int]


def measured(session: Session) -> Measured:
    """Count what a monitor watches."""
    questions = select(func.count()).select_from(QuestionTable)
    active = session.scalar(questions.where(QuestionTable.state == "active")) or 0
    last = session.scalar(select(func.max(AnswerTable.submitted_at)))
    people = session.execute(
        select(ParticipantTable.state, func.count())
        .where(ParticipantTable.preview.is_(False))
        .group_by(ParticipantTable.state)
    )
    aside = select(SetAsideTable.status, func.count()).group_by(SetAsideTable.status)
    return Measured(
        answer_count(session),
        active * study_row(session).responses_per_question,
        session.scalar(select(func.coalesce(func.max(EventTable.seq), 0))) or 0,
        0.0 if last is None else last.timestamp(),
        {row[0]: row[1] for row in people},
        {row[0]: row[1] for row in session.execute(aside)},
    )


def inactive_since(session: Session, moment: datetime) -> list[str]:
    """Name who takes part, holds open questions and was not seen since a moment."""
    open_slot = select(SlotTable.question_id).where(
        SlotTable.participant_id == ParticipantTable.id, SlotTable.answered_at.is_(None)
    )
    seen = func.coalesce(ParticipantTable.last_seen_at, ParticipantTable.created_at)
    query = select(ParticipantTable.pseudonym).where(
        ParticipantTable.state.in_(("invited", "active")),
        ParticipantTable.preview.is_(False),
        seen < moment,
        open_slot.exists(),
    )
    return list(session.scalars(query.order_by(ParticipantTable.pseudonym)))
