"""The tables of who steers a study and what they did: events, coordinators, failed sign-ins."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import (
    CheckConstraint,
    Index,
    String,
    Text,
)
from sqlalchemy.orm import Mapped, mapped_column

from study_server.store.schema.moments import Base


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
