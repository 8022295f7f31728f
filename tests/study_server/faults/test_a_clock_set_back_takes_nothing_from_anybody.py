"""The server's clock jumps back an hour: sessions go on, and no time runs backwards in the data."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from unittest.mock import patch

import pytest
from sqlalchemy import select

from study_server.store.schema.database import reading
from study_server.store.schema.tables import AnswerTable, EventTable
from study_server.web import clock

Study = Callable[..., Any]


@pytest.fixture
def set_clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[datetime], None]:
    """A function that sets both clocks: the server's own and the one cookies are signed by."""

    def set_to(moment: datetime) -> None:
        monkeypatch.setattr(clock, "now", lambda: moment)
        monkeypatch.setattr(time, "time", moment.timestamp)

    return set_to


def test_a_participant_stays_signed_in_and_their_times_stay_in_order(
    small_study: Study, set_clock: Callable[[datetime], None], noon: datetime
) -> None:
    set_clock(noon)
    study = small_study()
    visit = study.visit("P01")
    set_clock(noon - timedelta(hours=1))
    visit.answer("Khmer", active_seconds="12.5")
    assert (visit.path, visit.status) == ("/question", 200)
    with reading(study.engine) as session:
        answer = session.scalars(select(AnswerTable)).one()
    assert answer.shown_at == answer.submitted_at == noon
    assert answer.active_seconds == 0


def test_a_session_still_ends_when_its_time_is_over(
    small_study: Study, set_clock: Callable[[datetime], None], noon: datetime
) -> None:
    set_clock(noon)
    visit = small_study(toml="\n[server]\nsession_hours = 2\n").visit("P01")
    set_clock(noon + timedelta(hours=1.9))
    assert visit.client.get("/question").status_code == 200
    # That reply renewed the cookie: two hours more from there.
    set_clock(noon + timedelta(hours=3.8))
    assert visit.client.get("/question").status_code == 200
    set_clock(noon + timedelta(hours=5.9))
    assert visit.client.get("/question").status_code == 401


def test_the_log_keeps_its_order_by_number_whatever_the_clock_says(
    small_study: Study, noon: datetime
) -> None:
    study = small_study(toml='\n[consent]\nrequired = true\nversion = "1"\n')
    for moment, person in ((noon, "P01"), (noon - timedelta(hours=1), "P02")):
        with patch.object(clock, "now", return_value=moment):
            study.visit(person)
    with reading(study.engine) as session:
        events = session.scalars(select(EventTable).order_by(EventTable.seq)).all()
    consents = [one for one in events if one.action == "participant.consented"]
    assert [one.subject for one in consents] == ["participant:P01", "participant:P02"]
    assert consents[0].at > consents[1].at
