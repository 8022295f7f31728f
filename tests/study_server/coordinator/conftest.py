"""A study in a database, without a server: 24 questions, 8 people, 9 answers each."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine, select

from sampling.answers.vocabularies import AnswerFormat, Vocabulary
from sampling.assignment.plan import Slot
from sampling.assignment.roster import Participant
from sampling.study.questions import Question
from sampling.study.study_toml import parse_definition
from study_server.store.answering.answers import Submission, submit
from study_server.store.asking.content import StudyContent
from study_server.store.asking.participants import find_participant, record_step
from study_server.store.asking.sync import synchronize
from study_server.store.schema.database import open_engine, transaction
from study_server.store.schema.tables import SlotTable
from study_server.store.steering.coordination import Decision

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
PEOPLE = [f"P{number}" for number in range(1, 9)]


@dataclass
class SmallStudy:
    """A loaded study and what tests do with it."""

    engine: Engine
    minutes: int = 0

    def decision(self, reason: str = "because") -> Decision:
        self.minutes += 1
        return Decision(NOON + timedelta(minutes=self.minutes), "coordinator:maria", reason)

    def answer(self, pseudonym: str, count: int = 1000, value: str = "leaf") -> int:
        """Let somebody answer up to `count` of what they hold, in order."""
        answered = 0
        with transaction(self.engine) as session:
            person = find_participant(session, pseudonym)
            assert person is not None
            record_step(session, person.id, state="active", last_seen_at=self.decision().at)
            slots = session.scalars(
                select(SlotTable.public_id)
                .where(SlotTable.participant_id == person.id, SlotTable.answered_at.is_(None))
                .order_by(SlotTable.position)
            ).all()
            for slot in slots[:count]:
                key = f"{pseudonym}-{self.minutes}"
                sent = Submission(slot, key, value, active_seconds=12.0, comment="blue thread")
                assert submit(session, person.id, sent, self.decision().at) == "saved"
                answered += 1
        return answered


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def small(
    request: pytest.FixtureRequest, tmp_path: Path, migrated_file: Path
) -> Iterator[SmallStudy]:
    """The small study on each database."""
    url = f"sqlite:///{tmp_path / 'study.db'}"
    if request.param == "postgresql":
        url = request.getfixturevalue("postgres_url")
    else:
        shutil.copyfile(migrated_file, tmp_path / "study.db")
    engine = open_engine(url)
    with transaction(engine) as session:
        synchronize(session, small_content(), NOON)
    yield SmallStudy(engine)
    engine.dispose()


@pytest.fixture
def content() -> Callable[[], StudyContent]:
    """What the small study asks."""
    return small_content


def small_content() -> StudyContent:
    definition = parse_definition(
        {
            "study": {"name": "Small", "seed": "small"},
            "benchmark": {"questions": "q.jsonl", "vocabularies": "v.json"},
            "sample": {"strata": ["category"], "per_stratum": 1},
            "assignment": {"questions_per_session": 9},
        }
    ).model_dump(mode="json")
    settings = {name: definition[name] for name in ("server", "consent", "assignment", "text")}
    cells = [(collection, category) for collection in "ABC" for category in ("Material", "Damage")]
    questions = [
        Question(f"q{n:02d}", f"i{n:02d}.png", cells[n % 6][1], "What?", cells[n % 6][0])
        for n in range(24)
    ]
    reserve = [
        Question(f"r{n:02d}", f"j{n:02d}.png", cells[n % 6][1], "What?", cells[n % 6][0])
        for n in range(12)
    ]
    positions = dict.fromkeys(PEOPLE, 0)
    slots = []
    for n, question in enumerate(questions):
        for index in range(3):
            person = PEOPLE[(3 * n + index) % 8]
            positions[person] += 1
            slots.append(Slot(person, question.sample_id, index + 1, 1, positions[person]))
    return StudyContent(
        name="Small",
        responses_per_question=3,
        settings={**settings, "texts": {}, "order_seed": "small", "display": {}},
        digests={"plan": "of the test"},
        vocabularies={
            "benchmark": {
                name: Vocabulary(name, AnswerFormat.SINGLE, ("leaf", "paper", "stone"))
                for name in ("Material", "Damage")
            }
        },
        questions=tuple(questions),
        participants=tuple(Participant(name) for name in PEOPLE),
        read_slots=lambda: tuple(slots),
        reserve=tuple(reserve),
        exclusions=frozenset({("P1", "r01")}),
    )
