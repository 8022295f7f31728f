"""From a number on the dashboard to the questions behind it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Executable, func, select
from sqlalchemy.orm import Session

from study_server.store.schema.tables import (
    AnswerTable,
    ExclusionTable,
    ImageTable,
    ParticipantTable,
    ProblemTable,
    QuestionTable,
    SetAsideTable,
    SlotTable,
)

LISTED = 500


@dataclass(frozen=True)
class Holder:
    """Who has a slot of a question, and whether they answered it; nobody is None."""

    pseudonym: str | None
    answered_at: datetime | None


@dataclass(frozen=True)
class ListedQuestion:
    """One question with its slots."""

    id: int
    sample_id: str
    image_name: str
    collection: str
    category: str
    question_en: str
    state: str
    holders: tuple[Holder, ...]

    @property
    def answered(self) -> int:
        return sum(holder.answered_at is not None for holder in self.holders)


@dataclass(frozen=True)
class ReportedProblem:
    """What somebody reported about a question, and how it was closed if it was."""

    id: int
    pseudonym: str
    kind: str
    description: str
    reported_at: datetime
    state: str
    resolution: str | None


@dataclass(frozen=True)
class Note:
    """A skip or a comment of a participant, as the coordinator reads it."""

    kind: str
    sample_id: str
    pseudonym: str
    text: str
    at: datetime


def list_questions(
    session: Session,
    collection: str | None = None,
    category: str | None = None,
    answered: int | None = None,
) -> tuple[ListedQuestion, ...]:
    """List the active questions of a collection, a category, a count of answers, or all."""
    given = (
        select(func.count())
        .select_from(AnswerTable)
        .where(AnswerTable.question_id == QuestionTable.id)
        .scalar_subquery()
    )
    query = _QUESTION.where(QuestionTable.state == "active")
    if collection is not None:
        query = query.where(QuestionTable.collection == collection)
    if category is not None:
        query = query.where(QuestionTable.category == category)
    if answered is not None:
        query = query.where(given == answered)
    return _with_holders(session, query.order_by(QuestionTable.sample_id).limit(LISTED))


def find_question(session: Session, sample_id: str) -> ListedQuestion | None:
    """Give one question, whatever its state."""
    found = _with_holders(session, _QUESTION.where(QuestionTable.sample_id == sample_id))
    return found[0] if found else None


def barred_people(session: Session, question_id: int) -> tuple[tuple[str, str], ...]:
    """List (pseudonym, reason) of who may not answer a question."""
    rows = session.execute(
        select(ParticipantTable.pseudonym, ExclusionTable.reason)
        .join(ParticipantTable, ParticipantTable.id == ExclusionTable.participant_id)
        .where(ExclusionTable.question_id == question_id)
        .order_by(ParticipantTable.pseudonym)
    )
    return tuple((row[0], row[1]) for row in rows)


def problems_of(session: Session, question_id: int) -> tuple[ReportedProblem, ...]:
    """List the problems reported about a question, newest first."""
    rows = session.execute(
        select(
            ProblemTable.id,
            ParticipantTable.pseudonym,
            ProblemTable.kind,
            ProblemTable.description,
            ProblemTable.reported_at,
            ProblemTable.state,
            ProblemTable.resolution,
        )
        .join(ParticipantTable, ParticipantTable.id == ProblemTable.participant_id)
        .where(ProblemTable.question_id == question_id, ParticipantTable.preview.is_(False))
        .order_by(ProblemTable.id.desc())
    )
    return tuple(ReportedProblem(*row) for row in rows)


def recent_notes(session: Session, limit: int, question_id: int | None = None) -> tuple[Note, ...]:
    """Give the newest skips and comments, of one question or of all."""
    skips = (
        select(SetAsideTable.reason, SetAsideTable.submitted_at, *_NOTE_NAMES)
        .join(QuestionTable, QuestionTable.id == SetAsideTable.question_id)
        .join(ParticipantTable, ParticipantTable.id == SetAsideTable.participant_id)
        .where(SetAsideTable.status == "skipped")
        .where(SetAsideTable.reason.not_like("problem reported:%"))
        .order_by(SetAsideTable.submitted_at.desc(), SetAsideTable.id.desc())
    )
    comments = (
        select(AnswerTable.comment, AnswerTable.submitted_at, *_NOTE_NAMES)
        .join(QuestionTable, QuestionTable.id == AnswerTable.question_id)
        .join(ParticipantTable, ParticipantTable.id == AnswerTable.participant_id)
        .where(AnswerTable.comment.is_not(None), AnswerTable.comment != "")
        .order_by(AnswerTable.submitted_at.desc())
    )
    if question_id is not None:
        skips = skips.where(SetAsideTable.question_id == question_id)
        comments = comments.where(AnswerTable.question_id == question_id)
    notes = [
        Note(kind, row.sample_id, row.pseudonym, row[0] or "", row[1])
        for kind, query in (("skip", skips), ("comment", comments))
        for row in session.execute(query.limit(limit))
    ]
    return tuple(sorted(notes, key=lambda note: note.at, reverse=True)[:limit])


def broken_images(session: Session) -> tuple[str, ...]:
    """Name the images that could not be shown."""
    query = select(ImageTable.image_name).where(ImageTable.broken_at.is_not(None))
    return tuple(session.scalars(query.order_by(ImageTable.image_name)))


_NOTE_NAMES = (QuestionTable.sample_id, ParticipantTable.pseudonym)

_QUESTION = select(
    QuestionTable.id,
    QuestionTable.sample_id,
    ImageTable.image_name,
    QuestionTable.collection,
    QuestionTable.category,
    QuestionTable.question_en,
    QuestionTable.state,
).join(ImageTable, ImageTable.id == QuestionTable.image_id)


def _with_holders(session: Session, query: Executable) -> tuple[ListedQuestion, ...]:
    """Add to each question who holds its slots."""
    questions: list[Any] = list(session.execute(query))
    slots = session.execute(
        select(SlotTable.question_id, ParticipantTable.pseudonym, SlotTable.answered_at)
        .outerjoin(ParticipantTable, ParticipantTable.id == SlotTable.participant_id)
        .where(SlotTable.question_id.in_([question.id for question in questions]))
        .order_by(SlotTable.question_id, SlotTable.response_index)
    )
    holders: defaultdict[int, list[Holder]] = defaultdict(list)
    for slot in slots:
        holders[slot.question_id].append(Holder(slot.pseudonym, slot.answered_at))
    return tuple(
        ListedQuestion(holders=tuple(holders[row.id]), **row._mapping) for row in questions
    )


def question_image(session: Session, sample_id: str) -> tuple[str, str, str] | None:
    """Give (source, image name, public id) of a question's image."""
    row = session.execute(
        select(ImageTable.source, ImageTable.image_name, ImageTable.public_id)
        .join(QuestionTable, QuestionTable.image_id == ImageTable.id)
        .where(QuestionTable.sample_id == sample_id)
    ).first()
    return None if row is None else (row.source, row.image_name, row.public_id)
