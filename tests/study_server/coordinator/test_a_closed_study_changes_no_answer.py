"""A study that is closed keeps every answer as it stands, whatever still arrives over HTTP."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from datetime import UTC, datetime
from io import StringIO
from typing import Any

import pytest
from rich.console import Console
from sqlalchemy import func, select, update

from sampling.record.event_log import Event
from sampling.record.freeze import Freeze, event_deviations
from study_server.app import create_app
from study_server.commands.collection import load_status, status_text
from study_server.coordinator.forecast import outlook
from study_server.coordinator.overview import load_overview
from study_server.folder.inviting import invite
from study_server.participant.steps import Step, preparation_step
from study_server.store.answering.answers import Submission, submit, submit_at_once
from study_server.store.answering.withdrawal import withdraw
from study_server.store.asking.participants import Visitor, hold_everyone, record_step
from study_server.store.assigning.run_state import load_run_state
from study_server.store.schema.database import reading, transaction
from study_server.store.schema.events import read_log
from study_server.store.schema.tables import AnswerTable, SetAsideTable, SlotTable, StudyTable
from study_server.store.steering import coordination as change
from study_server.web.configuration import EXTENSION, ServerConfiguration

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def participant(small: Any, new_visit: Callable[..., Any]) -> Iterator[Any]:
    """P1 in a browser, ready to answer."""
    with transaction(small.engine) as session:
        [invitation] = invite(session, ("P1",), False, NOON)
    url = small.engine.url.render_as_string(hide_password=False)
    app = create_app(ServerConfiguration(url, b"x" * 32, {}))
    client = app.test_client()
    visit = new_visit(client)
    visit.get(f"/p/{invitation.token}")
    while visit.path != "/question":
        visit.go_on()
    yield client
    app.extensions[EXTENSION].engine.dispose()


def send(client: Any, page: str, answer: str, key: str | None = None) -> Any:
    """Post the form of a question's page, with another answer or key."""
    fields = dict(re.findall(r'name="(slot|key|csrf_token)" value="([^"]*)"', page))
    data = {**fields, "answer": answer, **({} if key is None else {"key": key})}
    reply = client.post("/question", data=data, headers={"Accept": "application/json"})
    assert reply.status_code == 200, (reply.text, fields)
    return reply


def stored(small: Any) -> tuple[list[Any], list[Any]]:
    """Give every column of every answer and slot."""
    with reading(small.engine) as session:
        tables = (AnswerTable.__table__, SlotTable.__table__)
        first, second = (sorted(map(repr, session.execute(select(one)))) for one in tables)
        return first, second


def test_nothing_changes_when_people_answer_after_closing(small: Any, participant: Any) -> None:
    first = participant.get("/question").text
    assert send(participant, first, "leaf", "key-1").json["saved"] == "saved"
    second = participant.get("/question").text
    with transaction(small.engine) as session:
        change.set_study_state(session, "closed", small.decision("the end"))
    before = stored(small)
    assert send(participant, first, "leaf", "key-1").json["saved"] == "repeated"
    assert send(participant, first, "paper", "key-2").json["saved"] == "surplus"
    assert send(participant, first, "paper", "key-2").json["saved"] == "repeated"
    assert send(participant, second, "stone", "key-3").json["saved"] == "surplus"
    assert send(participant, second, "stone", "key-3").json["saved"] == "repeated"
    fields = dict(re.findall(r'name="(slot|key|csrf_token)" value="([^"]*)"', second))
    for address in ("/problem", "/skip"):
        participant.post(address, data={**fields, "key": "key-4", "kind": "image"})
    assert stored(small) == before
    with reading(small.engine) as session:
        query = select(SetAsideTable.status, SetAsideTable.reason, SetAsideTable.raw_response)
        kept = sorted(tuple(row) for row in session.execute(query))
    assert kept == [("surplus", "study closed", "paper"), ("surplus", "study closed", "stone")]


def test_a_study_closed_early_says_how_early_wherever_it_is_looked_at(small: Any) -> None:
    small.answer("P1", 5)
    with transaction(small.engine) as session:
        change.set_study_state(session, "closed", small.decision("the end"))
        event: Event = tuple(read_log(session))[-1]
        state = load_run_state(session)
    told = "losed with 67 of 72 answers missing, 24 questions incomplete"
    frozen = Freeze("2026-01-01T00:00:00Z", "0", 0, {}, "")
    [deviation] = event_deviations(frozen, (event,))
    assert told in deviation.sentence
    assert outlook(state).headline == f"C{told}."
    assert "can finish" not in str(outlook(state)).lower()


def test_a_study_closed_when_all_is_answered_deviates_from_nothing(small: Any) -> None:
    for number in range(1, 9):
        small.answer(f"P{number}")
    with transaction(small.engine) as session:
        change.set_study_state(session, "closed", small.decision("all is in"))
        event: Event = tuple(read_log(session))[-1]
    assert event_deviations(Freeze("2026-01-01T00:00:00Z", "0", 0, {}, ""), (event,)) == []


def test_a_paused_study_cannot_finish_until_it_goes_on(small: Any) -> None:
    with transaction(small.engine) as session:
        change.set_study_state(session, "paused", small.decision("a holiday"))
        found = outlook(load_run_state(session))
    assert found.headline == "The study is paused: nobody is shown a question."
    assert found.details[0].startswith("If it goes on: ")


