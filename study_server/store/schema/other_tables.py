"""The tables of what is asked: the study, its vocabularies, images and questions.

The tables of who steers a study and what they did: events, coordinators, failed sign-ins.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    CheckConstraint,
    ForeignKey,
    Index,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import Mapped, mapped_column

from study_server.store.schema.moments import Base


class StudyTable(Base):
    """The study itself, one row: its state, its settings and the digests of what was loaded.

    `settings` holds the parts of `study.toml` that a server needs, never `[[models]]`.
    """

    __tablename__ = "study"
    __table_args__ = (
        CheckConstraint("id = 1", name="one_row"),
        CheckConstraint("state IN ('open', 'paused', 'closed')", name="state"),
    )

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    public_id: Mapped[str] = mapped_column(String(32))
    name: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(String(8), default="open")
    responses_per_question: Mapped[int]
    settings: Mapped[Any]
    digests: Mapped[Any]
    created_at: Mapped[datetime]


class VocabularyTable(Base):
    """The allowed answers of one category, as one JSON entry.

    `source` is `benchmark`, `practice` or `attention`: outside questions may bring their own.
    """

    __tablename__ = "vocabulary"

    source: Mapped[str] = mapped_column(String(16), primary_key=True)
    category: Mapped[str] = mapped_column(Text, primary_key=True)
    position: Mapped[int]
    entry: Mapped[Any]


class ImageTable(Base):
    """One image file, known outside by a random id only."""

    __tablename__ = "image"
    __table_args__ = (UniqueConstraint("source", "image_name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    source: Mapped[str] = mapped_column(String(16))
    image_name: Mapped[str] = mapped_column(Text)
    public_id: Mapped[str] = mapped_column(String(32), unique=True)
    width: Mapped[int | None]
    height: Mapped[int | None]
    broken_at: Mapped[datetime | None]


class QuestionTable(Base):
    """One question of the sample (`active`), taken out of it (`replaced`), or in `reserve`."""

    __tablename__ = "question"
    __table_args__ = (
        CheckConstraint("state IN ('active', 'replaced', 'reserve')", name="state"),
        Index("ix_question_state", "state"),
        Index("ix_question_image_id", "image_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    sample_id: Mapped[str] = mapped_column(Text, unique=True)
    image_id: Mapped[int] = mapped_column(ForeignKey("image.id"))
    category: Mapped[str] = mapped_column(Text)
    collection: Mapped[str] = mapped_column(Text)
    question_type: Mapped[str] = mapped_column(Text)
    task_family: Mapped[str] = mapped_column(Text)
    question_en: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(String(8))
    reserve_rank: Mapped[int | None]
    kept: Mapped[Any]


class OutsideQuestionTable(Base):
    """A practice or attention question: outside the sample, with the key its feedback needs."""

    __tablename__ = "outside_question"
    __table_args__ = (UniqueConstraint("kind", "sample_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    sample_id: Mapped[str] = mapped_column(Text)
    position: Mapped[int]
    image_id: Mapped[int] = mapped_column(ForeignKey("image.id"))
    category: Mapped[str] = mapped_column(Text)
    question_en: Mapped[str] = mapped_column(Text)
    key: Mapped[Any]
    public_id: Mapped[str] = mapped_column(String(32), unique=True)
    feedback: Mapped[str] = mapped_column(Text, default="", server_default="")


class EventTable(Base):
    """One change of state, chained by hash to the one before: append only.

    `details` is canonical JSON text. No answers and no contact data are ever written here.
    """

    __tablename__ = "event"

    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    at: Mapped[datetime]
    actor: Mapped[str] = mapped_column(Text)
    action: Mapped[str] = mapped_column(Text)
    subject: Mapped[str] = mapped_column(Text)
    reason: Mapped[str] = mapped_column(Text)
    details: Mapped[str] = mapped_column(Text)
    previous_hash: Mapped[str] = mapped_column(String(64), unique=True)
    hash: Mapped[str] = mapped_column(String(64), unique=True)


class CoordinatorTable(Base):
    """Someone who steers the study (`coordinator`) or only reads and exports (`analyst`)."""

    __tablename__ = "coordinator"
    __table_args__ = (CheckConstraint("role IN ('coordinator', 'analyst')", name="role"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    folded_name: Mapped[str] = mapped_column(Text, unique=True)
    passcode_hash: Mapped[str] = mapped_column(Text)
    role: Mapped[str] = mapped_column(String(12))
    session_epoch: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[datetime]
    disabled_at: Mapped[datetime | None]


class AttemptTable(Base):
    """A sign-in that must not count: failed, by the keyed hash of its source, or ended.

    `kind` is `link`, `coordinator`, or `signed out`, where `source_hash` is the sign-in's digest.
    """

    __tablename__ = "attempt"
    __table_args__ = (Index("ix_attempt_kind", "kind", "source_hash", "at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    source_hash: Mapped[str] = mapped_column(String(64))
    at: Mapped[datetime]
