"""Open mode hands out freely only while totals alone prove that nothing can be stranded."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import event, given, settings
from hypothesis import strategies as st

from sampling.assignment.feasibility import check_feasibility
from study_server.store.assigning.slot_choice import Bounds, is_enough

K = 3


@st.composite
def studies(draw: st.DrawFn) -> tuple[dict[str, int], dict[str, int], set[tuple[str, str]]]:
    """A study on its way: limits, exclusions, and some slots held by people who may."""
    questions = [f"q{number}" for number in range(draw(st.integers(1, 10)))]
    people = [f"P{number}" for number in range(draw(st.integers(3, 12)))]
    limits = {person: draw(st.integers(0, 10)) for person in people}
    excluded = {(person, one) for person in people for one in questions if draw(ODD)}
    return limits, dict.fromkeys(questions, K), excluded


ODD = st.sampled_from([False] * 9 + [True])


@settings(max_examples=300)
@given(studies(), st.data())
def test_whenever_totals_say_so_every_open_answer_can_be_given(
    study: tuple[dict[str, int], dict[str, int], set[tuple[str, str]]], data: st.DataObject
) -> None:
    limits, needs, excluded = study
    room, barred = dict(limits), set(excluded)
    for question in needs:
        for person in data.draw(st.permutations(list(limits)))[: data.draw(st.integers(0, K))]:
            if room[person] and (person, question) not in barred:
                room[person] -= 1
                needs[question] -= 1
                barred.add((person, question))
    bounds = Bounds(
        datetime(2026, 3, 1, tzinfo=UTC),
        len(needs),
        max(sum(one == question for _, one in excluded) for question in needs),
        max(sum(one == person for one, _ in excluded) for person in limits),
    )
    open_answers = sum(needs.values())
    if is_enough(sum(room.values()), max(limits.values()), open_answers, K, bounds):
        event("proved")
        assert check_feasibility(needs, room, frozenset(barred)).possible


def test_where_few_people_are_left_the_exact_choice_decides() -> None:
    # 4 people x 10 more each = 40 < (10 + 1) x (3 + 1) = 44.
    bounds = Bounds(datetime(2026, 3, 1, tzinfo=UTC), 12, 1, 1)
    assert not is_enough(40, 10, 36, K, bounds)
    assert is_enough(44, 10, 36, K, bounds)
