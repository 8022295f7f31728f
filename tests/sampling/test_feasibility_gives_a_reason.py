from __future__ import annotations

from collections import deque

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sampling.assignment.feasibility import (
    Feasibility,
    check_feasibility,
    explain_shortfall,
    explain_slack,
)
from sampling.plan.report import shortfall_report


@st.composite
def designs(draw):
    """People 4 to 40, quotas from just enough to one percent above, pairs barred at random."""
    people = [f"P{number:02}" for number in range(draw(st.integers(4, 40)))]
    questions = [f"q{number:02}" for number in range(draw(st.integers(1, 40)))]
    k = draw(st.integers(1, 4))
    total = k * len(questions)
    room = total + draw(st.integers(0, max(1, total // 100)))
    quotas = {person: room // len(people) for person in people}
    for person in people[: room % len(people)]:
        quotas[person] += 1
    generator = draw(st.randoms(use_true_random=False))
    density = draw(st.sampled_from([0.0, 0.05, 0.2, 0.5, 0.8]))
    barred = {
        (person, question)
        for person in people
        for question in questions
        if generator.random() < density
    }
    return dict.fromkeys(questions, k), quotas, barred


def greatest_flow_by_hand(needs, quotas, barred) -> int:
    """Augment one answer at a time along shortest alternating paths (Edmonds and Karp)."""
    given: dict[str, set[str]] = {question: set() for question in needs}
    loads = dict.fromkeys(quotas, 0)
    flow = 0
    for question, need in needs.items():
        for _ in range(need):
            came_from: dict[str, str] = {question: ""}
            queue, end = deque([question]), None
            while queue and end is None:
                node = queue.popleft()
                if node in needs:
                    free = [
                        person
                        for person in quotas
                        if person not in given[node] and (person, node) not in barred
                    ]
                    following = [person for person in free if person not in came_from]
                else:
                    if loads[node] < quotas[node]:
                        end = node
                        break
                    following = [
                        other for other in needs if node in given[other] and other not in came_from
                    ]
                for one in following:
                    came_from[one] = node
                    queue.append(one)
            if end is None:
                break
            flow += 1
            loads[end] += 1
            while end:
                asker = came_from[end]
                given[asker].add(end)
                before = came_from[asker]
                if before:
                    given[asker].discard(before)
                end = before
    return flow


def check_against_brute_force(design) -> None:
    needs, quotas, barred = design
    found = check_feasibility(needs, quotas, barred)
    short = sum(needs.values()) - greatest_flow_by_hand(needs, quotas, barred)
    assert (found.possible, found.short_answers) == (short == 0, short)
    if found.possible:
        assert found.slack is not None
        return
    confirm_certificate(found, needs, quotas, barred)


def confirm_certificate(found: Feasibility, needs, quotas, barred) -> None:
    """Count again that the named questions need more than anybody can give them."""
    able = {
        person: min(quota, sum((person, question) not in barred for question in found.questions))
        for person, quota in quotas.items()
    }
    needed = sum(needs[question] for question in found.questions)
    assert found.people == tuple(sorted(person for person, most in able.items() if most))
    assert found.needed_answers == needed
    assert found.possible_answers == sum(able.values())
    assert found.short_answers == needed - sum(able.values()) > 0


@given(designs())
@settings(max_examples=40, deadline=None)
def test_the_verdict_is_that_of_brute_force_and_its_certificate_holds(design) -> None:
    check_against_brute_force(design)


@pytest.mark.long
@given(designs())
@settings(max_examples=200, deadline=None)
def test_the_verdict_is_that_of_brute_force_on_two_hundred_designs(design) -> None:
    check_against_brute_force(design)


def six_people(gold: int):
    """256 questions, six people with a quota of 128; `gold` of three authors wrote each key."""
    questions = [f"q{number:03}" for number in range(256)]
    barred = {
        (f"P{(number + turn) % 3 + 1}", question)
        for number, question in enumerate(questions)
        for turn in range(gold)
    }
    return dict.fromkeys(questions, 3), {f"P{number}": 128 for number in range(1, 7)}, barred


def test_six_people_of_whom_two_wrote_each_key_are_128_answers_short() -> None:
    found = check_feasibility(*six_people(gold=2))
    # P4 to P6 can give 3 x 128; the three authors one answer to each question: 384 + 256 of 768.
    assert (found.possible, found.short_answers) == (False, 128)
    assert (len(found.questions), found.needed_answers, found.possible_answers) == (256, 768, 640)
    assert explain_shortfall(found).startswith("128 answers short: 256 questions (q000, q001, ")


def test_six_people_of_whom_one_wrote_each_key_can_just_finish() -> None:
    assert check_feasibility(*six_people(gold=1)) == Feasibility(True, slack=0.0)


def test_the_smallest_set_of_questions_is_named() -> None:
    needs = {"easy": 2, "hard": 3, "harder": 1}
    quotas = dict.fromkeys(["P1", "P2", "P3", "P4"], 9)
    barred = {("P1", "hard"), ("P2", "hard")}
    found = check_feasibility(needs, quotas, barred)
    assert (found.short_answers, found.questions, found.people) == (1, ("hard",), ("P3", "P4"))


def test_slack_is_what_everybody_may_lose() -> None:
    # 10 questions x 2 over 4 people with 8 each: 32 places for 20 answers. With quotas cut by a
    # quarter each has 6 (24); by 0.375 each has 5 (20); beyond that 4 (16) are too few.
    needs = {f"q{number}": 2 for number in range(10)}
    found = check_feasibility(needs, dict.fromkeys("ABCD", 8), set())
    assert found.slack == 0.375


@given(designs())
@settings(max_examples=25, deadline=None)
def test_with_one_step_less_than_the_slack_it_is_possible_and_with_one_more_it_is_not(
    design,
) -> None:
    needs, quotas, barred = design
    slack = check_feasibility(needs, {name: 2 * most for name, most in quotas.items()}, barred)
    if slack.slack is None:
        return
    for step, possible in (
        (round(1000 * slack.slack), True),
        (round(1000 * slack.slack) + 1, False),
    ):
        cut = {name: 2 * most * (1000 - step) // 1000 for name, most in quotas.items()}
        assert check_feasibility(needs, cut, barred, with_slack=False).possible == possible


def test_the_slack_of_many_people_is_found_exactly_although_few_are_tried_first() -> None:
    # 2,000 questions x 3 over 160 people: 320,000 pairs. Only P000 to P009 may answer the first
    # 30 questions, with 18 each: half of these 180 answers may be lost, as of everybody's quota.
    needs = {f"q{number:04}": 3 for number in range(2000)}
    people = [f"P{number:03}" for number in range(160)]
    quotas = {name: 18 if name < "P010" else 400 for name in people}
    barred = {(name, f"q{number:04}") for name in people[10:] for number in range(30)}
    assert check_feasibility(needs, quotas, barred).slack == 0.5


def test_little_slack_is_said_with_what_would_help() -> None:
    assert "10 % or more is recommended" in explain_slack(Feasibility(True, slack=0.099))
    assert "recommended" not in explain_slack(Feasibility(True, slack=0.1))


def test_nothing_needed_is_possible() -> None:
    assert check_feasibility({}, {"P1": 3}, set()) == Feasibility(True, slack=1.0)


def test_nobody_there_is_a_shortfall_too() -> None:
    found = check_feasibility({"q1": 2}, {}, set())
    assert explain_shortfall(found) == (
        "2 answers short: 1 question (q1) needs 2 more answers, and nobody may give them"
    )


def test_the_report_of_no_plan_says_who_may_give_how_much() -> None:
    # P1 may answer q1 alone, so its limit of 9 is worth 1; P2's limit is 1. 2 of 4 answers.
    found = check_feasibility(
        {"q1": 2, "q2": 2}, {"P1": 9, "P2": 1}, {("P1", "q2")}, with_slack=False
    )
    assert found.people_answers == (1, 1)
    report = shortfall_report(found)
    assert "2 answers short: the questions below need 4 more answers; the people below" in report
    assert "| P1 | 1 |\n| P2 | 1 |\n" in report
    assert "## Questions (2)\n\n- q1\n- q2\n" in report


def test_the_report_of_no_plan_speaks_of_one_answer_as_one() -> None:
    report = shortfall_report(check_feasibility({"q1": 1}, {"P1": 0}, set()))
    assert "1 answer short: the questions below need 1 more answer; nobody may give" in report
    assert "## People" not in report
