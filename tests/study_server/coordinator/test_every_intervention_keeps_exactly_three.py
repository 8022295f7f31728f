"""Interventions in the database: each with its event, never a fourth answer, nothing lost."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from sqlalchemy import func, select

from sampling.record.event_log import check_chain
from sampling.study.errors import StudyError
from study_server.store.answering.withdrawal import erase, withdraw
from study_server.store.assigning.run_state import load_run_state
from study_server.store.schema.database import reading, transaction
from study_server.store.schema.events import latest_events, read_log
from study_server.store.schema.tables import (
    AnswerTable,
    ExclusionTable,
    ParticipantTable,
    QuestionTable,
    SetAsideTable,
    SlotTable,
    StudyTable,
)
from study_server.store.steering import coordination as change
from study_server.store.steering.replacement import replace_question, reserve_of, sampled_questions
from study_server.store.steering.replanning import replan_study

EVERYONE = [f"P{number}" for number in range(1, 9)]


def finish(small: Any) -> None:
    """Let everybody answer all they hold, then check the three rules that never give way."""
    for pseudonym in EVERYONE:
        small.answer(pseudonym)
    with reading(small.engine) as session:
        pairs = session.execute(
            select(AnswerTable.question_id, AnswerTable.participant_id)
            .join(QuestionTable, QuestionTable.id == AnswerTable.question_id)
            .where(QuestionTable.state == "active")
        ).all()
        assert set(Counter(question for question, _ in pairs).values()) == {3}
        assert (len(pairs), len(set(pairs))) == (72, 72)
        for person in session.scalars(select(ParticipantTable)):
            answered = sum(person.id == one for _, one in pairs)
            assert (person.answered_count, person.assigned_count) == (answered, answered)
        assert check_chain(read_log(session)) == ()


def last_event(small: Any) -> tuple[str, str, str]:
    with reading(small.engine) as session:
        event = latest_events(session, 1)[0]
    return event.action, event.subject, event.reason


def test_pausing_and_closing_the_study_are_events(small: Any) -> None:
    with transaction(small.engine) as session:
        assert change.set_study_state(session, "paused", small.decision("a holiday"))
        assert not change.set_study_state(session, "paused", small.decision())
    assert last_event(small) == ("study.paused", "study", "a holiday")
    with transaction(small.engine) as session:
        change.set_study_state(session, "closed", small.decision("all is in"))
        assert session.scalars(select(StudyTable.state)).one() == "closed"
    assert last_event(small)[0] == "study.closed"


def test_a_paused_person_keeps_what_they_hold_through_a_new_plan(small: Any) -> None:
    small.answer("P2", 2)
    with transaction(small.engine) as session:
        change.set_person_paused(session, "p2 ", small.decision("ill"), paused=True)
        found = replan_study(session, small.decision())
    assert found.moves == ()
    with reading(small.engine) as session:
        people = {one.pseudonym: one for one in load_run_state(session).people}
    assert (people["P2"].state, people["P2"].held) == ("paused", 7)
    finish(small)


def test_released_slots_go_to_others_whose_limits_allow_it(small: Any) -> None:
    small.answer("P3", 4)
    with transaction(small.engine) as session:
        assert change.raise_limits(session, 10, small.decision("P3 is gone")) == 8
        assert change.release_person(session, "P3", small.decision("P3 is gone")) == 5
        session.expire_all()
        change.set_quota(session, "P3", 4, small.decision("P3 is gone"))
        found = replan_study(session, small.decision("P3 is gone"))
    assert (len(found.moves), found.unplaced) == (5, ())
    assert "P3" not in {move.taker for move in found.moves}
    finish(small)


def test_what_is_above_a_lower_limit_goes_to_others(small: Any) -> None:
    small.answer("P3", 4)
    with transaction(small.engine) as session:
        change.raise_limits(session, 10, small.decision("somebody has less time"))
        change.set_quota(session, "P3", 6, small.decision("less time"))
        found = replan_study(session, small.decision("less time"))
    # P3 holds 9, of which 4 are answered: three are above a limit of 6.
    assert [move.giver for move in found.moves] == ["P3"] * 3
    assert found.unplaced == ()
    finish(small)


def test_a_limit_below_what_is_answered_is_refused(small: Any) -> None:
    small.answer("P1", 6)
    with (
        pytest.raises(StudyError, match="has answered 6 questions already, more than 5"),
        transaction(small.engine) as session,
    ):
        change.set_quota(session, "P1", 5, small.decision())


def test_a_late_joiner_takes_an_equal_share(small: Any) -> None:
    small.answer("P1", 3)
    with transaction(small.engine) as session:
        change.add_person(session, " P9 ", None, {"q00", "r00"}, small.decision("to be safe"))
        found = replan_study(session, small.decision("to be safe"), level=True)
        taken = [move.sample_id for move in found.moves if move.taker == "P9"]
    # 69 answers are open for nine people: seven or eight each.
    assert len(taken) in {6, 7, 8}
    assert "q00" not in taken
    small.answer("P9")
    finish(small)


def test_one_person_cannot_join_twice(small: Any) -> None:
    with pytest.raises(StudyError, match="there already"), transaction(small.engine) as session:
        change.add_person(session, "p8", None, set(), small.decision())


def test_a_new_link_ends_the_old_one_and_its_token_is_in_no_event(small: Any) -> None:
    with transaction(small.engine) as session:
        first = change.new_link(session, "P1", small.decision())
    assert last_event(small)[0] == "link.created"
    with transaction(small.engine) as session:
        second = change.new_link(session, "P1", small.decision("lost it"))
        assert change.end_links(session, "P1", small.decision("stolen"))
        assert not change.end_links(session, "P1", small.decision())
        told = [str(event) for event in read_log(session)]
    assert first != second
    assert not [line for line in told if first in line or second in line]


def test_a_replaced_question_keeps_its_people_and_its_answers_are_set_aside(small: Any) -> None:
    small.answer("P1")
    with reading(small.engine) as session:
        mine = session.scalars(
            select(QuestionTable.sample_id)
            .join(AnswerTable, AnswerTable.question_id == QuestionTable.id)
            .join(ParticipantTable, ParticipantTable.id == AnswerTable.participant_id)
            .where(ParticipantTable.pseudonym == "P1", QuestionTable.collection != "A")
            .where(QuestionTable.category == "Damage")
        ).first()
        reserve = reserve_of(session, str(mine))
    assert len(reserve) == 2
    with transaction(small.engine) as session:
        replace_question(session, str(mine), reserve[0], small.decision("torn"))
    assert last_event(small) == ("question.replaced", f"question:{mine}", "torn")
    with reading(small.engine) as session:
        assert reserve[0] in sampled_questions(session)
        aside = session.execute(select(SetAsideTable.status, SetAsideTable.reason)).all()
        assert [tuple(row) for row in aside] == [("surplus", "question replaced")]
        holders = session.scalars(
            select(SlotTable.participant_id)
            .join(QuestionTable, QuestionTable.id == SlotTable.question_id)
            .where(QuestionTable.sample_id == reserve[0])
        ).all()
    assert len(set(holders)) == 3
    finish(small)


def test_who_made_the_replacements_key_does_not_get_it(small: Any) -> None:
    # r01 stands for Damage in A. Whoever the plan gives such a question made the key of r01.
    with transaction(small.engine) as session:
        faulty, holder, maker = session.execute(
            select(QuestionTable.sample_id, ParticipantTable.id, ParticipantTable.pseudonym)
            .join(SlotTable, SlotTable.question_id == QuestionTable.id)
            .join(ParticipantTable, ParticipantTable.id == SlotTable.participant_id)
            .where(QuestionTable.collection == "A", QuestionTable.category == "Damage")
            .where(QuestionTable.state == "active", ParticipantTable.pseudonym != "P1")
            .order_by(QuestionTable.sample_id, ParticipantTable.pseudonym)
        ).first()
        reserve = select(QuestionTable.id).where(QuestionTable.sample_id == "r01")
        barred = session.scalars(reserve).one()
        session.add(ExclusionTable(participant_id=holder, question_id=barred, reason="role"))
    with transaction(small.engine) as session:
        replace_question(session, faulty, "r01", small.decision("torn"))
        state = load_run_state(session)
        assert state.free == {"r01": 1}
        change.raise_limits(session, 10, small.decision("torn"))
        found = replan_study(session, small.decision("torn"))
    (taker,) = [move.taker for move in found.moves if move.sample_id == "r01"]
    assert taker not in {"P1", maker}
    finish(small)


@pytest.mark.parametrize("leave", [withdraw, erase])
def test_whoever_leaves_reopens_their_slots_and_the_rest_can_finish(small: Any, leave: Any) -> None:
    small.answer("P5", 4)
    with transaction(small.engine) as session:
        person = change.present_person(session, "P5")
        decision = small.decision("asked for it")
        leave(session, person.id, decision.at, decision.actor, decision.reason)
        change.raise_limits(session, 11, small.decision("P5 has left"))
        found = replan_study(session, small.decision("P5 has left"))
    assert (len(found.moves), found.unplaced) == (9, ())
    EVERYONE.remove("P5")
    try:
        finish(small)
    finally:
        EVERYONE.append("P5")
    with reading(small.engine) as session:
        kept = session.scalar(select(func.count()).select_from(SetAsideTable))
    assert kept == (4 if leave is withdraw else 0)


def test_who_has_left_cannot_be_steered(small: Any) -> None:
    with transaction(small.engine) as session:
        person = change.present_person(session, "P5")
        withdraw(session, person.id, small.decision().at, "coordinator:maria", "asked")
    with pytest.raises(StudyError, match="has left"), transaction(small.engine) as session:
        change.new_link(session, "P5", small.decision())


def test_an_unknown_name_is_answered_with_the_nearest(small: Any) -> None:
    with pytest.raises(StudyError, match="did you mean"), transaction(small.engine) as session:
        change.end_links(session, "P10", small.decision())
