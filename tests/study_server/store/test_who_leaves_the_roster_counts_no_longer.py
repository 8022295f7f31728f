"""Somebody taken out of participants.csv before their first answer is no slack any more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import Engine

from sampling.answers.vocabularies import AnswerFormat, Vocabulary
from sampling.assignment.plan import Slot
from sampling.assignment.roster import Participant
from sampling.study.questions import Question
from sampling.study.study_toml import parse_definition
from study_server.coordinator.forecast import outlook
from study_server.store.answering.answers import Submission, submit
from study_server.store.asking.content import StudyContent
from study_server.store.asking.participants import add_link, find_participant, record_step
from study_server.store.asking.sync import synchronize
from study_server.store.assigning.run_state import load_run_state
from study_server.store.assigning.slots import current_slot
from study_server.store.schema.database import open_engine, reading, transaction
from study_server.store.schema.events import read_log
from study_server.store.schema.migration import migrate

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def content_for(people: list[str], digest: str) -> StudyContent:
    """Six questions, three answers each, dealt out in turn."""
    definition = parse_definition(
        {
            "study": {"name": "Small", "seed": "small"},
            "benchmark": {"questions": "q.jsonl", "vocabularies": "v.json"},
            "sample": {"strata": ["category"], "per_stratum": 1},
        }
    ).model_dump(mode="json")
    settings = {name: definition[name] for name in ("server", "consent", "assignment", "text")}
    positions = dict.fromkeys(people, 0)
    slots = []
    for n in range(6):
        for index in range(3):
            person = people[(3 * n + index) % len(people)]
            positions[person] += 1
            slots.append(Slot(person, f"q{n}", index + 1, 1, positions[person]))
    return StudyContent(
        name="Small",
        responses_per_question=3,
        settings={**settings, "texts": {}, "order_seed": "small", "display": {}},
        digests={"plan/assignment.csv": digest},
        vocabularies={
            "benchmark": {"Material": Vocabulary("Material", AnswerFormat.SINGLE, ("a", "b"))}
        },
        questions=tuple(Question(f"q{n}", f"i{n}.png", "Material", "What?", "A") for n in range(6)),
        participants=tuple(Participant(name) for name in people),
        read_slots=lambda: tuple(slots),
    )


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """An empty database of each kind."""
    url = f"sqlite:///{tmp_path / 'study.db'}"
    if request.param == "postgresql":
        url = request.getfixturevalue("postgres_url")
    opened = open_engine(url)
    migrate(opened)
    yield opened
    opened.dispose()


def load(engine: Engine, content: StudyContent) -> None:
    with transaction(engine) as session:
        synchronize(session, content, NOON)


def test_one_who_was_invited_only_is_gone_with_their_link(engine: Engine) -> None:
    load(engine, content_for(["P1", "P2", "P3", "P4"], "first"))
    with transaction(engine) as session:
        person = find_participant(session, "P4")
        assert person is not None
        add_link(session, person.id, NOON)
    load(engine, content_for(["P1", "P2", "P3"], "second"))
    with reading(engine) as session:
        state = load_run_state(session)
        # 18 answers by three people are 6 each: nothing may be lost.
        assert [(one.pseudonym, one.limit) for one in state.people] == [
            ("P1", 6),
            ("P2", 6),
            ("P3", 6),
        ]
        assert outlook(state).headline == "Can finish, but with no slack."
        told = [(event.action, event.subject) for event in read_log(session)]
        assert ("participant.removed", "participant:P4") in told


def test_one_who_answered_stays_until_they_are_withdrawn(engine: Engine) -> None:
    first = content_for(["P1", "P2", "P3", "P4"], "first")
    load(engine, first)
    with transaction(engine) as session:
        person = find_participant(session, "P4")
        assert person is not None
        record_step(session, person.id, state="active")
        slot = current_slot(session, person.id)
        assert slot is not None
        assert submit(session, person.id, Submission(slot.public_id, "k", "a"), NOON) == "saved"
    load(engine, replace(first, participants=first.participants[:3]))
    with reading(engine) as session:
        assert len(load_run_state(session).people) == 4


def test_one_whom_a_coordinator_added_is_not_the_rosters_to_remove(engine: Engine) -> None:
    load(engine, content_for(["P1", "P2", "P3"], "first"))
    with transaction(engine) as session:
        person = find_participant(session, "P1")
        assert person is not None
        person.pseudonym, person.folded_pseudonym = "P9", "p9"
    load(engine, content_for(["P1", "P2", "P3"], "second"))
    with reading(engine) as session:
        assert find_participant(session, "P9") is not None
