"""The first schema, as it was: later steps start from here, whatever the code says by then."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

Moment = sa.DateTime(timezone=True)
tables = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def upgrade() -> None:
    tables.create_all(op.get_bind())


def only(condition: str) -> dict[str, Any]:
    """Limit an index to the rows for which a condition holds."""
    return {f"{kind}_where": sa.text(condition) for kind in ("sqlite", "postgresql")}


sa.Table(
    "attempt",
    tables,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("source_hash", sa.String(64), nullable=False),
    sa.Column("at", Moment, nullable=False),
    sa.Index("ix_attempt_kind", "kind", "source_hash", "at"),
)
sa.Table(
    "coordinator",
    tables,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("folded_name", sa.Text, nullable=False, unique=True),
    sa.Column("passcode_hash", sa.Text, nullable=False),
    sa.Column("role", sa.String(12), nullable=False),
    sa.Column("session_epoch", sa.Integer, nullable=False),
    sa.Column("created_at", Moment, nullable=False),
    sa.Column("disabled_at", Moment),
    sa.CheckConstraint("role IN ('coordinator', 'analyst')", name="role"),
)
sa.Table(
    "event",
    tables,
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", Moment, nullable=False),
    sa.Column("actor", sa.Text, nullable=False),
    sa.Column("action", sa.Text, nullable=False),
    sa.Column("subject", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("details", sa.Text, nullable=False),
    sa.Column("previous_hash", sa.String(64), nullable=False, unique=True),
    sa.Column("hash", sa.String(64), nullable=False, unique=True),
)
sa.Table(
    "image",
    tables,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("source", sa.String(16), nullable=False),
    sa.Column("image_name", sa.Text, nullable=False),
    sa.Column("public_id", sa.String(32), nullable=False, unique=True),
    sa.Column("width", sa.Integer),
    sa.Column("height", sa.Integer),
    sa.Column("broken_at", Moment),
    sa.UniqueConstraint("source", "image_name"),
)
sa.Table(
    "participant",
    tables,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("pseudonym", sa.Text, nullable=False),
    sa.Column("folded_pseudonym", sa.Text, nullable=False, unique=True),
    sa.Column("quota", sa.Integer),
    sa.Column("state", sa.String(12), nullable=False),
    sa.Column("preview", sa.Boolean, nullable=False),
    sa.Column("preview_position", sa.Integer, nullable=False),
    sa.Column("language", sa.String(16)),
    sa.Column("consent_version", sa.Text),
    sa.Column("consented_at", Moment),
    sa.Column("instructions_seen_at", Moment),
    sa.Column("practice_passed_at", Moment),
    sa.Column("session_reached", sa.Integer, nullable=False),
    sa.Column("assigned_count", sa.Integer, nullable=False),
    sa.Column("answered_count", sa.Integer, nullable=False),
    sa.Column("completion_code", sa.String(16)),
    sa.Column("completed_at", Moment),
    sa.Column("last_seen_at", Moment),
    sa.Column("created_at", Moment, nullable=False),
    sa.CheckConstraint(
        "state IN ('invited', 'active', 'paused', 'withdrawn', 'erased')", name="state"
    ),
)
sa.Table(
    "study",
    tables,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("public_id", sa.String(32), nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("state", sa.String(8), nullable=False),
    sa.Column("responses_per_question", sa.Integer, nullable=False),
    sa.Column("settings", sa.JSON, nullable=False),
    sa.Column("digests", sa.JSON, nullable=False),
    sa.Column("created_at", Moment, nullable=False),
    sa.CheckConstraint("id = 1", name="one_row"),
    sa.CheckConstraint("state IN ('open', 'paused', 'closed')", name="state"),
)
sa.Table(
    "vocabulary",
    tables,
    sa.Column("source", sa.String(16), primary_key=True),
    sa.Column("category", sa.Text, primary_key=True),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("entry", sa.JSON, nullable=False),
)
sa.Table(
    "link",
    tables,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
    sa.Column("participant_id", sa.Integer, sa.ForeignKey("participant.id"), nullable=False),
    sa.Column("created_at", Moment, nullable=False),
    sa.Column("first_used_at", Moment),
    sa.Column("revoked_at", Moment),
    sa.Index("ix_link_participant_id", "participant_id"),
)
sa.Table(
    "outside_question",
    tables,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("sample_id", sa.Text, nullable=False),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("image_id", sa.Integer, sa.ForeignKey("image.id"), nullable=False),
    sa.Column("category", sa.Text, nullable=False),
    sa.Column("question_en", sa.Text, nullable=False),
    sa.Column("key", sa.JSON, nullable=False),
    sa.Column("public_id", sa.String(32), nullable=False, unique=True),
    sa.UniqueConstraint("kind", "sample_id"),
)
sa.Table(
    "question",
    tables,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("sample_id", sa.Text, nullable=False, unique=True),
    sa.Column("image_id", sa.Integer, sa.ForeignKey("image.id"), nullable=False),
    sa.Column("category", sa.Text, nullable=False),
    sa.Column("collection", sa.Text, nullable=False),
    sa.Column("question_type", sa.Text, nullable=False),
    sa.Column("task_family", sa.Text, nullable=False),
    sa.Column("question_en", sa.Text, nullable=False),
    sa.Column("state", sa.String(8), nullable=False),
    sa.Column("reserve_rank", sa.Integer),
    sa.Column("kept", sa.JSON, nullable=False),
    sa.CheckConstraint("state IN ('active', 'replaced', 'reserve')", name="state"),
    sa.Index("ix_question_image_id", "image_id"),
    sa.Index("ix_question_state", "state"),
)
sa.Table(
    "visit",
    tables,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("participant_id", sa.Integer, sa.ForeignKey("participant.id"), nullable=False),
    sa.Column("at", Moment, nullable=False),
    sa.Index("ix_visit_participant_id", "participant_id"),
)
sa.Table(
    "exclusion",
    tables,
    sa.Column("participant_id", sa.Integer, sa.ForeignKey("participant.id"), primary_key=True),
    sa.Column("question_id", sa.Integer, sa.ForeignKey("question.id"), primary_key=True),
    sa.Column("reason", sa.String(16), nullable=False),
)
sa.Table(
    "outside_answer",
    tables,
    sa.Column("participant_id", sa.Integer, sa.ForeignKey("participant.id"), primary_key=True),
    sa.Column(
        "outside_question_id", sa.Integer, sa.ForeignKey("outside_question.id"), primary_key=True
    ),
    sa.Column("attempt", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("raw_response", sa.JSON, nullable=False),
    sa.Column("correct", sa.Boolean, nullable=False),
    sa.Column("shown_at", Moment),
    sa.Column("submitted_at", Moment, nullable=False),
)
sa.Table(
    "problem",
    tables,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("question_id", sa.Integer, sa.ForeignKey("question.id"), nullable=False),
    sa.Column("participant_id", sa.Integer, sa.ForeignKey("participant.id"), nullable=False),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("description", sa.Text, nullable=False),
    sa.Column("state", sa.String(12), nullable=False),
    sa.Column("reported_at", Moment, nullable=False),
    sa.Column("resolved_at", Moment),
    sa.Column("resolution", sa.Text),
    sa.CheckConstraint("state IN ('open', 'resolved')", name="state"),
    sa.Index("ix_problem_question_id", "question_id"),
)
sa.Table(
    "released_slot",
    tables,
    sa.Column("public_id", sa.String(32), primary_key=True),
    sa.Column("question_id", sa.Integer, sa.ForeignKey("question.id"), nullable=False),
    sa.Column("participant_id", sa.Integer, sa.ForeignKey("participant.id"), nullable=False),
    sa.Column("shown_at", Moment),
    sa.Column("released_at", Moment, nullable=False),
    sa.Index("ix_released_slot_participant_id", "participant_id"),
)
sa.Table(
    "set_aside",
    tables,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("status", sa.String(12), nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("question_id", sa.Integer, sa.ForeignKey("question.id"), nullable=False),
    sa.Column("participant_id", sa.Integer, sa.ForeignKey("participant.id"), nullable=False),
    sa.Column("submission_key", sa.String(64), nullable=False, unique=True),
    sa.Column("raw_response", sa.JSON),
    sa.Column("option_order", sa.JSON),
    sa.Column("shown_at", Moment),
    sa.Column("submitted_at", Moment, nullable=False),
    sa.Column("active_seconds", sa.Double),
    sa.Column("confidence", sa.Integer),
    sa.Column("comment", sa.Text),
    sa.Column("adjustments", sa.JSON),
    sa.Column("edits", sa.JSON),
    sa.Column("set_aside_at", Moment, nullable=False),
    sa.CheckConstraint("status IN ('skipped', 'withdrawn', 'surplus')", name="status"),
    sa.Index("ix_set_aside_participant_id", "participant_id"),
    sa.Index("ix_set_aside_question_id", "question_id"),
)
sa.Table(
    "slot",
    tables,
    sa.Column("question_id", sa.Integer, sa.ForeignKey("question.id"), primary_key=True),
    sa.Column("response_index", sa.Integer, primary_key=True),
    sa.Column("participant_id", sa.Integer, sa.ForeignKey("participant.id")),
    sa.Column("session", sa.Integer, nullable=False),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("public_id", sa.String(32), nullable=False, unique=True),
    sa.Column("shown_at", Moment),
    sa.Column("answered_at", Moment),
    sa.Column("lease_expires_at", Moment),
    sa.CheckConstraint("response_index >= 1", name="response_index"),
    sa.UniqueConstraint("question_id", "participant_id"),
    sa.Index(
        "ix_slot_free",
        "position",
        "question_id",
        "response_index",
        **only("participant_id IS NULL"),
    ),
    sa.Index("ix_slot_lease", "lease_expires_at", **only("lease_expires_at IS NOT NULL")),
    sa.Index("ix_slot_next", "participant_id", "position", **only("answered_at IS NULL")),
    sa.Index("ix_slot_participant_id", "participant_id", "session", "position"),
)
sa.Table(
    "answer",
    tables,
    sa.Column("question_id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("response_index", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("participant_id", sa.Integer, sa.ForeignKey("participant.id"), nullable=False),
    sa.Column("submission_key", sa.String(64), nullable=False, unique=True),
    sa.Column("raw_response", sa.JSON, nullable=False),
    sa.Column("option_order", sa.JSON),
    sa.Column("shown_at", Moment, nullable=False),
    sa.Column("submitted_at", Moment, nullable=False),
    sa.Column("active_seconds", sa.Double),
    sa.Column("confidence", sa.Integer),
    sa.Column("comment", sa.Text),
    sa.Column("adjustments", sa.JSON),
    sa.Column("edits", sa.JSON),
    sa.UniqueConstraint("question_id", "participant_id"),
    sa.ForeignKeyConstraint(
        ["question_id", "response_index"], ["slot.question_id", "slot.response_index"]
    ),
    sa.Index("ix_answer_participant_id", "participant_id", "submitted_at"),
)
