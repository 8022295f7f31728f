"""`release_after_hours`: what somebody left lying goes to others, or stays when nobody can."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy import select, update

from study_server.store.assigning.run_state import load_run_state
from study_server.store.schema.database import reading, transaction
from study_server.store.schema.events import latest_events
from study_server.store.schema.tables import ParticipantTable
from study_server.store.steering.coordination import raise_limits, set_study_state
from study_server.web.inactivity import release_inactive


def everybody_but_p3_is_here(small: Any, at: Any) -> None:
    small.answer("P3", 2)
    with transaction(small.engine) as session:
        session.execute(update(ParticipantTable).values(last_seen_at=at))
        gone = at - timedelta(hours=49)
        session.execute(
            update(ParticipantTable)
            .where(ParticipantTable.pseudonym == "P3")
            .values(last_seen_at=gone)
        )


def test_with_room_the_others_get_what_was_left(small: Any) -> None:
    at = small.decision().at + timedelta(days=5)
    everybody_but_p3_is_here(small, at)
    with transaction(small.engine) as session:
        raise_limits(session, 12, small.decision("room"))
        assert release_inactive(session, 50, at) == []
        assert release_inactive(session, 48, at) == ["P3"]
        assert release_inactive(session, 48, at) == []
        people = {one.pseudonym: one for one in load_run_state(session).people}
        assert (people["P3"].answered, people["P3"].held, people["P3"].limit) == (2, 0, 2)
        assert load_run_state(session).free == {}
        event = latest_events(session, 1)[0]
    assert (event.action, event.actor) == ("study.replanned", "system")
    assert event.reason == "not seen for 48 hours"


def test_without_room_nothing_changes(small: Any) -> None:
    at = small.decision().at + timedelta(days=5)
    everybody_but_p3_is_here(small, at)
    with reading(small.engine) as session:
        before = len(latest_events(session, 100))
    with transaction(small.engine) as session:
        assert release_inactive(session, 48, at) == []
    with reading(small.engine) as session:
        assert len(latest_events(session, 100)) == before
        assert (
            session.scalars(
                select(ParticipantTable.assigned_count).where(ParticipantTable.pseudonym == "P3")
            ).one()
            == 9
        )


def test_in_a_paused_study_nobody_is_released(small: Any) -> None:
    at = small.decision().at + timedelta(days=5)
    everybody_but_p3_is_here(small, at)
    with transaction(small.engine) as session:
        raise_limits(session, 12, small.decision("room"))
        set_study_state(session, "paused", small.decision("holiday"))
        assert release_inactive(session, 48, at) == []
