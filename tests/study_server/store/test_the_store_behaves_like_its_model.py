"""A state machine over the store: whatever happens in whatever order, the promises hold."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import func, select, text, update

from sampling.answers.vocabularies import AnswerFormat, Vocabulary
from sampling.assignment.plan import Slot
from sampling.assignment.roster import Participant
from sampling.study.questions import Question
from study_server.store.answering.answers import Outcome, Submission, submit_at_once
from study_server.store.answering.skips import skip
from study_server.store.answering.withdrawal import erase, withdraw
from study_server.store.asking.content import StudyContent
from study_server.store.asking.participants import record_step
from study_server.store.asking.sync import synchronize
from study_server.store.assigning.slots import assign_slot, current_slot, mark_shown, release_slot
from study_server.store.schema.database import open_engine, reading, transaction
from study_server.store.schema.migration import migrate
from study_server.store.schema.tables import (
    AnswerTable,
    ExclusionTable,
    ParticipantTable,
    SetAsideTable,
    SlotTable,
    StudyTable,
)

pytestmark = pytest.mark.slow

START = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
PEOPLE = 4
QUESTIONS = 3
RESPONSES = 2
person_numbers = st.integers(1, PEOPLE)
labels = st.sampled_from(["yes", "no"])


def content() -> StudyContent:
    """Three questions, two answers each, planned for four people."""
    names = [f"P{number}" for number in range(1, PEOPLE + 1)]
    slots, counted = [], Counter[str]()
    for question in range(QUESTIONS):
        for index in range(RESPONSES):
            name = names[(question + index) % PEOPLE]
            counted[name] += 1
            slots.append(Slot(name, f"q{question}", index + 1, 1, counted[name]))
    return StudyContent(
        name="model",
        responses_per_question=RESPONSES,
        settings={},
        digests={"all": "1"},
        vocabularies={"benchmark": {"c": Vocabulary("c", AnswerFormat.BINARY, ("yes", "no"))}},
        questions=tuple(Question(f"q{n}", f"{n}.jpg", "c", "?") for n in range(QUESTIONS)),
        participants=tuple(Participant(name) for name in names),
        read_slots=lambda: tuple(slots),
    )


class StoreMachine(RuleBasedStateMachine):
    """Pages seen so far, what was acknowledged, and who has gone."""

    def __init__(self, postgres_url: str | None, migrated_file: Path) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.engine = open_engine(postgres_url or f"sqlite:///{self.folder.name}/study.db")
        if postgres_url is None:
            shutil.copyfile(migrated_file, f"{self.folder.name}/study.db")
        else:
            with transaction(self.engine) as session:
                session.execute(text("DROP SCHEMA public CASCADE"))
                session.execute(text("CREATE SCHEMA public"))
            migrate(self.engine)
        self.now = START
        with transaction(self.engine) as session:
            synchronize(session, content(), START)
            for number in range(1, PEOPLE + 1):
                record_step(session, number, state="active")
        # Tokens a browser may still show, by person; keys that were sent, with their answer.
        self.pages: dict[int, list[str]] = {number: [] for number in range(1, PEOPLE + 1)}
        self.acknowledged: dict[tuple[int, str], str] = {}
        self.gone: set[int] = set()
        self.erased: set[int] = set()
        self.sent: list[tuple[int, Submission]] = []

    def teardown(self) -> None:
        self.engine.dispose()
        self.folder.cleanup()

    @rule(person=person_numbers, noted=st.booleans())
    def look(self, person: int, noted: bool) -> None:
        """Open the question page; a power cut may take back that it was shown."""
        with transaction(self.engine) as session:
            slot = current_slot(session, person)
            if slot is not None and noted:
                mark_shown(session, slot.public_id, person, self.now)
        if slot is not None:
            self.pages[person].append(slot.public_id)

    @rule(
        person=person_numbers,
        which=st.integers(0, 5),
        answer=labels,
        again=st.booleans(),
        stale=st.booleans(),
    )
    def send(self, person: int, which: int, answer: str, again: bool, stale: bool) -> None:
        """Send any page that was ever seen, perhaps twice with one key."""
        if not self.pages[person]:
            return
        slot = self.pages[person][which % len(self.pages[person])]
        submission = Submission(slot, f"key {len(self.sent)}", answer)
        self.sent.append((person, submission))
        for _ in range(2 if again else 1):
            outcome = self.submit(person, submission, stale)
        if person in self.gone:
            assert outcome is Outcome.REFUSED
        elif outcome is not Outcome.UNKNOWN:
            self.acknowledged[person, slot] = answer

    @precondition(lambda self: self.sent)
    @rule(which=st.integers(0, 100))
    def send_again(self, which: int) -> None:
        """Send what was sent before, however long ago, as a browser does that got no reply."""
        person, submission = self.sent[which % len(self.sent)]
        outcome = self.submit(person, submission, stale=False)
        if person in self.gone:
            assert outcome is Outcome.REFUSED
        elif outcome is not Outcome.UNKNOWN:
            self.acknowledged[person, submission.slot] = str(submission.raw_response)

    @rule(state=st.sampled_from(["open", "closed"]))
    def set_state(self, state: str) -> None:
        """The coordinator closes the study, or opens it again."""
        with transaction(self.engine) as session:
            session.execute(update(StudyTable).values(state=state))

    @rule(person=person_numbers, other=person_numbers, answer=labels)
    def send_somebody_elses(self, person: int, other: int, answer: str) -> None:
        """Send a page that belongs to somebody else: it never changes anything of theirs."""
        if person == other or not self.pages[other] or person in self.gone:
            return
        slot = self.pages[other][-1]
        outcome = self.submit(person, Submission(slot, f"stolen {slot}", answer), stale=False)
        assert outcome is Outcome.UNKNOWN

    def submit(self, person: int, submission: Submission, stale: bool) -> Outcome:
        """Send as a page does, which read the slot before; `stale` if it has changed since."""
        with reading(self.engine) as session:
            shown = session.scalar(
                select(SlotTable.shown_at).where(SlotTable.public_id == submission.slot)
            )
        seen_at = START - timedelta(days=1) if stale else shown
        return submit_at_once(self.engine, person, submission, seen_at, self.now)

    @rule(question=st.integers(1, QUESTIONS), index=st.integers(1, RESPONSES))
    def release(self, question: int, index: int) -> None:
        with transaction(self.engine) as session:
            release_slot(session, question, index, self.now)

    @rule(
        question=st.integers(1, QUESTIONS), index=st.integers(1, RESPONSES), person=person_numbers
    )
    def give(self, question: int, index: int, person: int) -> None:
        """Give a free slot to somebody who may have it, as a re-plan does."""
        with transaction(self.engine) as session:
            barred = session.scalar(
                select(func.count())
                .select_from(ExclusionTable)
                .where(
                    ExclusionTable.participant_id == person,
                    ExclusionTable.question_id == question,
                )
            )
            holds = session.scalar(
                select(func.count())
                .select_from(SlotTable)
                .where(SlotTable.participant_id == person, SlotTable.question_id == question)
            )
            if not barred and not holds and person not in self.gone:
                assign_slot(session, question, index, person, 1, 50)

    @rule(person=person_numbers)
    def leave_out(self, person: int) -> None:
        """Say that one cannot tell."""
        if not self.pages[person] or person in self.gone:
            return
        slot = self.pages[person][-1]
        with transaction(self.engine) as session:
            skip(session, person, slot, f"skip {slot}", "too dark", self.now)

    @precondition(lambda self: len(self.gone) < 2)
    @rule(person=person_numbers, for_good=st.booleans())
    def leave(self, person: int, for_good: bool) -> None:
        act = erase if for_good else withdraw
        with transaction(self.engine) as session:
            act(session, person, self.now, "test")
        self.gone.add(person)
        if for_good:
            self.erased.add(person)

    @rule(minutes=st.integers(-30, 60))
    def wait(self, minutes: int) -> None:
        """Time passes, or the clock is set back."""
        self.now = max(START, self.now + timedelta(minutes=minutes))

    @invariant()
    def no_question_has_too_many_answers(self) -> None:
        with reading(self.engine) as session:
            rows = session.execute(
                select(AnswerTable.question_id, AnswerTable.participant_id)
            ).all()
        assert max(Counter(row.question_id for row in rows).values(), default=0) <= RESPONSES
        assert len({tuple(row) for row in rows}) == len(rows)
        assert not self.gone & {row.participant_id for row in rows}

    @invariant()
    def slots_and_answers_agree(self) -> None:
        with reading(self.engine) as session:
            answered = session.execute(
                select(SlotTable.question_id, SlotTable.response_index, SlotTable.participant_id)
                .where(SlotTable.answered_at.is_not(None))
                .order_by(SlotTable.question_id, SlotTable.response_index)
            ).all()
            stored = session.execute(
                select(
                    AnswerTable.question_id, AnswerTable.response_index, AnswerTable.participant_id
                ).order_by(AnswerTable.question_id, AnswerTable.response_index)
            ).all()
            slots = session.scalar(select(func.count()).select_from(SlotTable))
        assert answered == stored
        assert slots == QUESTIONS * RESPONSES

    @invariant()
    def every_submission_is_kept_in_one_place(self) -> None:
        with reading(self.engine) as session:
            kept = [
                *session.scalars(select(AnswerTable.submission_key)),
                *session.scalars(select(SetAsideTable.submission_key)),
            ]
        assert len(set(kept)) == len(kept)

    @invariant()
    def counts_agree(self) -> None:
        with reading(self.engine) as session:
            for person in session.scalars(select(ParticipantTable)):
                held = session.scalar(
                    select(func.count()).where(SlotTable.participant_id == person.id)
                )
                given = session.scalar(
                    select(func.count()).where(AnswerTable.participant_id == person.id)
                )
                assert (person.assigned_count, person.answered_count) == (held, given)

    @invariant()
    def what_was_acknowledged_is_kept(self) -> None:
        """In a slot or set aside; only an erasure deletes it, and then everything."""
        with reading(self.engine) as session:
            kept: Counter[int] = Counter()
            for table in (AnswerTable, SetAsideTable):
                kept.update(session.scalars(select(table.participant_id)))
        for person, _slot in self.acknowledged:
            assert (kept[person] > 0) == (person not in self.erased)
        assert not self.erased & set(kept)


def test_the_store_behaves_like_its_model(
    kind_of_database: str, request: pytest.FixtureRequest, migrated_file: Path
) -> None:
    postgres = kind_of_database == "postgres"
    url = request.getfixturevalue("postgres_url") if postgres else None
    run_state_machine_as_test(
        lambda: StoreMachine(url, migrated_file),
        settings=settings(
            max_examples=6 if postgres else 25,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )
