from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sampling.assignment.plan import Slot
from sampling.assignment.roster import Participant
from sampling.plan.replan import Move, OpenSlot, replan
from sampling.plan.solver import make_plan
from sampling.study.definition import AssignmentTable
from sampling.study.questions import Question

RULES = AssignmentTable(questions_per_session=4, image_gap=2)
NAMES = [f"P{number}" for number in range(1, 9)]


def questions(count: int) -> list[Question]:
    return [
        Question(f"q{n:02}", f"{n}.jpg", f"c{n % 4}", "?", f"g{n % 8 // 4}") for n in range(count)
    ]


@pytest.fixture(scope="module")
def running():
    """64 questions x 3 over 8 people, 24 each, of which everybody has answered 10."""
    roster = [Participant(name) for name in NAMES]
    slots = make_plan(questions(64), roster, frozenset(), RULES, "seed").slots
    answered = [slot for slot in slots if slot.position <= 10]
    unanswered = [open_slot(slot) for slot in slots if slot.position > 10]
    return answered, unanswered


def open_slot(slot: Slot, holder: str | None = "") -> OpenSlot:
    person = slot.participant if holder == "" else holder
    return OpenSlot(slot.sample_id, slot.response_index, person, slot.session, slot.position)


def again(running, capacities, barred=frozenset(), **more):
    return replan(questions(64), *running, capacities, barred, RULES, "seed", **more)


def loads(found) -> dict[str, int]:
    return dict(sorted(Counter(slot.participant for slot in found.slots).items()))


def test_nothing_moves_when_nothing_changed(running) -> None:
    found = again(running, dict.fromkeys(NAMES, 14))
    assert (found.moves, found.unplaced) == ((), ())
    assert {open_slot(slot) for slot in found.slots} == set(running[1])


def test_a_withdrawal_moves_that_persons_slots_only_and_evenly(running) -> None:
    found = again(running, dict.fromkeys(NAMES[:7], 16))
    assert {move.giver for move in found.moves} == {"P8"}
    # 14 slots over the other seven: two each.
    assert loads(found) == dict.fromkeys(NAMES[:7], 16)
    assert found.feasibility.possible


def test_kept_slots_keep_their_places_and_new_ones_come_behind(running) -> None:
    found = again(running, dict.fromkeys(NAMES[:7], 16))
    before = {(one.participant, one.sample_id): (one.session, one.position) for one in running[1]}
    for person in NAMES[:7]:
        mine = [slot for slot in found.slots if slot.participant == person]
        kept = [slot for slot in mine if (person, slot.sample_id) in before]
        assert [before[person, one.sample_id] for one in kept] == [
            (one.session, one.position) for one in kept
        ]
        # 24 planned questions fill six sessions of four; two more open a seventh.
        assert [(one.session, one.position) for one in mine[-2:]] == [(7, 25), (7, 26)]


def test_nobody_gets_what_they_answered_or_are_barred_from(running) -> None:
    barred = frozenset(("P1", f"q{number:02}") for number in range(0, 64, 3))
    found = again(running, dict.fromkeys(NAMES[:7], 20), barred)
    done = {(slot.participant, slot.sample_id) for slot in running[0]}
    held = {(slot.participant, slot.sample_id) for slot in found.slots}
    assert not held & (done | barred)
    assert len(held) == len(found.slots)


def test_a_shortfall_is_said_and_the_rest_is_planned(running) -> None:
    found = again(running, dict.fromkeys(NAMES[:7], 15))
    # 112 open answers, 7 x 15 = 105 places.
    assert (len(found.unplaced), found.feasibility.short_answers) == (7, 7)
    assert loads(found) == dict.fromkeys(NAMES[:7], 15)


def test_a_late_joiner_takes_an_equal_share_from_those_who_hold_most(running) -> None:
    found = again(running, {**dict.fromkeys(NAMES, 14), "P9": 30}, level=True)
    # 112 open answers over nine are 12.4: four people keep 13, four and the newcomer have 12.
    assert found.feasibility.possible
    assert {move.taker for move in found.moves} == {"P9"}
    assert loads(found)["P9"] == 12
    assert sorted(loads(found).values()) == [12] * 5 + [13] * 4