def test_an_answer_that_waits_for_a_closing_is_not_stored_after_its_count(small: Any) -> None:
    with reading(small.engine) as session:
        query = select(SlotTable.public_id, SlotTable.participant_id, SlotTable.shown_at)
        slots = session.execute(query.where(SlotTable.participant_id <= 2)).all()
    one, two = (next(row for row in slots if row.participant_id == number) for number in (1, 2))
    with transaction(small.engine) as session:
        for number in (1, 2):
            record_step(session, number, state="active")
    at = small.decision().at
    with ThreadPoolExecutor(2) as pool, transaction(small.engine) as session:
        hold_everyone(session)
        change.set_study_state(session, "closed", small.decision("the end"))
        session.flush()
        sent = Submission(one.public_id, "at-once", "leaf")
        first = pool.submit(submit_at_once, small.engine, 1, sent, one.shown_at, at)
        second = pool.submit(_submit, small, 2, Submission(two.public_id, "usual", "leaf"), at)
        # Both have begun, and wait: on PostgreSQL with a view of the study from before.
        wait([first, second], timeout=1)
        session.commit()
        assert (first.result(), second.result()) == ("surplus", "surplus")
    with reading(small.engine) as session:
        assert session.scalar(select(func.count()).select_from(AnswerTable)) == 0


def _submit(small: Any, person: int, sent: Submission, at: datetime) -> Any:
    with transaction(small.engine) as session:
        return submit(session, person, sent, at)


def test_a_closing_is_named_with_its_numbers_in_the_terminal_and_on_the_overview(
    small: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    small.answer("P1", 5)
    with transaction(small.engine) as session:
        change.set_study_state(session, "closed", small.decision("the end"))
        missing = load_run_state(session).closing
        told = "losed with 67 of 72 answers missing, 24 questions incomplete"
        console = Console(width=120, record=True, file=StringIO())
        console.print(status_text(load_status(session, small.decision().at), 120))
        assert f"C{told}." in console.export_text()
    url = small.engine.url.render_as_string(hide_password=False)
    app = create_app(ServerConfiguration(url, b"x" * 32, {}))
    with app.test_request_context(), reading(small.engine) as session:
        study = app.extensions[EXTENSION]
        assert load_overview(session, study, small.decision().at).outlook.headline == f"C{told}."
    app.extensions[EXTENSION].engine.dispose()
    assert missing == {"missing": 67, "needed": 72, "incomplete": 24}


NUMBERS = {"missing": 67, "needed": 72, "incomplete": 24}


def without_numbers(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Give a log as version 0.1.0 wrote it."""
    return tuple(
        replace(event, details={}) if event.action == "study.closed" else event for event in events
    )


def test_a_closing_of_the_first_version_is_counted_from_what_is_stored(small: Any) -> None:
    small.answer("P1", 5)
    with transaction(small.engine) as session:
        change.set_study_state(session, "closed", small.decision("the end"))
        closed = without_numbers(tuple(read_log(session)))
        change.set_study_state(session, "open", small.decision("not yet"))
        went_on = without_numbers(tuple(read_log(session)))
    frozen = Freeze("2026-01-01T00:00:00Z", "0", 0, {}, "")
    [deviation] = event_deviations(frozen, closed, NUMBERS)
    assert "closed with 67 of 72 answers missing, 24 questions incomplete" in deviation.sentence
    assert event_deviations(frozen, closed, {**NUMBERS, "missing": 0}) == []
    assert event_deviations(frozen, went_on, NUMBERS) == []


def test_whoever_withdraws_after_closing_can_and_their_answers_leave_the_count(
    small: Any, participant: Any
) -> None:
    page = participant.get("/question").text
    assert send(participant, page, "leaf", "key-1").json["saved"] == "saved"
    with transaction(small.engine) as session:
        change.set_study_state(session, "closed", small.decision("the end"))
        person = change.present_person(session, "P1").id
        withdraw(session, person, small.decision().at, "participant", "")
    with reading(small.engine) as session:
        assert session.scalar(select(func.count()).select_from(AnswerTable)) == 0
        assert load_run_state(session).closing["missing"] == 72
    fields = dict(re.findall(r'name="(slot|key|csrf_token)" value="([^"]*)"', page))
    data = {**fields, "answer": "stone", "key": "key-2"}
    told = participant.post("/question", data=data, headers={"Accept": "application/json"})
    assert "saved" not in (told.json or {})
    with reading(small.engine) as session:
        assert session.scalar(select(func.count()).select_from(AnswerTable)) == 0


def test_nobody_takes_a_free_question_of_a_closed_study_in_open_mode(
    small: Any, participant: Any
) -> None:
    page = participant.get("/question").text
    with transaction(small.engine) as session:
        row = session.get(StudyTable, 1)
        assert row is not None
        row.settings = row.settings | {"assignment": row.settings["assignment"] | {"mode": "open"}}
        session.execute(update(SlotTable).values(participant_id=None))
        change.set_study_state(session, "closed", small.decision("the end"))
    before = stored(small)
    assert participant.get("/question").status_code == 303
    fields = dict(re.findall(r'name="(slot|key|csrf_token)" value="([^"]*)"', page))
    data = {**fields, "answer": "stone"}
    participant.post("/question", data=data, headers={"Accept": "application/json"})
    assert stored(small) == before


@pytest.mark.parametrize("state", ["invited", "active", "paused"])
def test_whoever_prepares_or_practises_in_a_closed_study_reads_that_it_is_over(state: str) -> None:
    settings = {
        "server": {"languages": ["en", "km"]},
        "consent": {"required": True, "version": "1"},
        "practice": {"questions": "q.jsonl"},
    }
    new = Visitor(1, "P1", state, "closed", False, 0, "en", None, None, None, 1, 0, 0, None, None)
    assert preparation_step(new, settings) is Step.DONE
    assert preparation_step(
        replace(new, consent_version="1", instructions_seen_at=NOON), settings
    ) is (Step.DONE)
    assert preparation_step(replace(new, language=None), settings) is Step.LANGUAGE
    assert preparation_step(replace(new, state="withdrawn"), settings) is Step.WITHDRAWN
