"""Reads responses, people's flow and completion codes from the database, in one snapshot."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import case, func, null, select
from sqlalchemy.orm import Session

from study_server.store.schema.events import utc_text
from study_server.store.schema.tables import (
    AnswerTable,
    ParticipantTable,
    QuestionTable,
    SetAsideTable,
    SlotTable,
    StudyTable,
)

RESPONSE_FIELDS = (
    "sample_id",
    "participant",
    "response_index",
    "status",
    "raw_response",
    "shown_at",
    "submitted_at",
    "active_seconds",
    "reason",
    "confidence",
    "comment",
    "option_order",
    "adjustments",
    "edits",
)
CODE_FIELDS = ("completion_code", "participant", "answered", "completed_at", "state")


@dataclass(frozen=True)
class Completion:
    """Whose completion code it is, when it was shown, and how many questions they answered.

    Answers that were withdrawn are counted: they were given.
    """

    completion_code: str
    participant: str
    answered: int
    completed_at: datetime
    state: str


def read_completions(session: Session) -> list[Completion]:
    """Give everybody who has a completion code, by pseudonym; nobody who was erased has one."""
    query = _completions().order_by(ParticipantTable.folded_pseudonym)
    return [Completion(*row) for row in session.execute(query)]


def find_completion(session: Session, code: str) -> Completion | None:
    """Find whose code it is, whatever its case and however it was broken up."""
    typed = "".join(sign for sign in code.upper() if sign.isalnum())
    row = session.execute(_completions().where(ParticipantTable.completion_code == typed)).first()
    return None if row is None else Completion(*row)


def completion_records(session: Session) -> list[dict[str, Any]]:
    """Give the rows of `completion_codes.csv`, which no bundle takes in."""
    return [
        dict(zip(CODE_FIELDS, (_plain(getattr(one, name)) for name in CODE_FIELDS), strict=True))
        for one in read_completions(session)
    ]


def _completions() -> Any:
    """Select those who have a code."""
    withdrawn = (
        select(func.count())
        .select_from(SetAsideTable)
        .where(
            SetAsideTable.participant_id == ParticipantTable.id,
            SetAsideTable.status == "withdrawn",
        )
        .scalar_subquery()
    )
    return select(
        ParticipantTable.completion_code,
        ParticipantTable.pseudonym,
        ParticipantTable.answered_count + withdrawn,
        ParticipantTable.completed_at,
        ParticipantTable.state,
    ).where(ParticipantTable.completion_code.is_not(None), ParticipantTable.preview.is_(False))


def read_responses(session: Session) -> list[dict[str, Any]]:
    """Give one record a response, sorted: `answered` first, then what holds no slot.

    Previews are never among them, and neither is anything of a person who was erased.
    """
    rows = [_record(row) for row in session.execute(_answered())]
    rows += [_record(row) for row in session.execute(_set_aside())]
    return rows


def participant_flow(session: Session) -> dict[str, Any]:
    """Count people from invited to finished, and responses by status, as a report shows them."""
    people = list(
        session.execute(
            select(
                ParticipantTable.state,
                ParticipantTable.consented_at,
                ParticipantTable.last_seen_at,
                ParticipantTable.answered_count,
                ParticipantTable.assigned_count,
            ).where(ParticipantTable.preview.is_(False))
        )
    )
    slots = session.execute(select(func.count(), func.count(SlotTable.answered_at))).one()
    statuses = session.execute(
        select(SetAsideTable.status, func.count()).group_by(SetAsideTable.status)
    )
    set_aside = {str(status): int(count) for status, count in statuses}
    study = session.get(StudyTable, 1)
    return {
        "participants": {
            "invited": len(people),
            "signed_in": sum(row.last_seen_at is not None for row in people),
            "consented": sum(row.consented_at is not None for row in people),
            "answered": sum(row.answered_count > 0 for row in people),
            "finished": sum(0 < row.assigned_count == row.answered_count for row in people),
            "withdrawn": sum(row.state == "withdrawn" for row in people),
            "erased": sum(row.state == "erased" for row in people),
        },
        "responses": {
            "needed": slots[0],
            "answered": slots[1],
            "skipped": set_aside.get("skipped", 0),
            "withdrawn": set_aside.get("withdrawn", 0),
            "surplus": set_aside.get("surplus", 0),
        },
        "study_state": None if study is None else study.state,
    }


def _answered() -> Any:
    """Select the responses that hold a slot; those to a replaced question count no more."""
    active = QuestionTable.state == "active"
    return (
        select(
            QuestionTable.sample_id,
            ParticipantTable.pseudonym,
            case((active, AnswerTable.response_index)).label("response_index"),
            case((active, "answered"), else_="surplus").label("status"),
            AnswerTable.raw_response,
            AnswerTable.shown_at,
            AnswerTable.submitted_at,
            AnswerTable.active_seconds,
            case((active, null()), else_="question replaced").label("reason"),
            AnswerTable.confidence,
            AnswerTable.comment,
            AnswerTable.option_order,
            AnswerTable.adjustments,
            AnswerTable.edits,
        )
        .join(QuestionTable, QuestionTable.id == AnswerTable.question_id)
        .join(ParticipantTable, ParticipantTable.id == AnswerTable.participant_id)
        .order_by(QuestionTable.sample_id, AnswerTable.response_index)
    )


def _set_aside() -> Any:
    """Select the responses that hold none."""
    return (
        select(
            QuestionTable.sample_id,
            ParticipantTable.pseudonym,
            null().label("response_index"),
            SetAsideTable.status,
            SetAsideTable.raw_response,
            SetAsideTable.shown_at,
            SetAsideTable.submitted_at,
            SetAsideTable.active_seconds,
            SetAsideTable.reason,
            SetAsideTable.confidence,
            SetAsideTable.comment,
            SetAsideTable.option_order,
            SetAsideTable.adjustments,
            SetAsideTable.edits,
        )
        .join(QuestionTable, QuestionTable.id == SetAsideTable.question_id)
        .join(ParticipantTable, ParticipantTable.id == SetAsideTable.participant_id)
        .where(ParticipantTable.preview.is_(False))
        .order_by(
            QuestionTable.sample_id,
            ParticipantTable.folded_pseudonym,
            SetAsideTable.submitted_at,
            SetAsideTable.id,
        )
    )


def _record(row: Any) -> dict[str, Any]:
    """Write a row as the contract's response record."""
    values = (_plain(value) for value in row)
    record = dict(zip(RESPONSE_FIELDS, values, strict=True))
    if record["edits"]:
        record["edits"] = [
            {name: value for name, value in edit.items() if name != "submission_key"}
            for edit in record["edits"]
        ]
    return record


def _plain(value: Any) -> Any:
    """Write a moment as text, and leave everything else."""
    return utc_text(value) if isinstance(value, datetime) else value
