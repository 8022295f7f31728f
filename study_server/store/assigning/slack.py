"""Open mode while plenty is left: a proof that no choice can strand the study, at no cost.

The exact choice (`handing_out`) weighs every open question against everybody. It is needed only
when the end is near. By Hall's theorem all open answers can be given when, for every set T of
open questions, the answers T needs are at most the sum over people of min(room, |T| - barred in
T). A question lacks n answers and has at most k - n holders, so n + barred people <= k + e, where
e people at most are excluded from one question; min(r, t - b) >= min(r, t) - b, and nobody has
more than X exclusions. So it is enough that all rooms together are at least
(largest limit + X) * (k + e), and at least what is open.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Engine, case, func, select

from study_server.store.assigning.run_state import GONE
from study_server.store.schema.moments import Database, table
from study_server.store.schema.tables import (
    ExclusionTable,
    ParticipantTable,
    QuestionTable,
    StudyTable,
)

# Others take slots while this is computed; so many at a time at most.
UNDER_WAY = 256
COUNTED_EVERY = timedelta(minutes=1)


@dataclass(frozen=True)
class Bounds:
    """What changes seldom: questions asked, exclusions of one question and of one person."""

    counted_at: datetime
    questions: int
    of_a_question: int
    of_a_person: int


_bounds: weakref.WeakKeyDictionary[Engine, Bounds] = weakref.WeakKeyDictionary()
_person = table(ParticipantTable)


def has_slack(session: Database, at: datetime) -> bool:
    """Tell whether anybody may take any free slot without stranding anything."""
    bounds = _bounds_of(session, at)
    k, settings = session.execute(
        select(StudyTable.responses_per_question, StudyTable.settings)
    ).one()
    most = (settings or {}).get("assignment", {}).get("max_load")
    people, held, rooms, largest = session.execute(_rooms(bounds, most)).one()
    if not people:
        return False
    return is_enough(rooms - UNDER_WAY, largest, k * bounds.questions - held, k, bounds)


def is_enough(rooms: int, largest: int, open_answers: int, k: int, bounds: Bounds) -> bool:
    """Tell whether all open answers can be given, by totals alone; False proves nothing.

    `rooms` is how many more questions all people may take together, `largest` the largest limit
    of one person, what they answered already included.
    """
    enough = (largest + bounds.of_a_person) * (k + bounds.of_a_question)
    return rooms >= max(enough, open_answers)


def _rooms(bounds: Bounds, max_load: int | None) -> Any:
    """Select how many people take part, slots held, rooms together, and the largest limit."""
    everything = bounds.questions if max_load is None else max_load
    usual = case(
        (_person.c.assigned_count > everything, _person.c.assigned_count), else_=everything
    )
    limit = func.coalesce(_person.c.quota, usual)
    present = _person.c.state.not_in([*GONE, "paused"])
    room = case(
        (present & (limit > _person.c.assigned_count), limit - _person.c.assigned_count), else_=0
    )
    return select(
        func.count(), func.sum(_person.c.assigned_count), func.sum(room), func.max(limit)
    ).where(_person.c.preview.is_(False))


def _bounds_of(session: Database, at: datetime) -> Bounds:
    """Count the bounds, or give those of a moment ago."""
    engine = (session if isinstance(session, Connection) else session.connection()).engine
    known = _bounds.get(engine)
    if known is not None and abs(at - known.counted_at) < COUNTED_EVERY:
        return known
    active = select(func.count()).where(QuestionTable.state == "active")
    counted = Bounds(
        at,
        session.scalar(active) or 0,
        _most(session, ExclusionTable.question_id),
        _most(session, ExclusionTable.participant_id),
    )
    _bounds[engine] = counted
    return counted


def _most(session: Database, column: Any) -> int:
    """Count the exclusions of whichever question, or person, has the most; one more, to be sure."""
    counts = select(column, func.count().label("n")).group_by(column).subquery()
    return 1 + (session.scalar(select(func.max(counts.c.n))) or 0)
