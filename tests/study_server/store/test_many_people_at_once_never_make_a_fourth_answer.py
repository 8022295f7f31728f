"""Concurrency: exactly k distinct people a question, whatever happens at the same moment."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import delete, func, insert, select

from study_server.store.answering.answers import Outcome, Submission, submit, submit_at_once
from study_server.store.asking.participants import Visitor, record_step, recount
from study_server.store.assigning.leases import claim_slot, free_expired_leases
from study_server.store.assigning.slots import current_slot
from study_server.store.schema.database import reading, transaction
from study_server.store.schema.tables import (
    AnswerTable,
    ExclusionTable,
    ParticipantTable,
    SlotTable,
    StudyTable,
)

Study = Callable[..., Any]
PEOPLE = 12
RESPONSES = 3
LEASE = timedelta(minutes=30)


@pytest.fixture
def open_study(small_study_anywhere: Study) -> Any:
    """12 people, 12 questions, 3 answers each, every slot free."""
    study = small_study_anywhere(people=PEOPLE, responses=RESPONSES, rounds=2)
    with transaction(study.engine) as session:
        session.execute(SlotTable.__table__.update().values(participant_id=None))
        row = session.get(StudyTable, 1)
        row.settings = row.settings | {"assignment": row.settings["assignment"] | {"mode": "open"}}
        for number in range(1, PEOPLE + 1):
            record_step(session, number, state="active")
        recount(session)
    return study


def visitor(number: int, quota: int | None = None) -> Visitor:
    return Visitor(
        number, f"P{number:02}", "active", "open", False, 0, "en", None, None, None, 1, 0, 0, None,
        quota,
    )  # fmt: skip


def claim(study: Any, number: int, at: datetime) -> Any:
    """Take the next slot and show it, like a page would."""
    with transaction(study.engine) as session:
        slot = current_slot(session, number)
        if slot is None and claim_slot(session, visitor(number), 32, LEASE, at):
            slot = current_slot(session, number)
        return slot


def work(study: Any, number: int, at: datetime) -> int:
    """Answer until nothing is left; every submission is sent twice."""
    answered = 0
    while True:
        slot = claim(study, number, at)
        if slot is None:
            return answered
        sent = Submission(slot.public_id, f"{number}-{slot.public_id}", "Khmer")
        first = submit_at_once(study.engine, number, sent, slot.shown_at, at)
        again = submit_at_once(study.engine, number, sent, slot.shown_at, at)
        assert again is Outcome.REPEATED
        assert first is Outcome.SAVED
        answered += 1


def holders(study: Any) -> dict[int, list[int]]:
    with reading(study.engine) as session:
        rows = session.execute(select(AnswerTable.question_id, AnswerTable.participant_id)).all()
    found: dict[int, list[int]] = {}
    for question, person in rows:
        found.setdefault(question, []).append(person)
    return found


def test_everyone_working_at_once_makes_exactly_three_distinct_answers(
    open_study: Any, noon: datetime
) -> None:
    with ThreadPoolExecutor(PEOPLE) as pool:
        counts = list(pool.map(lambda n: work(open_study, n, noon), range(1, PEOPLE + 1)))
    found = holders(open_study)
    assert sum(counts) == 36
    assert {len(people) for people in found.values()} == {3}
    assert all(len(set(people)) == 3 for people in found.values())


def test_outstanding_leases_count_before_anybody_submits(open_study: Any, noon: datetime) -> None:
    # All 12 fetch their first question at the same moment: 36 slots, no question held 4 times.
    ready = threading.Barrier(PEOPLE)

    def fetch(number: int) -> Any:
        ready.wait()
        return claim(open_study, number, noon)

    with ThreadPoolExecutor(PEOPLE) as pool:
        slots = list(pool.map(fetch, range(1, PEOPLE + 1)))
    assert len({(slot.question_id, slot.response_index) for slot in slots}) == PEOPLE
    assert max(Counter(slot.question_id for slot in slots).values()) <= RESPONSES


def test_two_submissions_at_the_same_instant_are_one(open_study: Any, noon: datetime) -> None:
    slot = claim(open_study, 1, noon)
    ready = threading.Barrier(4)

    def send(number: int) -> Outcome:
        sent = Submission(slot.public_id, f"tab {number % 2}", "Khmer")
        ready.wait()
        return submit_at_once(open_study.engine, 1, sent, slot.shown_at, noon)

    with ThreadPoolExecutor(4) as pool:
        outcomes = sorted(pool.map(send, range(4)))
    assert outcomes == [Outcome.REPEATED] * 3 + [Outcome.SAVED]
    assert [len(people) for people in holders(open_study).values()] == [1]


def test_a_conflicted_person_is_never_given_the_last_slot(open_study: Any, noon: datetime) -> None:
    with transaction(open_study.engine) as session:
        for question in range(1, 13):
            session.execute(
                insert(ExclusionTable).values(participant_id=1, question_id=question, reason="role")
            )
    assert claim(open_study, 1, noon) is None


def test_the_one_open_question_among_many_leased_ones_is_found(
    open_study: Any, noon: datetime
) -> None:
    taken = 0
    for number in range(1, PEOPLE):
        while taken < 35 and claim(open_study, number, noon) is not None:
            taken += 1
            with transaction(open_study.engine) as session:
                # Put it out of this person's way, still held, so that they take another.
                slot = current_slot(session, number)
                session.execute(
                    SlotTable.__table__.update()
                    .where(SlotTable.public_id == slot.public_id)
                    .values(answered_at=noon)
                )
    assert taken == 35
    assert claim(open_study, PEOPLE, noon) is not None


def test_an_absent_persons_lease_runs_out_and_finished_work_is_untouched(
    open_study: Any, noon: datetime
) -> None:
    held = claim(open_study, 1, noon)
    done = claim(open_study, 2, noon)
    with transaction(open_study.engine) as session:
        submit(session, 2, Submission(done.public_id, "k", "Khmer"), noon)
    for _ in range(2):
        with transaction(open_study.engine) as session:
            free_expired_leases(session, noon + 2 * LEASE)
    with reading(open_study.engine) as session:
        assert session.get(ParticipantTable, 1).assigned_count == 0
        assert session.scalar(select(func.count()).select_from(AnswerTable)) == 1
        assert current_slot(session, 1) is None
    # Their late answer still finds the free slot.
    with transaction(open_study.engine) as session:
        late = submit(session, 1, Submission(held.public_id, "late", "Khmer"), noon + 3 * LEASE)
    assert late is Outcome.SAVED


def test_leases_outlive_a_restart(open_study: Any, noon: datetime) -> None:
    slots = [claim(open_study, number, noon) for number in range(1, 6)]
    open_study.engine.dispose()
    others = [claim(open_study, number, noon) for number in range(6, 12)]
    first = {(slot.question_id, slot.response_index) for slot in slots}
    assert first.isdisjoint((slot.question_id, slot.response_index) for slot in others)


def test_a_quota_ends_a_persons_work(open_study: Any, noon: datetime) -> None:
    with transaction(open_study.engine) as session:
        record_step(session, 1, quota=2)
    answered = 0
    for _ in range(4):
        with transaction(open_study.engine) as session:
            if not claim_slot(session, visitor(1, quota=2), 32, LEASE, noon):
                break
            slot = current_slot(session, 1)
            submit(session, 1, Submission(slot.public_id, f"k{answered}", "Khmer"), noon)
            answered += 1
    assert answered == 2


def test_counts_kept_on_the_way_equal_what_the_tables_hold(open_study: Any, noon: datetime) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: work(open_study, n, noon), range(1, 5)))
    with transaction(open_study.engine) as session:
        kept = session.execute(
            select(ParticipantTable.assigned_count, ParticipantTable.answered_count)
        ).all()
        recount(session)
        fresh = session.execute(
            select(ParticipantTable.assigned_count, ParticipantTable.answered_count)
        ).all()
        session.execute(delete(ExclusionTable))
    assert kept == fresh
