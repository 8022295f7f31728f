"""The outlook: can it finish, with how much slack; if not, what is short and what would help."""

from __future__ import annotations

from itertools import combinations

from study_server.coordinator.forecast import Level, lowest_limit, outlook, raised, without
from study_server.store.assigning.run_state import Person, RunState


def eight_full_people(answered: int = 0) -> RunState:
    """56 questions × 3 for 8 people, 21 each: the three people of a question differ in all."""
    trios = list(combinations(range(8), 3))
    needs = {f"q{number:02d}": 3 for number in range(len(trios))}
    people = tuple(Person(f"P{number + 1}", "active", 21, answered, 21) for number in range(8))
    return RunState(people, needs, {}, frozenset())


def test_eight_full_quotas_leave_no_slack() -> None:
    found = outlook(eight_full_people())
    assert (found.level, found.headline) == (
        Level.WARNING,
        "Can finish, but with no slack.",
    )
    # 168 answers of 8 people are to be nine tenths of their room at most: ⌈186.7 / 8⌉ = 24.
    assert found.limit == 24
    assert outlook(raised(eight_full_people(), 24)).headline == "Can finish, with 12 % slack."


def test_without_one_of_eight_twenty_one_answers_are_short_and_limit_24_would_do() -> None:
    state = without(eight_full_people(), "P3")
    found = outlook(state)
    # 7 people × 21 = 147 of 168; ⌈168 / 7⌉ = 24.
    assert found.level is Level.BAD
    assert found.headline == "Cannot finish: 21 answers short."
    assert found.limit == 24
    assert found.details[-1] == "Raising everyone's limit to 24 would be enough."
    assert outlook(raised(state, 24)).possible


def test_a_question_only_its_author_is_left_for_is_blocked() -> None:
    people = (Person("P1", "active", 9, 0, 0), Person("P2", "active", 5, 5, 0))
    state = RunState(people, {"q1": 1}, {"q1": 1}, frozenset({("P1", "q1"), ("P2", "q1")}))
    found = outlook(state)
    assert found.level is Level.BAD
    assert found.questions == ("q1",)
    assert "Blocked: needs a person other than P1." in found.details
    assert found.details[-1] == "Raising limits does not help: add a participant."
    assert lowest_limit(state) is None


def test_a_paused_person_who_is_needed_is_named() -> None:
    people = (Person("P1", "active", 9, 0, 0), Person("P2", "paused", 9, 0, 1))
    found = outlook(RunState(people, {"q1": 2}, {}, frozenset()))
    assert found.headline == "Can finish only if P2, now paused, goes on."


def test_where_even_that_would_not_do_the_paused_and_the_silent_are_named() -> None:
    people = (
        Person("P1", "active", 1, 0, 0),
        Person("P2", "paused", 1, 0, 1),
        Person("P3", "active", 1, 0, 1),
    )
    found = outlook(RunState(people, {"q1": 3, "q2": 3}, {}, frozenset()), ["P3"])
    assert found.headline == "Cannot finish: 4 answers short."
    assert found.details[-2:] == ("P2 is paused.", "P3 has been silent for days.")


def test_free_answers_ask_for_a_new_plan() -> None:
    people = (Person("P1", "active", 9, 0, 0), Person("P2", "active", 9, 0, 0))
    found = outlook(RunState(people, {"q1": 1}, {"q1": 1}, frozenset()))
    assert found.level is Level.WARNING
    assert found.details[-1] == "1 answer is assigned to nobody: re-plan."


def test_a_finished_study_is_good() -> None:
    assert outlook(RunState((), {}, {}, frozenset())).headline == "Everything is answered."


def test_answers_to_spare_count_only_what_people_are_allowed_to_give() -> None:
    # P1 may answer q2 alone and P2 both, whatever their limits: 1 + 2 answers, 2 needed.
    people = (Person("P1", "active", 9, 0, 1), Person("P2", "active", 9, 0, 1))
    barred = frozenset({("P1", "q1"), ("P1", "answered long ago")})
    found = outlook(RunState(people, {"q1": 1, "q2": 1}, {}, barred))
    assert found.details[0] == "People may give 1 answer more than are needed."
