"""A submission as it comes in, and the answer it becomes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError

from sampling.study.errors import StudyError
from study_server.store.schema.moments import Database, table
from study_server.store.schema.tables import AnswerTable

Raw = str | int | list[str]
USED = "this page was already used; load the question again"
_ANSWER = insert(table(AnswerTable))


class SubmissionConflictError(StudyError):
    """Another submission took this key or this place; the form must be loaded again."""


@dataclass(frozen=True)
class Submission:
    """What a question page sends: its slot, a key of its own, and the answer."""

    slot: str
    key: str
    raw_response: Raw
    option_order: tuple[str, ...] | None = None
    active_seconds: float | None = None
    confidence: int | None = None
    comment: str | None = None
    adjustments: dict[str, float] | None = None


def answer_values(
    submission: Submission, shown_at: datetime | None, at: datetime
) -> dict[str, Any]:
    """Give the columns of a response; active time lies between none and the server's time."""
    submitted_at = at if shown_at is None else max(at, shown_at)
    active = submission.active_seconds
    if active is not None and shown_at is not None:
        active = min(max(active, 0.0), (submitted_at - shown_at).total_seconds())
    order = submission.option_order
    return {
        "submission_key": submission.key,
        "raw_response": submission.raw_response,
        "option_order": None if order is None else list(order),
        "shown_at": shown_at,
        "submitted_at": submitted_at,
        "active_seconds": active,
        "confidence": submission.confidence,
        "comment": submission.comment,
        "adjustments": submission.adjustments,
    }


def add_answer(session: Database, slot: Any, participant_id: int, values: dict[str, Any]) -> None:
    """Add the answer itself; the schema refuses a second one."""
    row = {
        "question_id": slot.question_id,
        "response_index": slot.response_index,
        "participant_id": participant_id,
        "edits": None,
        **values,
    }
    try:
        session.execute(_ANSWER, row)
    except IntegrityError as error:
        raise SubmissionConflictError(USED) from error
