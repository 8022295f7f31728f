"""Which image a participant may see: those of their own slots and of questions outside."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import exists, select, update
from sqlalchemy.orm import Session

from study_server.store.asking.participants import GONE, Visitor
from study_server.store.schema.moments import Database
from study_server.store.schema.tables import ImageTable, QuestionTable, SlotTable


@dataclass(frozen=True)
class StoredImage:
    """Where an image lies."""

    id: int
    source: str
    image_name: str
    broken: bool


def find_image(session: Database, public_id: str, visitor: Visitor) -> StoredImage | None:
    """Give an image this participant may see, or None, whatever the reason."""
    if visitor.state in GONE:
        return None
    row = session.execute(
        select(
            ImageTable.id,
            ImageTable.source,
            ImageTable.image_name,
            ImageTable.broken_at.is_not(None).label("broken"),
        ).where(ImageTable.public_id == public_id)
    ).first()
    if row is None:
        return None
    if row.source == "benchmark" and not visitor.preview:
        own = (
            exists()
            .where(SlotTable.participant_id == visitor.id)
            .where(SlotTable.question_id == QuestionTable.id, QuestionTable.image_id == row.id)
        )
        if not session.scalar(select(own)):
            return None
    return StoredImage(**row._mapping)


def mark_broken(session: Session, image_id: int, at: datetime) -> None:
    """Note, once, that an image cannot be shown, for the coordinator."""
    session.execute(
        update(ImageTable)
        .where(ImageTable.id == image_id, ImageTable.broken_at.is_(None))
        .values(broken_at=at)
    )


def mark_whole(session: Session, image_id: int) -> None:
    """Note that an image can be shown again."""
    session.execute(update(ImageTable).where(ImageTable.id == image_id).values(broken_at=None))


def forget_broken(session: Session) -> None:
    """Give images that could not be shown another chance: somebody may have put them back."""
    session.execute(update(ImageTable).values(broken_at=None))
