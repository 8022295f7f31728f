"""Practice and attention questions: outside the sample, judged when they are submitted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, case, exists, func, insert, select, update
from sqlalchemy.orm import Session

from study_server.store.schema.events import append_event
from study_server.store.schema.moments import Database
from study_server.store.schema.tables import (
    ImageTable,
    OutsideAnswerTable,
    OutsideQuestionTable,
    ParticipantTable,
)


@dataclass(frozen=True)
class OutsideView:
    """A practice or attention question as its page shows it, and its key for the feedback."""

    id: int
    kind: str
    public_id: str
    position: int
    category: str
    question_en: str
    key: Any
    feedback: str
    image: str
    width: int | None
    height: int | None


@dataclass(frozen=True)
class Practice:
    """How far a participant's practice is: the attempt, what is next, how the last one went."""

    attempt: int
    total: int
    following: OutsideView | None
    done: int
    last_correct: int | None

    @property
    def rounds_done(self) -> int:
        return self.attempt - 1

    def needed(self, pass_mark: float | None) -> int | None:
        return needed_of(self.total, pass_mark)


def needed_of(total: int, pass_mark: float | None) -> int | None:
    """Give how many of a round must be as expected, or None where there is no mark.

    >>> needed_of(20, 0.55), needed_of(8, 0.5), needed_of(8, 0.6), needed_of(8, None)
    (11, 4, 5, None)
    """
    if pass_mark is None or not total:
        return None
    return next(number for number in range(total + 1) if number / total >= pass_mark)


@dataclass(frozen=True)
class Round:
    """A round of somebody's practice: how many were answered, and how many as expected."""

    number: int
    answered: int
    correct: int


@dataclass(frozen=True)
class Judged:
    """A stored answer to an outside question."""

    raw_response: Any
    correct: bool


# A question whose image cannot be shown is asked of nobody.
_is_whole = ImageTable.broken_at.is_(None)
_VIEW: Select[Any] = select(
    OutsideQuestionTable.id,
    OutsideQuestionTable.kind,
    OutsideQuestionTable.public_id,
    OutsideQuestionTable.position,
    OutsideQuestionTable.category,
    OutsideQuestionTable.question_en,
    OutsideQuestionTable.key,
    OutsideQuestionTable.feedback,
    ImageTable.public_id.label("image"),
    ImageTable.width,
    ImageTable.height,
).join(ImageTable, ImageTable.id == OutsideQuestionTable.image_id)


def outside_view(session: Database, public_id: str, kind: str) -> OutsideView | None:
    """Give one question by its public id."""
    row = session.execute(
        _VIEW.where(OutsideQuestionTable.public_id == public_id, OutsideQuestionTable.kind == kind)
    ).first()
    return None if row is None else OutsideView(**row._mapping)


def practice_of(session: Session, participant_id: int) -> Practice:
    """Say where a participant's practice is: an attempt ends when every question was answered."""
    questions = [
        OutsideView(**row._mapping)
        for row in session.execute(
            _VIEW.where(OutsideQuestionTable.kind == "practice", _is_whole).order_by(
                OutsideQuestionTable.position
            )
        )
    ]
    answers = session.execute(
        select(
            OutsideAnswerTable.attempt,
            OutsideAnswerTable.outside_question_id,
            OutsideAnswerTable.correct,
        ).where(
            OutsideAnswerTable.participant_id == participant_id,
            OutsideAnswerTable.outside_question_id.in_([view.id for view in questions]),
        )
    ).all()
    attempt = max((row.attempt for row in answers), default=1)
    answered = {row.outside_question_id for row in answers if row.attempt == attempt}
    last_correct = None
    if questions and len(answered) == len(questions):
        last_correct = sum(row.correct for row in answers if row.attempt == attempt)
        attempt, answered = attempt + 1, set()
    following = next((view for view in questions if view.id not in answered), None)
    return Practice(attempt, len(questions), following, len(answered), last_correct)


def end_practice(
    session: Session,
    participant_id: int,
    at: datetime,
    actor: str | None = None,
    reason: str = "",
) -> bool:
    """End somebody's practice unless it was passed or ended; tell whether that changed anything.

    `actor` is who decides; without one the rounds are used up. Of pages that arrive at once, one
    ends it. A preview's end is no event.
    """
    ended = session.execute(
        update(ParticipantTable)
        .where(
            ParticipantTable.id == participant_id,
            ParticipantTable.practice_passed_at.is_(None),
            ParticipantTable.practice_ended_at.is_(None),
        )
        .values(practice_ended_at=at)
        .returning(ParticipantTable.pseudonym, ParticipantTable.preview)
        .execution_options(synchronize_session=False)
    ).first()
    if ended is not None and not ended.preview:
        _log(session, participant_id, "practice.ended", ended.pseudonym, at, actor, reason)
    return ended is not None


