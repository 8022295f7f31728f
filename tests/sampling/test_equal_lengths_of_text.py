from __future__ import annotations

from collections import Counter

from sampling.assignment.roster import Participant
from sampling.plan.report import plan_report
from sampling.plan.solver import make_plan
from sampling.study.definition import AssignmentTable
from sampling.study.keyed import digest
from sampling.study.questions import Question

QUESTIONS = [Question(f"q{n:03}", f"{n}.jpg", f"task {n % 2}", "?") for n in range(60)]
# Lengths from 1 to 1,000 characters, by hash.
LENGTHS = {
    one.sample_id: 1 + int.from_bytes(digest(one.sample_id)[:2], "big") % 1000 for one in QUESTIONS
}
PEOPLE = [Participant(f"P{n}") for n in range(5)]


def lengths_of(slots) -> dict[str, int]:
    total: Counter[str] = Counter()
    for slot in slots:
        total[slot.participant] += LENGTHS[slot.sample_id]
    return dict(total)


def test_people_get_equal_numbers_and_equal_lengths() -> None:
    barred = frozenset({("P0", "q000"), ("P1", "q001")})
    plain = make_plan(QUESTIONS, PEOPLE, barred, AssignmentTable(), "seed").slots
    even = make_plan(QUESTIONS, PEOPLE, barred, AssignmentTable(), "seed", LENGTHS).slots
    assert max(lengths_of(plain).values()) - min(lengths_of(plain).values()) > 500
    assert max(lengths_of(even).values()) - min(lengths_of(even).values()) <= 5
    # 180 answers over five people, 18 of either task each.
    assert set(Counter(slot.participant for slot in even).values()) == {36}
    assert not {(slot.participant, slot.sample_id) for slot in even} & barred


def long_and_short(rules: AssignmentTable, people: list[Participant]) -> dict[str, tuple[int, int]]:
    """Plan ten texts of 90 characters in the first and 10 in the others: characters, questions."""
    questions = [Question(f"q{n}", f"{n}.jpg", "text", "?") for n in range(11)]
    lengths = {one.sample_id: 90 if one.sample_id == "q0" else 10 for one in questions}
    slots = make_plan(questions, people, frozenset(), rules, "seed", lengths).slots
    return {
        one.pseudonym: (
            sum(lengths[slot.sample_id] for slot in slots if slot.participant == one.pseudonym),
            sum(slot.participant == one.pseudonym for slot in slots),
        )
        for one in people
    }


RULES = AssignmentTable(responses_per_question=1, cost="length")


def test_numbers_of_questions_differ_where_only_that_makes_lengths_even() -> None:
    # 190 characters: 95 each is as near as 90 and 100.
    found = long_and_short(RULES, [Participant("P1"), Participant("P2")])
    assert sorted(found.values()) == [(90, 9), (100, 2)]


def test_a_quota_and_a_largest_load_still_bind_numbers_of_questions() -> None:
    bounded = RULES.model_copy(update={"max_load": 6})
    found = long_and_short(bounded, [Participant("P1"), Participant("P2")])
    assert sorted(number for _, number in found.values()) == [5, 6]
    quota = long_and_short(RULES, [Participant("P1", quota=3), Participant("P2")])
    assert quota["P1"][1] <= 3
    # A share of three in eleven questions is one of 52 in 190 characters.
    assert quota["P1"][0] == 30


def test_the_report_of_the_plan_says_how_many_characters_each_person_has() -> None:
    questions = [Question(f"q{n}", f"{n}.jpg", "text", "?") for n in range(4)]
    lengths = {"q0": 40, "q1": 20, "q2": 10, "q3": 10}
    people = [Participant("P1"), Participant("P2")]
    report = plan_report(make_plan(questions, people, frozenset(), RULES, "seed", lengths))
    # 40 each: the long one, or the other three.
    assert "| 40 | 1 | 1 |" in report
    assert "| 40 | 3 | 1 |" in report
    assert "questions a person" not in report
