"""What a participant is to answer next: a slot of theirs, an attention question, or a preview."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select

from study_server.store.asking.participants import Visitor
from study_server.store.asking.practice_and_attention import attention_due
from study_server.store.assigning.leases import has_claimable
from study_server.store.assigning.slots import SessionProgress, SlotView
from study_server.store.schema.moments import Database
from study_server.store.schema.tables import ImageTable, QuestionTable

SLOT = "slot"
ATTENTION = "attention"
PREVIEW = "preview"
CLAIM = "claim"
PREVIEW_TOKEN = "preview-"  # noqa: S105 - a prefix, not a secret


@dataclass(frozen=True)
class NextWork:
    """A question to show: its page's token, what it asks, and which session it belongs to.

    `kind` is `slot`, `attention`, `preview`, or `claim` when a free slot has to be taken first.
    """

    kind: str
    public_id: str
    session: int
    source: str = "benchmark"
    category: str = ""
    question_en: str = ""
    image: str = ""
    width: int | None = None
    height: int | None = None
    shown_at: datetime | None = None
    next_image: str | None = None
    progress: SessionProgress | None = None


def next_work(
    session: Database,
    visitor: Visitor,
    slot: SlotView | None,
    settings: Mapping[str, Any],
    at: datetime,
) -> NextWork | None:
    """Give what comes next, or None when there is nothing left for this participant.

    `slot` is their first unanswered one.
    """
    if visitor.preview:
        return _preview(session, visitor.preview_position)
    if slot is None:
        assignment = settings["assignment"]
        if assignment["mode"] == "open" and has_claimable(session, visitor, at):
            number = visitor.assigned_count // assignment["questions_per_session"] + 1
            return NextWork(CLAIM, "", number)
        return None
    attention = settings.get("attention")
    if attention:
        due = attention_due(session, visitor.id, visitor.answered_count, attention["every"])
        if due is not None:
            return NextWork(
                ATTENTION,
                due.public_id,
                slot.session,
                "attention",
                due.category,
                due.question_en,
                due.image,
                due.width,
                due.height,
                next_image=slot.image,
                progress=slot.progress,
            )
    return slot_work(slot)


def slot_work(slot: SlotView) -> NextWork:
    """Show a slot as work."""
    return NextWork(
        SLOT,
        slot.public_id,
        slot.session,
        "benchmark",
        slot.category,
        slot.question_en,
        slot.image,
        slot.width,
        slot.height,
        slot.shown_at,
        slot.next_image,
        slot.progress,
    )


def _preview(session: Database, position: int) -> NextWork | None:
    """Give the question at a place of the sample, held by nobody."""
    row = session.execute(
        select(
            QuestionTable.category,
            QuestionTable.question_en,
            ImageTable.public_id.label("image"),
            ImageTable.width,
            ImageTable.height,
        )
        .join(ImageTable, ImageTable.id == QuestionTable.image_id)
        .where(QuestionTable.state == "active")
        .order_by(QuestionTable.id)
        .offset(position)
        .limit(1)
    ).first()
    if row is None:
        return None
    return NextWork(PREVIEW, f"{PREVIEW_TOKEN}{position}", 1, **row._mapping)
