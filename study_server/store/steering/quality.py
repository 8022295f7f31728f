"""What quality is judged by, without keys: answers as stored, times, sign-ins, attention.

Lengths of time, worked out by the database itself.
"""

from __future__ import annotations

import json
from collections import defaultdict
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Float, Text, cast, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import Session
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from study_server.store.schema.moments import table
from study_server.store.schema.tables import (
    AnswerTable,
    OutsideAnswerTable,
    OutsideQuestionTable,
    ParticipantTable,
    QuestionTable,
    VisitTable,
    VocabularyTable,
)


class SecondsBetween(FunctionElement[float]):
    """The seconds from the first of two moments to the second."""

    type = Float()
    inherit_cache = True


@compiles(SecondsBetween, "sqlite")
def _sqlite(element: SecondsBetween, compiler: SQLCompiler, **options: Any) -> str:
    begin, end = (compiler.process(one, **options) for one in element.clauses)
    return f"(julianday({end}) - julianday({begin})) * 86400.0"


@compiles(SecondsBetween, "postgresql")
def _postgresql(element: SecondsBetween, compiler: SQLCompiler, **options: Any) -> str:
    begin, end = (compiler.process(one, **options) for one in element.clauses)
    return f"CAST(EXTRACT(EPOCH FROM {end} - {begin}) AS DOUBLE PRECISION)"


# Plain tables: of thousands of rows, objects would cost more than the answers themselves.
_answer, _question = table(AnswerTable), table(QuestionTable)


class GivenAnswer(NamedTuple):
    """One answer that fills a slot. `response` is canonical text: equal answers, equal text.

    `active_seconds` is how long its page was used, `open_seconds` how long it was open.
    """

    participant_id: int
    question_id: int
    category: str
    response: str
    active_seconds: float | None
    open_seconds: float


def given_answers(session: Session) -> tuple[GivenAnswer, ...]:
    """Give every answer to an active question, in the order of participant and time."""
    rows = session.execute(
        select(
            _answer.c.participant_id,
            _answer.c.question_id,
            _question.c.category,
            cast(_answer.c.raw_response, Text),
            _answer.c.active_seconds,
            SecondsBetween(_answer.c.shown_at, _answer.c.submitted_at),
        )
        .join(_question, _question.c.id == _answer.c.question_id)
        .where(_question.c.state == "active")
        .order_by(_answer.c.participant_id, _answer.c.submitted_at, _answer.c.question_id)
    )
    return tuple(
        GivenAnswer(person, question, category, _canonical(text), active, opened)
        for person, question, category, text, active, opened in rows.all()
    )


def visits(session: Session) -> dict[int, list[datetime]]:
    """List when each participant signed in by their link."""
    found: defaultdict[int, list[datetime]] = defaultdict(list)
    rows = session.execute(
        select(VisitTable.participant_id, VisitTable.at)
        .join(ParticipantTable, ParticipantTable.id == VisitTable.participant_id)
        .where(ParticipantTable.preview.is_(False))
        .order_by(VisitTable.participant_id, VisitTable.at)
    )
    for participant_id, at in rows:
        found[participant_id].append(at)
    return dict(found)


def attention_results(session: Session) -> dict[int, tuple[int, int]]:
    """Count (wrong, answered) attention questions of each participant; one left is neither."""
    rows = session.execute(
        select(
            OutsideAnswerTable.participant_id,
            OutsideAnswerTable.correct,
            OutsideAnswerTable.raw_response,
        )
        .join(
            OutsideQuestionTable, OutsideQuestionTable.id == OutsideAnswerTable.outside_question_id
        )
        .join(ParticipantTable, ParticipantTable.id == OutsideAnswerTable.participant_id)
        .where(OutsideQuestionTable.kind == "attention", ParticipantTable.preview.is_(False))
    )
    found: dict[int, tuple[int, int]] = {}
    for participant_id, correct, given in rows:
        if isinstance(given, dict):
            continue
        wrong, answered = found.get(participant_id, (0, 0))
        found[participant_id] = (wrong + (0 if correct else 1), answered + 1)
    return found


def vocabulary_entries(session: Session) -> dict[str, dict[str, Any]]:
    """Give the benchmark's vocabularies as their entries, by category."""
    rows = session.execute(
        select(VocabularyTable.category, VocabularyTable.entry)
        .where(VocabularyTable.source == "benchmark")
        .order_by(VocabularyTable.position)
    )
    return {row[0]: row[1] for row in rows}


def _canonical(stored: str) -> str:
    """Write a stored answer so that two sets of the same labels are the same text."""
    if not stored.startswith("["):
        return stored
    return json.dumps(sorted(json.loads(stored)), ensure_ascii=False)
