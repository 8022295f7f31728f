"""The questions that are in the sample now, as the plan and its proofs know them."""

from __future__ import annotations

from sqlalchemy import select

from sampling.study.questions import Question
from study_server.store.schema.moments import Database
from study_server.store.schema.tables import ImageTable, QuestionTable


def active_questions(session: Database) -> list[Question]:
    """Give every question that has not been replaced, by its id."""
    rows = session.execute(
        select(
            QuestionTable.sample_id,
            ImageTable.image_name,
            QuestionTable.category,
            QuestionTable.question_en,
            QuestionTable.collection,
        )
        .join(ImageTable, ImageTable.id == QuestionTable.image_id)
        .where(QuestionTable.state == "active")
        .order_by(QuestionTable.sample_id)
    )
    return [Question(*row) for row in rows]
