"""A roster that changes while people answer: open questions move at once, answers never."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from study_server.folder.loading import prepare_database
from study_server.store.assigning.run_state import load_run_state
from study_server.store.schema.database import reading
from study_server.store.schema.events import latest_events

ROSTER = "participant,annotator_ids,quota\nP01,,\nP02,,{quota}\nP03,,\nP04,,\n{more}"


def planned(study: Any, noon: datetime, quota: str = "", more: str = "") -> dict[str, int]:
    """Write a roster, load the study again, and say who has how many questions."""
    study.study.roster_file.write_text(ROSTER.format(quota=quota, more=more), encoding="utf-8")
    engine = prepare_database(study.study, noon)
    with reading(engine) as session:
        people = load_run_state(session).people
    engine.dispose()
    return {person.pseudonym: person.answered + person.held for person in people}


def last_event(study: Any) -> tuple[str, str]:
    with reading(study.engine) as session:
        event = latest_events(session, 1)[0]
    return event.action, event.reason


def test_before_the_first_answer_the_plan_on_disk_is_the_plan(
    small_study: Callable[..., Any], noon: datetime
) -> None:
    study = small_study(people=4, responses=2, rounds=2)
    # Twelve questions, two answers each: six for each of four people.
    expected = {"P01": 6, "P02": 6, "P03": 6, "P04": 6, "P05": 0}
    assert planned(study, noon, more="P05,,\n") == expected


def test_a_late_joiner_gets_a_share_and_a_lower_quota_gives_away_what_is_above_it(
    small_study: Callable[..., Any], noon: datetime, answer_for: Callable[[str], Any]
) -> None:
    study = small_study(people=4, responses=2, rounds=2)
    visit = study.visit("P01")
    visit.answer(answer_for(visit.page))
    loads = planned(study, noon, more="P05,,\n")
    # 23 answers are open for five people: four or five each.
    assert loads["P05"] in {4, 5}
    assert sum(loads.values()) == 24
    assert last_event(study) == ("study.replanned", "the roster changed")
    # With 2 of 24 for P02 the equal share of the four others is 5.5, so 6 is their limit.
    loads = planned(study, noon, quota="2", more="P05,,\n")
    assert loads["P02"] == 2
    assert sum(loads.values()) == 24
    assert planned(study, noon, quota="2", more="P05,,\n") == loads
