"""The state of the run that feasibility and re-planning need: who still may answer what.

The questions that are in the sample now, as the plan and its proofs know them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select, union_all

from sampling.assignment.targets import equal_share
from sampling.record.freeze import closing_numbers
from sampling.study.questions import Question
from study_server.store.schema.moments import Database, table
from study_server.store.schema.tables import (
    AnswerTable,
    ExclusionTable,
    ImageTable,
    ParticipantTable,
    QuestionTable,
    SlotTable,
    StudyTable,
)


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


GONE = frozenset({"withdrawn", "erased"})
# Of somebody who may not answer until they are let through: a state of planning only.
PRACTICE_ENDED = "practice ended"
HELD_BACK = frozenset({"paused", PRACTICE_ENDED})
# So many questions are asked for one by one; where more need answers, all are read.
MOST_NAMED = 500
_answer, _slot, _question = table(AnswerTable), table(SlotTable), table(QuestionTable)


@dataclass(frozen=True)
class Person:
    """One participant as far as planning is concerned. `limit` is their quota or the default."""

    pseudonym: str
    state: str
    limit: int
    answered: int
    held: int


@dataclass(frozen=True)
class RunState:
    """Open answers and the people who may still give them.

    `needs` maps every active question to how many more answers it needs; `free` to how many of
    these nobody holds. `barred` holds (pseudonym, sample_id): excluded, or answered already.
    In open mode answers are nobody's until somebody comes for them.
    `study` is whether it is open, paused or closed; `needed` counts the answers of a whole study.
    """

    people: tuple[Person, ...]
    needs: Mapping[str, int]
    free: Mapping[str, int]
    barred: frozenset[tuple[str, str]]
    study: str = "open"
    needed: int = 0
    open_mode: bool = False

    @property
    def missing(self) -> str:
        """Say in numbers what is still missing."""
        count = len(self.needs)
        questions = "1 question" if count == 1 else f"{count:,} questions"
        missing = sum(self.needs.values())
        return f"{missing:,} of {self.needed:,} answers missing, {questions} incomplete"

    @property
    def closing(self) -> Mapping[str, int]:
        """Give the numbers of a closing now, as its event holds them."""
        return closing_numbers(list(self.needs.values()), self.needed)

    @property
    def free_answers(self) -> int:
        return sum(self.free.values())


def capacities(people: Collection[Person], *, with_paused: bool = False) -> dict[str, int]:
    """Say how many more answers each person may give; who is gone or held back gives none."""
    out = GONE if with_paused else GONE | HELD_BACK
    return {
        person.pseudonym: max(person.limit - person.answered, 0)
        for person in people
        if person.state not in out
    }


def planning_capacities(people: Collection[Person]) -> dict[str, int]:
    """Say how much each person may hold: who is held back keeps what they have and gets no more."""
    back = {person.pseudonym: person.held for person in people if person.state in HELD_BACK}
    return capacities(people) | back


def load_run_state(session: Database) -> RunState:
    """Read the state of the run; previews are not people."""
    k, settings, study = _rules(session)
    assignment, quotas = settings.get("assignment", {}), settings.get("quotas", {})
    answered = _counts(session, _answer.c.question_id)
    held = _counts(session, _slot.c.question_id, _slot.c.participant_id.is_not(None))
    questions = session.execute(
        select(_question.c.id, _question.c.sample_id)
        .where(_question.c.state == "active")
        .order_by(_question.c.sample_id)
    ).all()
    missing = {row: k - answered.get(row.id, 0) for row in questions}
    needed = {row.id: row.sample_id for row, count in missing.items() if count > 0}
    free = {row.sample_id: k - held.get(row.id, 0) for row in questions}
    return RunState(
        _people(
            session,
            _most(assignment, len(questions)),
            k * len(questions),
            quotas,
            bool(settings.get("practice")),
        ),
        {row.sample_id: count for row, count in missing.items() if count > 0},
        {sample_id: count for sample_id, count in free.items() if count > 0},
        _barred(session, needed),
        study,
        k * len(questions),
        assignment.get("mode") == "open",
    )


def _rules(session: Database) -> tuple[int, Mapping[str, Any], str]:
    """Give k, the settings, and the study's state.

    Among the settings are `[assignment]` and the quotas of the roster by folded pseudonym.
    """
    k, settings, state = session.execute(
        select(StudyTable.responses_per_question, StudyTable.settings, StudyTable.state)
    ).one()
    return k, settings or {}, state


def _most(assignment: Mapping[str, Any], questions: int) -> int | None:
    """Give the most anybody without a quota may answer.

    That is everything in open mode, and where people share lengths of text.
    """
    most: int | None = assignment.get("max_load")
    unbound = assignment.get("mode") == "open" or assignment.get("cost") == "length"
    return questions if most is None and unbound else most


def _people(
    session: Database,
    max_load: int | None,
    answers: int,
    quotas: Mapping[str, int | None],
    practises: bool,
) -> tuple[Person, ...]:
    """List the participants; who has no quota may give `max_load`, or the equal share, rounded up.

    The share is that of the roster: what a coordinator changes for one person changes nobody
    else's. Nobody's default is lower than what they were given already.
    """
    rows = session.execute(
        select(
            ParticipantTable.id,
            ParticipantTable.pseudonym,
            ParticipantTable.folded_pseudonym,
            ParticipantTable.state,
            ParticipantTable.quota,
            ParticipantTable.practice_passed_at,
            ParticipantTable.practice_ended_at,
        )
        .where(ParticipantTable.preview.is_(False))
        .order_by(ParticipantTable.pseudonym)
    ).all()
    of_roster = [quotas.get(row.folded_pseudonym) for row in rows]
    share = max_load or (math.ceil(equal_share(of_roster, answers)) if rows else 0)
    answered = _counts(session, _answer.c.participant_id)
    assigned = _counts(session, _slot.c.participant_id, _slot.c.participant_id.is_not(None))
    return tuple(
        Person(
            row.pseudonym,
            PRACTICE_ENDED if practises and _is_stuck(row) else row.state,
            max(share, assigned.get(row.id, 0)) if row.quota is None else row.quota,
            answered.get(row.id, 0),
            assigned.get(row.id, 0) - answered.get(row.id, 0),
        )
        for row in rows
    )


def _is_stuck(row: Any) -> bool:
    """Tell whether somebody could answer but for practice, which ended without the mark."""
    ended = row.practice_ended_at is not None and row.practice_passed_at is None
    return ended and row.state in ("invited", "active")


def _counts(session: Database, column: Any, *where: Any) -> dict[int, int]:
    """Count the rows of a table by one of its columns."""
    query = select(column, func.count()).where(*where).group_by(column)
    return {number: count for number, count in session.execute(query).all()}  # noqa: C416


def _barred(session: Database, needed: Mapping[int, str]) -> frozenset[tuple[str, str]]:
    """List who may not answer which of the questions that need answers: excluded, or done."""
    if not needed:
        return frozenset()
    people = session.execute(select(ParticipantTable.id, ParticipantTable.pseudonym))
    names = {row.id: row.pseudonym for row in people}
    tables = (table(ExclusionTable), table(AnswerTable))
    queries = [select(one.c.participant_id, one.c.question_id) for one in tables]
    if len(needed) <= MOST_NAMED:
        queries = [query.where(query.selected_columns.question_id.in_(needed)) for query in queries]
    pairs = union_all(*queries)
    return frozenset(
        (names[person], needed[question])
        for person, question in session.execute(pairs).all()
        if question in needed
    )
