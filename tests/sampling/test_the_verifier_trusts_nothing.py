from __future__ import annotations

from dataclasses import replace

import pytest

from sampling.assignment.plan import Slot
from sampling.assignment.roster import Participant
from sampling.plan.check import check_plan
from sampling.plan.run_changes import people_of_the_run
from sampling.record.event_log import Event
from sampling.study.definition import AssignmentTable
from sampling.study.questions import Question

QUESTIONS = [Question(f"q{number}", f"{number}.jpg", "c", "?") for number in (1, 2)]
PEOPLE = [Participant(name) for name in ("P1", "P2", "P3")]
RULES = AssignmentTable(responses_per_question=2, questions_per_session=2, max_load=2)
SOUND = (
    Slot("P1", "q1", 1, 1, 1),
    Slot("P2", "q1", 2, 1, 1),
    Slot("P1", "q2", 1, 1, 2),
    Slot("P3", "q2", 2, 1, 1),
)


def broken(*slots: Slot, excluded: frozenset[tuple[str, str]] = frozenset()) -> tuple[str, ...]:
    return check_plan(slots, QUESTIONS, PEOPLE, excluded, RULES)


def test_a_sound_plan_breaks_nothing() -> None:
    assert broken(*SOUND) == ()


@pytest.mark.parametrize(
    ("slots", "fault"),
    [
        (SOUND[:3], "q2: 1 different people of 2"),
        ((*SOUND, Slot("P3", "q1", 3, 1, 2)), "q1: 3 different people of 2"),
        ((*SOUND[:3], replace(SOUND[3], participant="P1")), "q2: 1 different people of 2"),
        (
            (*SOUND[:3], replace(SOUND[3], response_index=1)),
            "q2: response indices [1, 1], not 1 to 2",
        ),
        ((*SOUND[:3], replace(SOUND[3], participant="P9")), "P9: not in the roster"),
        ((*SOUND, Slot("P3", "q9", 1, 1, 2)), "q9: not in the sample"),
        (
            (*SOUND[:2], replace(SOUND[2], position=1), SOUND[3]),
            "P1: two questions at one position",
        ),
        (
            (replace(SOUND[0], session=2), *SOUND[1:]),
            "P1: sessions are not in the order of positions",
        ),
    ],
)
def test_every_fault_is_named(slots: tuple[Slot, ...], fault: str) -> None:
    assert fault in broken(*slots)


def test_an_excluded_person_is_found() -> None:
    assert broken(*SOUND, excluded=frozenset({("P3", "q2")})) == (
        "q2: given to P3, who is excluded from it",
    )


def test_a_load_above_the_limit_is_found() -> None:
    slots = [Slot("P1", "q1", 1, 1, 1), Slot("P1", "q2", 1, 1, 2), Slot("P1", "q3", 1, 2, 3)]
    questions = [*QUESTIONS, Question("q3", "3.jpg", "c", "?")]
    rules = AssignmentTable(responses_per_question=1, max_load=2)
    assert check_plan(slots, questions, PEOPLE, frozenset(), rules) == (
        "P1: 3 questions, above the limit of 2",
    )


def test_an_overfull_session_is_found() -> None:
    rules = RULES.model_copy(update={"questions_per_session": 1})
    assert check_plan(SOUND, QUESTIONS, PEOPLE, frozenset(), rules) == (
        "P1: a session of 2 questions",
    )


def test_who_joined_and_whose_limit_was_raised_is_known_from_the_log() -> None:
    def event(action: str, subject: str, **details: int | None) -> Event:
        return Event(1, "", "", action, subject, "", details)

    joined = replace(SOUND[3], participant="P4")
    more = (Slot("P1", "q3", 1, 2, 3), Slot("P2", "q3", 2, 1, 2))
    slots, questions = (*SOUND[:3], joined, *more), [*QUESTIONS, Question("q3", "3.jpg", "c", "?")]
    assert check_plan(slots, questions, PEOPLE, frozenset(), RULES) == (
        "P4: not in the roster",
        "P1: 3 questions, above the limit of 2",
    )
    events = [
        event("participant.added", "participant:P4", quota=None),
        event("participant.quota_changed", "participant:p1", before=None, after=3),
        # Lowered afterwards: what P1 answered before that stays.
        event("participant.quota_changed", "participant:P1", before=3, after=0),
    ]
    people = people_of_the_run(PEOPLE, events, len(questions), RULES)
    assert check_plan(slots, questions, people, frozenset(), RULES) == ()
