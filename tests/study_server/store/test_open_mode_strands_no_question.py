from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import insert, update

from study_server.store.asking.participants import Visitor, record_step, recount
from study_server.store.assigning.leases import claim_slot, has_claimable
from study_server.store.assigning.slots import current_slot
from study_server.store.schema.database import transaction
from study_server.store.schema.tables import ExclusionTable, SlotTable, StudyTable

LEASE = timedelta(minutes=30)


@pytest.fixture
def open_study(small_study: Callable[..., Any]) -> Any:
    """Six questions, one answer each: P01 may not answer four of them, P02 four in all."""
    study = small_study(people=2, responses=1)
    with transaction(study.engine) as session:
        session.execute(update(SlotTable).values(participant_id=None))
        row = session.get(StudyTable, 1)
        row.settings = row.settings | {"assignment": row.settings["assignment"] | {"mode": "open"}}
        for number, quota in ((1, 6), (2, 4)):
            record_step(session, number, state="active", quota=quota)
        for question in range(1, 5):
            session.execute(
                insert(ExclusionTable).values(participant_id=1, question_id=question, reason="role")
            )
        recount(session)
    return study


def visitor(number: int) -> Visitor:
    unused = (None, None, None, 1, 0, 0, None, None)
    return Visitor(number, f"P{number:02}", "active", "open", False, 0, "en", *unused)


def take(study: Any, number: int, noon: datetime) -> int | None:
    """Take the next slot and leave it held, but out of the way."""
    with transaction(study.engine) as session:
        person = visitor(number)
        possible = has_claimable(session, person, noon)
        assert claim_slot(session, person, 32, LEASE, noon) == possible
        if not possible:
            return None
        slot = current_slot(session, number)
        session.execute(
            update(SlotTable).where(SlotTable.public_id == slot.public_id).values(answered_at=noon)
        )
        return slot.question_id


def test_somebodys_last_answers_are_kept_for_what_nobody_else_may_answer(
    open_study: Any, noon: datetime
) -> None:
    # P02 has four answers to give, and only P02 may answer questions 1 to 4: however 5 and 6
    # would rank for P02, they are not handed to P02.
    assert {take(open_study, 2, noon) for _ in range(4)} == {1, 2, 3, 4}
    assert take(open_study, 2, noon) is None
    assert {take(open_study, 1, noon) for _ in range(2)} == {5, 6}
