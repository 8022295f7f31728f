"""Submissions: repeated, doubled, edited, late, or not allowed."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from study_server.store.answering.answers import (
    Outcome,
    Submission,
    SubmissionConflictError,
    submit,
    submit_at_once,
)
from study_server.store.answering.withdrawal import withdraw
from study_server.store.asking.participants import hold_everyone, record_step
from study_server.store.assigning.slots import assign_slot, current_slot, mark_shown, release_slot
from study_server.store.schema.database import reading, transaction
from study_server.store.schema.tables import (
    AnswerTable,
    ExclusionTable,
    ParticipantTable,
    SetAsideTable,
    SlotTable,
    StudyTable,
)
from study_server.store.steering.exporting import read_responses

Study = Callable[..., Any]


@pytest.fixture
def study(small_study_anywhere: Study) -> Any:
    made = small_study_anywhere(people=3, responses=2)
    with transaction(made.engine) as session:
        for number in (1, 2, 3):
            record_step(session, number, state="active")
    return made


def slot_of(session: Session, participant: int) -> Any:
    slot = current_slot(session, participant)
    assert slot is not None
    return slot


def send(
    study: Any, participant: int, slot: str, key: str, raw: Any, at: datetime, **more: Any
) -> Outcome:
    """Send an answer as a page does, which read the slot just before."""
    with reading(study.engine) as session:
        seen_at = session.scalar(select(SlotTable.shown_at).where(SlotTable.public_id == slot))
    submission = Submission(slot, key, raw, **more)
    return submit_at_once(study.engine, participant, submission, seen_at, at)


def answers(study: Any) -> list[Any]:
    with reading(study.engine) as session:
        return list(session.scalars(select(AnswerTable)))


def test_a_repeated_key_is_a_success_that_changes_nothing(study: Any, noon: datetime) -> None:
    with reading(study.engine) as session:
        slot = slot_of(session, 1).public_id
    assert send(study, 1, slot, "k1", "Khmer", noon) is Outcome.SAVED
    assert send(study, 1, slot, "k1", "Khmer", noon) is Outcome.REPEATED
    assert [(one.raw_response, one.edits) for one in answers(study)] == [("Khmer", None)]


def test_a_changed_answer_under_the_same_key_is_an_edit_and_the_last_one_stays(
    study: Any, noon: datetime
) -> None:
    with reading(study.engine) as session:
        slot = slot_of(session, 1).public_id
    # The reply to the first was lost; the page, without scripts, sends its form with one key.
    given = [("Khmer", 2), ("Tamil", 2), ("Tamil", 2), ("Khmer", 2), ("Khmer", 5)]
    outcomes = [send(study, 1, slot, "k1", raw, noon, confidence=c) for raw, c in given]
    assert outcomes == ["saved", "edited", "repeated", "edited", "edited"]
    (answer,) = answers(study)
    assert (answer.raw_response, answer.confidence) == ("Khmer", 5)
    assert [edit["raw_response"] for edit in answer.edits] == ["Khmer", "Tamil", "Khmer"]
    assert [edit.get("confidence") for edit in answer.edits] == [None, None, 2]
    with reading(study.engine) as session:
        assert session.get(ParticipantTable, 1).answered_count == 1


def test_a_changed_answer_that_was_kept_aside_stays_aside_with_both_values(
    study: Any, noon: datetime
) -> None:
    with reading(study.engine) as session:
        slot = slot_of(session, 1).public_id
    set_state(study, "closed")
    outcomes = [send(study, 1, slot, "k", raw, noon) for raw in ("Khmer", "Tamil", "Tamil")]
    assert outcomes == ["surplus", "surplus", "repeated"]
    with reading(study.engine) as session:
        (row,) = [row for row in read_responses(session) if row["status"] == "surplus"]
    assert (row["raw_response"], row["edits"][0]["raw_response"]) == ("Tamil", "Khmer")


def test_the_same_answer_from_a_second_tab_is_one_response(study: Any, noon: datetime) -> None:
    with reading(study.engine) as session:
        slot = slot_of(session, 1).public_id
    send(study, 1, slot, "tab one", "Khmer", noon)
    assert send(study, 1, slot, "tab two", "Khmer", noon) is Outcome.REPEATED
    assert len(answers(study)) == 1
    with reading(study.engine) as session:
        assert session.get(ParticipantTable, 1).answered_count == 1


def test_a_changed_answer_replaces_the_first_which_stays_in_the_audit(
    study: Any, noon: datetime
) -> None:
    with reading(study.engine) as session:
        slot = slot_of(session, 1).public_id
    later = noon + timedelta(minutes=1)
    send(study, 1, slot, "k1", "Khmer", noon)
    assert send(study, 1, slot, "k2", "Tamil", later) is Outcome.EDITED
    # A retry of the first page that was long under way does not bring the old value back.
    assert send(study, 1, slot, "k1", "Khmer", later) is Outcome.REPEATED
    (answer,) = answers(study)
    assert answer.raw_response == "Tamil"
    assert answer.edits == [
        {
            "raw_response": "Khmer",
            "submitted_at": "2026-03-01T12:00:00.000000Z",
            "submission_key": "k1",
        }
    ]


def test_nobody_can_answer_in_somebody_elses_slot(study: Any, noon: datetime) -> None:
    with reading(study.engine) as session:
        slot = slot_of(session, 1).public_id
    assert send(study, 2, slot, "k", "Khmer", noon) is Outcome.UNKNOWN
    assert answers(study) == []


def test_a_keys_author_gets_no_free_slot_of_it_by_any_form(study: Any, noon: datetime) -> None:
    # The author's own slot was taken away, and the exclusion noted, while their page was open.
    with transaction(study.engine) as session:
        held = slot_of(session, 1)
        release_slot(session, held.question_id, held.response_index, noon)
        session.execute(
            insert(ExclusionTable).values(
                participant_id=1, question_id=held.question_id, reason="role"
            )
        )
        free = session.scalar(
            select(SlotTable.public_id).where(
                SlotTable.question_id == held.question_id, SlotTable.participant_id.is_(None)
            )
        )
    assert free is not None
    assert send(study, 1, held.public_id, "k1", "Khmer", noon) is Outcome.SURPLUS
    assert send(study, 1, free, "k2", "Khmer", noon) is Outcome.UNKNOWN
    assert answers(study) == []


def test_a_key_cannot_be_used_for_two_slots(study: Any, noon: datetime) -> None:
    with reading(study.engine) as session:
        first = slot_of(session, 1).public_id
    send(study, 1, first, "k", "Khmer", noon)
    with reading(study.engine) as session:
        second = slot_of(session, 1).public_id
    with pytest.raises(SubmissionConflictError):
        send(study, 1, second, "k", "Khmer", noon)
    assert len(answers(study)) == 1


def released(study: Any, at: datetime) -> Any:
    """Participant 1 opens a slot and loses it."""
    with transaction(study.engine) as session:
        slot = slot_of(session, 1)
        release_slot(session, slot.question_id, slot.response_index, at)
    return slot


def test_a_late_answer_takes_the_slot_that_is_still_free(study: Any, noon: datetime) -> None:
    slot = released(study, noon)
    assert send(study, 1, slot.public_id, "k", "Khmer", noon) is Outcome.SAVED
    (answer,) = answers(study)
    assert (answer.question_id, answer.response_index) == (slot.question_id, slot.response_index)
    with reading(study.engine) as session:
        assert session.get(ParticipantTable, 1).assigned_count == 4


def test_a_late_answer_to_a_taken_slot_is_kept_as_surplus_once(study: Any, noon: datetime) -> None:
    slot = released(study, noon)
    with transaction(study.engine) as session:
        held = session.scalars(
            select(SlotTable.participant_id).where(
                SlotTable.question_id == slot.question_id, SlotTable.participant_id.is_not(None)
            )
        ).all()
        other = next(number for number in (2, 3) if number not in held)
        assert assign_slot(session, slot.question_id, slot.response_index, other, 1, 99)
    assert send(study, 1, slot.public_id, "k", "Khmer", noon) is Outcome.SURPLUS
    assert send(study, 1, slot.public_id, "k", "Khmer", noon) is Outcome.REPEATED
    assert answers(study) == []
    with reading(study.engine) as session:
        rows = [row for row in read_responses(session) if row["status"] == "surplus"]
    assert [(row["raw_response"], row["response_index"]) for row in rows] == [("Khmer", None)]


def test_a_late_answer_never_exceeds_a_quota(study: Any, noon: datetime) -> None:
    slot = released(study, noon)
    with transaction(study.engine) as session:
        record_step(session, 1, quota=3)
    assert send(study, 1, slot.public_id, "k", "Khmer", noon) is Outcome.SURPLUS


def test_who_has_left_is_refused_and_who_is_paused_is_not(study: Any, noon: datetime) -> None:
    with transaction(study.engine) as session:
        slot = slot_of(session, 1).public_id
        record_step(session, 1, state="withdrawn")
    assert send(study, 1, slot, "k", "Khmer", noon) is Outcome.REFUSED
    with transaction(study.engine) as session:
        record_step(session, 1, state="paused")
    assert send(study, 1, slot, "k", "Khmer", noon) is Outcome.SAVED


def test_active_time_is_never_negative_nor_above_the_servers(study: Any, noon: datetime) -> None:
    with transaction(study.engine) as session:
        slot = slot_of(session, 1)
        mark_shown(session, slot.public_id, 1, noon)
    later = noon + timedelta(seconds=10)
    send(study, 1, slot.public_id, "k", "Khmer", later, active_seconds=999.0)
    assert answers(study)[0].active_seconds == 10.0


def test_a_clock_set_back_never_makes_an_answer_older_than_its_question(
    study: Any, noon: datetime
) -> None:
    with transaction(study.engine) as session:
        slot = slot_of(session, 1)
        mark_shown(session, slot.public_id, 1, noon)
    send(study, 1, slot.public_id, "k", "Khmer", noon - timedelta(hours=1))
    assert answers(study)[0].submitted_at == noon


@pytest.mark.parametrize(
    "change",
    [
        {"response_index": 2},
        {"submission_key": "k2"},
        {"participant_id": None},
        {"submission_key": None},
        {"response_index": 3, "participant_id": 3, "submission_key": "k3"},
    ],
)
def test_the_schema_itself_refuses_a_second_answer_of_a_person_or_a_slot(
    study: Any, noon: datetime, change: dict[str, Any]
) -> None:
    # Question 1 has the two slots of people 1 and 2; there is no third.
    row = {
        "question_id": 1,
        "response_index": 1,
        "participant_id": 1,
        "submission_key": "k1",
        "raw_response": "Khmer",
        "shown_at": noon,
        "submitted_at": noon,
    }
    with transaction(study.engine) as session:
        session.execute(insert(AnswerTable), row)
    kept = {**row, "question_id": 1, **change}
    with pytest.raises(IntegrityError), transaction(study.engine) as session:
        session.execute(insert(AnswerTable), kept)


def test_a_closed_study_keeps_a_late_answer_as_surplus(study: Any, noon: datetime) -> None:
    with transaction(study.engine) as session:
        session.execute(update(StudyTable).values(state="closed"))
        slot = slot_of(session, 1).public_id
    assert send(study, 1, slot, "k", "Khmer", noon) is Outcome.SURPLUS
    with reading(study.engine) as session:
        assert session.scalar(select(func.count()).select_from(SetAsideTable)) == 1


def test_the_shorter_way_in_stores_what_the_longer_one_does(study: Any, noon: datetime) -> None:
    given = {
        "raw_response": ["Khmer", "Tamil"],
        "option_order": ("Tamil", "Khmer"),
        "active_seconds": 3.5,
        "confidence": 4,
        "comment": "worn",
        "adjustments": {"brightness": 120.0, "contrast": 100.0},
    }
    later, ways = noon + timedelta(seconds=20), []
    for more in (given, {"raw_response": 5}):
        with transaction(study.engine) as session:
            first = slot_of(session, 1).public_id
            mark_shown(session, first, 1, noon)
            submit(session, 1, Submission(first, f"long {len(more)}", **more), later)
            second = slot_of(session, 1).public_id
            mark_shown(session, second, 1, noon)
        sent = Submission(second, f"short {len(more)}", **more)
        assert submit_at_once(study.engine, 1, sent, noon, later) is Outcome.SAVED
        ways.append((f"long {len(more)}", f"short {len(more)}"))
    own = {"question_id", "response_index", "submission_key"}
    columns = [column for column in AnswerTable.__table__.columns if column.name not in own]
    with reading(study.engine) as session:
        for pair in ways:
            rows = session.execute(
                select(*columns).where(AnswerTable.submission_key.in_(pair))
            ).all()
            assert len(rows) == 2
            assert rows[0] == rows[1]
        slots = session.execute(
            select(SlotTable.shown_at, SlotTable.answered_at, SlotTable.lease_expires_at).where(
                SlotTable.answered_at.is_not(None)
            )
        ).all()
        person = session.get(ParticipantTable, 1)
        assert (person.answered_count, person.last_seen_at) == (4, later)
    assert [tuple(slot) for slot in slots] == [(noon, later, None)] * 4


def test_a_slot_that_was_shown_meanwhile_is_answered_all_the_same(
    study: Any, noon: datetime
) -> None:
    with transaction(study.engine) as session:
        slot = slot_of(session, 1).public_id
        mark_shown(session, slot, 1, noon)
    later = noon + timedelta(seconds=20)
    sent = Submission(slot, "k", "Khmer")
    assert submit_at_once(study.engine, 1, sent, None, later) is Outcome.SAVED
    (answer,) = answers(study)
    assert (answer.shown_at, answer.submitted_at) == (noon, later)


def test_an_answer_that_waits_for_a_replan_meets_what_it_left(study: Any, noon: datetime) -> None:
    with transaction(study.engine) as session:
        slot = slot_of(session, 1)
    with ThreadPoolExecutor(1) as pool:
        with transaction(study.engine) as session:
            hold_everyone(session)
            coming = pool.submit(send, study, 1, slot.public_id, "k", "Khmer", noon)
            time.sleep(0.3)
            assert not coming.done()
            release_slot(session, slot.question_id, slot.response_index, noon)
            session.execute(
                update(SlotTable)
                .where(
                    SlotTable.question_id == slot.question_id,
                    SlotTable.response_index == slot.response_index,
                )
                .values(participant_id=3)
            )
        assert coming.result(30) is Outcome.SURPLUS
    assert answers(study) == []
    with reading(study.engine) as session:
        assert session.get(ParticipantTable, 1).answered_count == 0


def set_state(study: Any, state: str) -> None:
    with transaction(study.engine) as session:
        session.execute(update(StudyTable).values(state=state))


def kept(study: Any) -> list[tuple[str, str]]:
    """Give (what was answered, status) of every response, in order."""
    with reading(study.engine) as session:
        return sorted((row["raw_response"], row["status"]) for row in read_responses(session))


def test_an_answer_kept_aside_while_the_study_was_closed_is_taken_when_it_comes_again(
    study: Any, noon: datetime
) -> None:
    with reading(study.engine) as session:
        slot = slot_of(session, 1).public_id
    set_state(study, "closed")
    assert send(study, 1, slot, "k", "Khmer", noon) is Outcome.SURPLUS
    set_state(study, "open")
    assert send(study, 1, slot, "k", "Khmer", noon) is Outcome.SAVED
    assert send(study, 1, slot, "k", "Khmer", noon) is Outcome.REPEATED
    assert kept(study) == [("Khmer", "answered")]
    with transaction(study.engine) as session:
        assert withdraw(session, 1, noon, "test")
    assert kept(study) == [("Khmer", "withdrawn")]


def test_an_answer_kept_aside_does_not_replace_the_one_given_since(
    study: Any, noon: datetime
) -> None:
    with reading(study.engine) as session:
        slot = slot_of(session, 1).public_id
    set_state(study, "closed")
    assert send(study, 1, slot, "k1", "Khmer", noon) is Outcome.SURPLUS
    set_state(study, "open")
    assert send(study, 1, slot, "k2", "Tamil", noon) is Outcome.SAVED
    assert send(study, 1, slot, "k1", "Khmer", noon) is Outcome.REPEATED
    assert kept(study) == [("Khmer", "surplus"), ("Tamil", "answered")]
    with transaction(study.engine) as session:
        assert withdraw(session, 1, noon, "test")
