"""What the database holds in the end: exactly k distinct answers each, or what is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from serving.study import LoadStudy
from sqlalchemy import func, select

from study_server.store.schema.database import database_url, open_engine, reading
from study_server.store.schema.tables import (
    AnswerTable,
    ExclusionTable,
    ParticipantTable,
    QuestionTable,
    SetAsideTable,
    SlotTable,
)


@dataclass(frozen=True)
class Verdict:
    """Answers, questions by how many distinct people answered, and everything that is wrong."""

    answers: int
    questions: Mapping[int, int]
    conflicts: int
    lost: int
    miscounted: int

    def sentence(self, errors: int) -> str:
        """Say it in one line.

        >>> Verdict(768, {3: 256}, 0, 0, 0).sentence(0)
        '768 answers, 256 × exactly 3 distinct, 0 conflicts, 0 errors'
        """
        counts = ", ".join(
            f"{number} × exactly {distinct} distinct"
            for distinct, number in sorted(self.questions.items(), reverse=True)
        )
        text = f"{self.answers} answers, {counts}, {self.conflicts} conflicts, {errors} errors"
        for what, number in (("lost", self.lost), ("miscounted", self.miscounted)):
            text += f", {number} {what}" if number else ""
        return text


def address(study: LoadStudy) -> str:
    given = study.environment.get("LONTAR_DATABASE_URL")
    return given or database_url(study.folder / "study.db")


def judge(study: LoadStudy, acknowledged: Mapping[str, str] = {}) -> Verdict:
    """Count what is there; `acknowledged` maps submission keys to what the server said."""
    engine = open_engine(address(study))
    with reading(engine) as session:
        rows = session.execute(
            select(
                AnswerTable.question_id,
                AnswerTable.participant_id,
                AnswerTable.submission_key,
                AnswerTable.edits,
                SlotTable.participant_id.label("holder"),
                SlotTable.answered_at,
            ).join(
                SlotTable,
                (SlotTable.question_id == AnswerTable.question_id)
                & (SlotTable.response_index == AnswerTable.response_index),
            )
        ).all()
        barred = set(
            session.execute(select(ExclusionTable.participant_id, ExclusionTable.question_id))
            .tuples()
            .all()
        )
        active = session.scalars(select(QuestionTable.id).where(QuestionTable.state == "active"))
        distinct = {question: set[int]() for question in active}
        counted = dict(
            session.execute(select(ParticipantTable.id, ParticipantTable.answered_count))
            .tuples()
            .all()
        )
        keys = set(session.scalars(select(SetAsideTable.submission_key)))
        full = session.scalar(select(func.count()).where(SlotTable.answered_at.is_not(None)))
    engine.dispose()
    conflicts = abs(len(rows) - (full or 0))
    for row in rows:
        people = distinct[row.question_id]
        wrong = row.participant_id in people or row.holder != row.participant_id
        conflicts += wrong or row.answered_at is None
        conflicts += (row.participant_id, row.question_id) in barred
        people.add(row.participant_id)
        keys |= {row.submission_key, *(edit["submission_key"] for edit in row.edits or [])}
    real = Counter(row.participant_id for row in rows)
    return Verdict(
        answers=len(rows),
        questions=Counter(len(people) for people in distinct.values()),
        conflicts=conflicts,
        lost=len(set(acknowledged) - keys),
        miscounted=sum(real[person] != number for person, number in counted.items()),
    )
