"""A study lived through: people arrive in any order, answer, leave; nobody is ever stranded."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sampling.assignment.feasibility import check_feasibility
from sampling.assignment.open_mode import choose_next, preferred_order
from sampling.assignment.plan import Slot
from sampling.assignment.roster import Participant
from sampling.plan.replan import OpenSlot, Replan, replan
from sampling.plan.solver import make_plan
from sampling.study.definition import AssignmentTable
from sampling.study.errors import StudyError
from sampling.study.questions import Question

K = 3
PAPER_QUESTIONS = [f"q{number:03}" for number in range(256)]
RULES = AssignmentTable(questions_per_session=8, image_gap=3)


def study(chance: random.Random):
    """24 to 40 questions, 4 to 9 people with up to a third more quota than needed."""
    questions = [
        Question(f"q{n:02}", f"{chance.randrange(15)}.jpg", f"c{n % 4}", "?", f"g{n % 3}")
        for n in range(chance.randint(24, 40))
    ]
    count = chance.randint(4, 9)
    quota = -(-K * len(questions) * chance.choice([100, 110, 133]) // (100 * count))
    people = {f"P{n}": quota for n in range(count)}
    excluded = frozenset(
        (person, question.sample_id)
        for person in people
        for question in questions
        if chance.random() < chance.choice([0.0, 0.1, 0.2])
    )
    return questions, people, excluded


def still_short(questions, answers, people, excluded) -> int:
    """How many answers cannot be given any more, from the answers alone."""
    given = Counter(sample_id for _, sample_id in answers)
    loads = Counter(person for person, _ in answers)
    needs = {one.sample_id: K - given[one.sample_id] for one in questions}
    quotas = {person: quota - loads[person] for person, quota in people.items()}
    return check_feasibility(needs, quotas, answers | excluded, False).short_answers


def check_end(questions, answers, announced: int, excluded) -> None:
    """Three unconflicted people for every question, or the shortfall that was announced."""
    given = Counter(sample_id for _, sample_id in answers)
    assert not answers & excluded
    assert max(given.values()) <= K
    assert sum(K - given[one.sample_id] for one in questions) == announced


def live_by_plan(seed: int) -> None:
    chance = random.Random(seed)
    questions, people, excluded = study(chance)
    roster = [Participant(person, quota=quota) for person, quota in people.items()]
    try:
        slots = list(make_plan(questions, roster, excluded, RULES, "seed").slots)
    except StudyError:
        return
    answered: list[Slot] = []
    announced = 0
    while slots:
        person = chance.choice(sorted({slot.participant for slot in slots}))
        if chance.random() < 0.02 and len(people) > 1:
            del people[person]
            if chance.random() < 0.5:  # withdraws, and takes the answers along
                gone = [slot for slot in answered if slot.participant == person]
                answered = [slot for slot in answered if slot.participant != person]
                slots += gone
            found = change(questions, answered, slots, people, excluded)
            slots, announced = list(found.slots), found.feasibility.short_answers
            answers = {(slot.participant, slot.sample_id) for slot in answered}
            # Announced at the moment at which it became unavoidable, neither sooner nor later.
            assert announced == still_short(questions, answers, people, excluded)
            continue
        slot = min(
            (one for one in slots if one.participant == person), key=lambda one: one.position
        )
        slots.remove(slot)
        answered.append(slot)
    answers = {(slot.participant, slot.sample_id) for slot in answered}
    assert len(answers) == len(answered)
    check_end(questions, answers, announced, excluded)


def change(questions, answered, slots, people, excluded) -> Replan:
    """Re-plan every slot without an answer, those that nobody could take before included."""
    taken = {(slot.sample_id, slot.response_index) for slot in answered}
    holder = {(slot.sample_id, slot.response_index): slot for slot in slots}
    unanswered = []
    for question in questions:
        for index in range(1, K + 1):
            place = (question.sample_id, index)
            held = holder.get(place)
            if place in taken:
                continue
            if held is None:
                unanswered.append(OpenSlot(*place))
            else:
                unanswered.append(OpenSlot(*place, held.participant, held.session, held.position))
    loads = Counter(slot.participant for slot in answered)
    room = {person: quota - loads[person] for person, quota in people.items()}
    return replan(questions, answered, unanswered, room, excluded, RULES, "seed")


def live_openly(seed: int) -> None:
    chance = random.Random(seed)
    questions, people, excluded = study(chance)
    answers: set[tuple[str, str]] = set()
    leases: set[tuple[str, str]] = set()
    known = {question.sample_id: question for question in questions}
    theirs: dict[str, list[Question]] = {person: [] for person in people}
    announced = still_short(questions, answers, people, excluded)
    for _ in range(3000):
        if not people or (still_asked(questions, answers | leases) == announced and not leases):
            break
        person = chance.choice(sorted(people))
        held = next((one for one in sorted(leases) if one[0] == person), None)
        if chance.random() < 0.01:
            del people[person]
            leases = {one for one in leases if one[0] != person}
            announced = still_short(questions, answers | leases, people, excluded)
        elif held is not None and chance.random() < 0.8:
            leases.discard(held)
            answers.add(held)
            theirs[person].append(known[held[1]])
        elif held is not None:  # the lease runs out, which can only help the others
            leases.discard(held)
            before, announced = (
                announced,
                still_short(questions, answers | leases, people, excluded),
            )
            assert announced <= before
        else:
            chosen = ask(person, questions, answers | leases, people, excluded, theirs[person])
            if chosen is not None:
                leases.add((person, chosen))
        # Neither a question handed out nor an answer ever makes the shortfall larger.
        assert still_short(questions, answers | leases, people, excluded) == announced
    check_end(questions, answers, announced, excluded)


def still_asked(questions, taken) -> int:
    given = Counter(sample_id for _, sample_id in taken)
    return sum(K - given[question.sample_id] for question in questions)


def ask(person, questions, taken, people, excluded, done) -> str | None:
    given = Counter(sample_id for _, sample_id in taken)
    loads = Counter(one for one, _ in taken)
    needs = {one.sample_id: K - given[one.sample_id] for one in questions}
    room = {one: quota - loads[one] for one, quota in people.items()}
    order = preferred_order(questions, done, RULES, "seed", person)
    return choose_next(person, needs, room, taken | excluded, order)


def answer_one_after_another(room: dict[str, int], barred: set[tuple[str, str]]) -> Counter[str]:
    """Let each person answer until told to stop, before the next one comes."""
    given: Counter[str] = Counter()
    answers: set[tuple[str, str]] = set()
    for person in room:
        while True:
            needs = {name: K - given[name] for name in PAPER_QUESTIONS}
            chosen = choose_next(person, needs, room, barred | answers, PAPER_QUESTIONS)
            if chosen is None:
                break
            assert (person, chosen) not in answers | barred
            answers.add((person, chosen))
            given[chosen] += 1
            room[person] -= 1
    return given


def test_six_people_one_after_another_just_finish_although_each_wrote_a_sixth_of_the_keys() -> None:
    # 6 x 128 = 768 = 256 x 3: there is no answer to spare, and nobody meets their own keys.
    people = [f"P{number}" for number in range(1, 7)]
    authors = {(people[number % 6], name) for number, name in enumerate(PAPER_QUESTIONS)}
    given = answer_one_after_another(dict.fromkeys(people, 128), authors)
    assert (given.total(), set(given.values())) == (768, {3})


def test_five_people_who_come_back_for_more_see_no_question_twice_and_are_told_to_stop() -> None:
    # Whoever comes first may answer all 256, so that the last two have nothing left to do.
    given = answer_one_after_another(dict.fromkeys("ABCDE", 256), set())
    assert set(given.values()) == {3}


@given(st.integers(0, 10**9))
@settings(max_examples=12, deadline=None)
def test_a_planned_study_ends_complete_or_with_the_announced_shortfall(seed: int) -> None:
    live_by_plan(seed)


@given(st.integers(0, 10**9))
@settings(max_examples=12, deadline=None)
def test_an_open_study_ends_complete_or_with_the_announced_shortfall(seed: int) -> None:
    live_openly(seed)


def test_a_study_goes_on_where_the_solver_gives_up_on_what_it_simplified() -> None:
    live_by_plan(223)
    live_openly(223)


@pytest.mark.long
@given(st.integers(0, 10**9))
@settings(max_examples=200, deadline=None)
def test_two_hundred_studies_end_complete_or_as_announced(seed: int) -> None:
    live_by_plan(seed)
    live_openly(seed)
