"""The schema: what one study's database holds. It holds no keys and no names of people."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    CheckConstraint,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    String,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from study_server.store.schema.moments import Base
from study_server.store.schema.other_tables import (
    AttemptTable,
    CoordinatorTable,
    EventTable,
    ImageTable,
    OutsideQuestionTable,
    QuestionTable,
    StudyTable,
    VocabularyTable,
)

__all__ = [
    "AnswerTable",
    "AttemptTable",
    "Base",
    "CoordinatorTable",
    "EventTable",
    "ExclusionTable",
    "ImageTable",
    "LinkTable",
    "OutsideAnswerTable",
    "OutsideQuestionTable",
    "ParticipantTable",
    "ProblemTable",
    "QuestionTable",
    "ReleasedSlotTable",
    "SetAsideTable",
    "SlotTable",
    "StudyTable",
    "VisitTable",
    "VocabularyTable",
]


class ParticipantTable(Base):
    """One person, by pseudonym, and how far they have come.

    `assigned_count` and `answered_count` are kept equal to COUNT(*) by whatever changes slots.
    A `preview` is a coordinator looking at the pages: it holds no slot and is never exported.
    """

    __tablename__ = "participant"
    __table_args__ = (
        CheckConstraint(
            "state IN ('invited', 'active', 'paused', 'withdrawn', 'erased')", name="state"
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    pseudonym: Mapped[str] = mapped_column(Text)
    folded_pseudonym: Mapped[str] = mapped_column(Text, unique=True)
    quota: Mapped[int | None]
    state: Mapped[str] = mapped_column(String(12), default="invited")
    preview: Mapped[bool] = mapped_column(default=False)
    preview_position: Mapped[int] = mapped_column(default=0)
    language: Mapped[str | None] = mapped_column(String(16))
    consent_version: Mapped[str | None] = mapped_column(Text)
    consented_at: Mapped[datetime | None]
    instructions_seen_at: Mapped[datetime | None]
    practice_passed_at: Mapped[datetime | None]
    practice_ended_at: Mapped[datetime | None]
    session_reached: Mapped[int] = mapped_column(default=1)
    assigned_count: Mapped[int] = mapped_column(default=0)
    answered_count: Mapped[int] = mapped_column(default=0)
    completion_code: Mapped[str | None] = mapped_column(String(16))
    completed_at: Mapped[datetime | None]
    last_seen_at: Mapped[datetime | None]
    created_at: Mapped[datetime]


class LinkTable(Base):
    """A personal link: the SHA-256 of its token, never the token."""

    __tablename__ = "link"
    __table_args__ = (Index("ix_link_participant_id", "participant_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    participant_id: Mapped[int] = mapped_column(ForeignKey("participant.id"))
    created_at: Mapped[datetime]
    first_used_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]


class VisitTable(Base):
    """A sign-in by personal link: who and when, nothing about the device."""

    __tablename__ = "visit"
    __table_args__ = (Index("ix_visit_participant_id", "participant_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    participant_id: Mapped[int] = mapped_column(ForeignKey("participant.id"))
    at: Mapped[datetime]


class ExclusionTable(Base):
    """A question this person may never answer: `role` (they made its key), `skipped`, `problem`."""

    __tablename__ = "exclusion"

    participant_id: Mapped[int] = mapped_column(ForeignKey("participant.id"), primary_key=True)
    question_id: Mapped[int] = mapped_column(ForeignKey("question.id"), primary_key=True)
    reason: Mapped[str] = mapped_column(String(16))


class SlotTable(Base):
    """One of the k places for an answer to a question, and who holds it.

    `participant_id` is null while nobody does. `public_id` is the random token a question page
    carries; it changes whenever the holder does.
    """

    __tablename__ = "slot"
    __table_args__ = (
        CheckConstraint("response_index >= 1", name="response_index"),
        UniqueConstraint("question_id", "participant_id"),
        Index("ix_slot_participant_id", "participant_id", "session", "position"),
        Index(
            "ix_slot_next",
            "participant_id",
            "position",
            sqlite_where=text("answered_at IS NULL"),
            postgresql_where=text("answered_at IS NULL"),
        ),
        Index(
            "ix_slot_free",
            "position",
            "question_id",
            "response_index",
            sqlite_where=text("participant_id IS NULL"),
            postgresql_where=text("participant_id IS NULL"),
        ),
        Index(
            "ix_slot_lease",
            "lease_expires_at",
            sqlite_where=text("lease_expires_at IS NOT NULL"),
            postgresql_where=text("lease_expires_at IS NOT NULL"),
        ),
    )

    question_id: Mapped[int] = mapped_column(ForeignKey("question.id"), primary_key=True)
    response_index: Mapped[int] = mapped_column(primary_key=True)
    participant_id: Mapped[int | None] = mapped_column(ForeignKey("participant.id"))
    session: Mapped[int]
    position: Mapped[int]
    public_id: Mapped[str] = mapped_column(String(32), unique=True)
    shown_at: Mapped[datetime | None]
    answered_at: Mapped[datetime | None]
    lease_expires_at: Mapped[datetime | None]


class ReleasedSlotTable(Base):
    """The token of a slot somebody held and lost, so that their late answer is recognised."""

    __tablename__ = "released_slot"
    __table_args__ = (Index("ix_released_slot_participant_id", "participant_id"),)

    public_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    question_id: Mapped[int] = mapped_column(ForeignKey("question.id"))
    participant_id: Mapped[int] = mapped_column(ForeignKey("participant.id"))
    shown_at: Mapped[datetime | None]
    released_at: Mapped[datetime]


class AnswerTable(Base):
    """The one response that fills a slot: at most k a question, at most one a person."""

    __tablename__ = "answer"
    __table_args__ = (
        ForeignKeyConstraint(
            ["question_id", "response_index"], ["slot.question_id", "slot.response_index"]
        ),
        UniqueConstraint("question_id", "participant_id"),
        Index("ix_answer_participant_id", "participant_id", "submitted_at"),
    )

    question_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    response_index: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    participant_id: Mapped[int] = mapped_column(ForeignKey("participant.id"))
    submission_key: Mapped[str] = mapped_column(String(64), unique=True)
    raw_response: Mapped[Any] = mapped_column(JSON, nullable=False)
    option_order: Mapped[Any | None]
    shown_at: Mapped[datetime]
    submitted_at: Mapped[datetime]
    active_seconds: Mapped[float | None]
    confidence: Mapped[int | None]
    comment: Mapped[str | None] = mapped_column(Text)
    adjustments: Mapped[Any | None]
    edits: Mapped[Any | None]


class SetAsideTable(Base):
    """A response that holds no slot: `skipped` (with a reason), `withdrawn` or `surplus`."""

    __tablename__ = "set_aside"
    __table_args__ = (
        CheckConstraint("status IN ('skipped', 'withdrawn', 'surplus')", name="status"),
        Index("ix_set_aside_participant_id", "participant_id"),
        Index("ix_set_aside_question_id", "question_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    status: Mapped[str] = mapped_column(String(12))
    reason: Mapped[str] = mapped_column(Text)
    question_id: Mapped[int] = mapped_column(ForeignKey("question.id"))
    participant_id: Mapped[int] = mapped_column(ForeignKey("participant.id"))
    submission_key: Mapped[str] = mapped_column(String(64), unique=True)
    raw_response: Mapped[Any | None]
    option_order: Mapped[Any | None]
    shown_at: Mapped[datetime | None]
    submitted_at: Mapped[datetime]
    active_seconds: Mapped[float | None]
    confidence: Mapped[int | None]
    comment: Mapped[str | None] = mapped_column(Text)
    adjustments: Mapped[Any | None]
    edits: Mapped[Any | None]
    set_aside_at: Mapped[datetime]


class ProblemTable(Base):
    """What a participant reported, for the coordinator: `image`, `question` or `other`."""

    __tablename__ = "problem"
    __table_args__ = (
        CheckConstraint("state IN ('open', 'resolved')", name="state"),
        Index("ix_problem_question_id", "question_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    question_id: Mapped[int] = mapped_column(ForeignKey("question.id"))
    participant_id: Mapped[int] = mapped_column(ForeignKey("participant.id"))
    kind: Mapped[str] = mapped_column(String(16))
    description: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(String(12), default="open")
    reported_at: Mapped[datetime]
    resolved_at: Mapped[datetime | None]
    resolution: Mapped[str | None] = mapped_column(Text)


class OutsideAnswerTable(Base):
    """An answer to a practice or attention question, judged once, when it is submitted.

    Practice may be repeated: `attempt` runs from 1. It never enters an export of responses.
    """

    __tablename__ = "outside_answer"

    participant_id: Mapped[int] = mapped_column(ForeignKey("participant.id"), primary_key=True)
    outside_question_id: Mapped[int] = mapped_column(
        ForeignKey("outside_question.id"), primary_key=True
    )
    attempt: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    raw_response: Mapped[Any] = mapped_column(JSON, nullable=False)
    correct: Mapped[bool]
    shown_at: Mapped[datetime | None]
    submitted_at: Mapped[datetime]