def let_through(
    session: Session, participant_id: int, at: datetime, actor: str, reason: str
) -> bool:
    """Let somebody work whose practice is not passed; tell whether that changed anything."""
    passed = session.execute(
        update(ParticipantTable)
        .where(ParticipantTable.id == participant_id, ParticipantTable.practice_passed_at.is_(None))
        .values(practice_passed_at=at, practice_ended_at=None)
        .returning(ParticipantTable.pseudonym)
        .execution_options(synchronize_session=False)
    ).first()
    if passed is not None:
        _log(session, participant_id, "practice.let_through", passed.pseudonym, at, actor, reason)
    return passed is not None


def _log(
    session: Session,
    participant_id: int,
    action: str,
    pseudonym: str,
    at: datetime,
    actor: str | None,
    reason: str,
) -> None:
    """Tell the log what became of somebody's practice, and what they reached."""
    rounds = practice_rounds(session).get(participant_id, ())
    subject = f"participant:{pseudonym}"
    best = max((one.correct for one in rounds), default=0)
    details = {"rounds": len(rounds), "most_as_expected": best}
    append_event(session, at, actor or subject, action, subject, reason, details)


def practice_rounds(session: Session) -> dict[int, tuple[Round, ...]]:
    """Map whoever has practised to their rounds, in order."""
    rows = session.execute(
        select(
            OutsideAnswerTable.participant_id,
            OutsideAnswerTable.attempt,
            func.count(),
            func.count(case((OutsideAnswerTable.correct, 1))),
        )
        .join(
            OutsideQuestionTable, OutsideQuestionTable.id == OutsideAnswerTable.outside_question_id
        )
        .where(OutsideQuestionTable.kind == "practice")
        .group_by(OutsideAnswerTable.participant_id, OutsideAnswerTable.attempt)
        .order_by(OutsideAnswerTable.participant_id, OutsideAnswerTable.attempt)
    )
    found: dict[int, tuple[Round, ...]] = {}
    for participant_id, *counts in rows:
        found[participant_id] = (*found.get(participant_id, ()), Round(*counts))
    return found


def practice_total(session: Session) -> int:
    """Count the practice questions that can be shown."""
    query = (
        select(func.count())
        .select_from(OutsideQuestionTable)
        .join(ImageTable, ImageTable.id == OutsideQuestionTable.image_id)
    )
    return session.scalar(query.where(OutsideQuestionTable.kind == "practice", _is_whole)) or 0


def attention_due(
    session: Database, participant_id: int, answered_count: int, every: int
) -> OutsideView | None:
    """Give the attention question that is due: one after every so many answers, each once."""
    if answered_count < every:
        return None
    mine = (
        select(func.count())
        .select_from(OutsideAnswerTable)
        .join(
            OutsideQuestionTable, OutsideQuestionTable.id == OutsideAnswerTable.outside_question_id
        )
        .where(
            OutsideAnswerTable.participant_id == participant_id,
            OutsideQuestionTable.kind == "attention",
        )
    )
    if answered_count // every <= (session.scalar(mine) or 0):
        return None
    answered = exists().where(
        OutsideAnswerTable.participant_id == participant_id,
        OutsideAnswerTable.outside_question_id == OutsideQuestionTable.id,
    )
    row = session.execute(
        _VIEW.where(OutsideQuestionTable.kind == "attention", _is_whole, ~answered)
        .order_by(OutsideQuestionTable.position)
        .limit(1)
    ).first()
    return None if row is None else OutsideView(**row._mapping)


def judged_answer(
    session: Session, participant_id: int, question_id: int, attempt: int
) -> Judged | None:
    """Give a stored answer to an outside question."""
    row = session.execute(
        select(OutsideAnswerTable.raw_response, OutsideAnswerTable.correct).where(
            OutsideAnswerTable.participant_id == participant_id,
            OutsideAnswerTable.outside_question_id == question_id,
            OutsideAnswerTable.attempt == attempt,
        )
    ).first()
    return None if row is None else Judged(row.raw_response, row.correct)


def record_outside_answer(
    session: Session,
    participant_id: int,
    question_id: int,
    attempt: int,
    raw_response: Any,
    correct: bool,
    at: datetime,
) -> None:
    """Store an answer once: a repetition changes nothing."""
    if judged_answer(session, participant_id, question_id, attempt) is None:
        session.execute(
            insert(OutsideAnswerTable).values(
                participant_id=participant_id,
                outside_question_id=question_id,
                attempt=attempt,
                raw_response=raw_response,
                correct=correct,
                submitted_at=at,
            )
        )