def test_a_late_joiner_takes_nothing_unless_asked(running) -> None:
    assert again(running, {**dict.fromkeys(NAMES, 14), "P9": 30}).moves == ()


def test_a_smaller_quota_gives_up_just_what_is_above_it(running) -> None:
    found = again(running, {**dict.fromkeys(NAMES, 16), "P1": 9})
    assert [move.giver for move in found.moves] == ["P1"] * 5
    assert loads(found)["P1"] == 9


def test_a_replaced_question_goes_to_those_who_had_the_faulty_one(running) -> None:
    answered, unanswered = running
    faulty = unanswered[0].sample_id
    asked = [one for one in questions(64) if one.sample_id != faulty]
    asked.append(Question("new", "new.jpg", "c0", "?", "g0"))
    slots = [
        OpenSlot("new", one.response_index, one.participant, one.session, one.position)
        if one.sample_id == faulty
        else one
        for one in unanswered
    ]
    kept = [one for one in answered if one.sample_id != faulty]
    slots += [
        OpenSlot("new", one.response_index, one.participant)
        for one in answered
        if one.sample_id == faulty
    ]
    barred = {(unanswered[0].participant, "new")}
    found = replan(asked, kept, slots, dict.fromkeys(NAMES, 16), barred, RULES, "seed")
    assert [(move.sample_id, move.giver) for move in found.moves] == [
        ("new", unanswered[0].participant)
    ]


@st.composite
def small_changes(draw):
    """Four questions of two answers each, some held, four people with small capacities."""
    people = ["P1", "P2", "P3", "P4"]
    holders = [draw(st.lists(st.sampled_from(people), max_size=2, unique=True)) for _ in range(4)]
    slots = []
    for number, held in enumerate(holders):
        padded = [*held, None, None][:2]
        slots += [OpenSlot(f"q{number:02}", index + 1, one) for index, one in enumerate(padded)]
    capacities = {person: draw(st.integers(0, 3)) for person in people}
    barred = frozenset(
        (person, f"q{number:02}")
        for person in people
        for number in range(4)
        if draw(st.integers(0, 4)) == 0
    )
    return slots, capacities, barred


def fewest_by_trying_all(slots, capacities, barred) -> tuple[int, int]:
    """The least number of unplaced answers, and with it the least number of new holders."""
    held = {(slot.participant, slot.sample_id) for slot in slots}
    choices = []
    for number in range(4):
        question = f"q{number:02}"
        able = [one for one in capacities if (one, question) not in barred]
        sets = [chosen for size in range(3) for chosen in combinations(able, size)]
        choices.append([[(one, question) for one in chosen] for chosen in sets])
    best = (99, 99)
    for pick in product(*choices):
        pairs = [pair for chosen in pick for pair in chosen]
        used = Counter(person for person, _ in pairs)
        if all(used[person] <= capacities[person] for person in used):
            best = min(best, (len(slots) - len(pairs), sum(pair not in held for pair in pairs)))
    return best


@given(small_changes())
@settings(max_examples=60, deadline=None)
def test_no_other_way_places_more_or_moves_less(case) -> None:
    slots, capacities, barred = case
    found = replan(questions(4), (), slots, capacities, barred, RULES, "seed")
    taken = [move for move in found.moves if move.taker is not None]
    assert (len(found.unplaced), len(taken)) == fewest_by_trying_all(slots, capacities, barred)
    assert found.feasibility.short_answers == len(found.unplaced)


def test_a_move_says_from_whom_to_whom() -> None:
    slots = [OpenSlot("q00", 1, "P1", 1, 1)]
    found = replan(questions(1), (), slots, {"P2": 1}, frozenset(), RULES, "seed")
    assert found.moves == (Move("q00", 1, "P1", "P2"),)
    assert found.slots == (Slot("P2", "q00", 1, 1, 1),)
