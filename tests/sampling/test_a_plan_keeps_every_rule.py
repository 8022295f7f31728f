from __future__ import annotations

import csv
import shutil
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sampling.assignment.inputs import read_plan_inputs
from sampling.assignment.roster import Participant
from sampling.assignment.targets import load_limits
from sampling.benchmark.question_files import read_questions
from sampling.plan.check import check_plan
from sampling.plan.solver import make_plan, study_feasibility
from sampling.study.definition import AssignmentTable
from sampling.study.errors import StudyError
from sampling.study.folder import open_study
from sampling.study.questions import Question

RULES = AssignmentTable()


def grid(cells: int = 8, each: int = 4, collections: bool = True) -> list[Question]:
    """`cells` x `cells` categories and collections with `each` questions, on few images."""
    return [
        Question(
            f"q{row}{column}{number}",
            f"{column}_{(row + number) % 11}.jpg",
            f"category {row}",
            "?",
            f"collection {column}" if collections else "",
        )
        for row in range(cells)
        for column in range(cells)
        for number in range(each)
    ]


def people(number: int, quota: int | None = None) -> list[Participant]:
    return [Participant(f"P{index:02}", quota=quota) for index in range(1, number + 1)]


def counts(slots, questions, group) -> set[int]:
    """How often each person has each value of a field, zeros included."""
    known = {question.sample_id: question for question in questions}
    found = Counter((slot.participant, group(known[slot.sample_id])) for slot in slots)
    groups = {group(question) for question in questions}
    return {found[slot, one] for slot in {slot.participant for slot in slots} for one in groups}


def shared_by_pairs(slots) -> list[int]:
    holders: dict[str, list[str]] = {}
    for slot in slots:
        holders.setdefault(slot.sample_id, []).append(slot.participant)
    found = Counter(pair for one in holders.values() for pair in combinations(sorted(one), 2))
    return sorted(found.values())


def test_the_papers_design_is_met_exactly(paper_shape, tmp_path) -> None:
    shutil.copytree(paper_shape / "study", tmp_path / "study")
    study = open_study(tmp_path / "study")
    inputs = read_plan_inputs(study)
    seed = study.definition.study.seed
    planned = make_plan(*_all(inputs), study.definition.assignment, seed)
    assert planned.relaxed == ()
    assert set(Counter(slot.participant for slot in planned.slots).values()) == {96}
    assert counts(planned.slots, inputs.questions, lambda one: one.category) == {12}
    assert counts(planned.slots, inputs.questions, lambda one: one.script_name) == {12}
    assert counts(planned.slots, inputs.questions, lambda one: (one.category, one.script_name)) == {
        1,
        2,
    }
    # 28 pairs share 768 places: 27.43 each.
    assert set(shared_by_pairs(planned.slots)) == {27, 28}
    assert not {(slot.participant, slot.sample_id) for slot in planned.slots} & inputs.excluded
    assert inputs.excluded == own_keys(study)


def own_keys(study):
    """Who made the key of which drawn question, read from the files by hand."""
    with study.annotators_file.open(encoding="utf-8") as file:
        made = [(row["annotator"], row["sample_id"], row["role"]) for row in csv.DictReader(file)]
    drawn = {one.sample_id for one in read_questions(study.questions_file)}
    return {
        (f"P{name[1:]}", sample_id)
        for name, sample_id, role in made
        if role == "author" and sample_id in drawn and "A01" <= name <= "A06"
    }


def _all(inputs):
    return inputs.questions, inputs.participants, inputs.excluded


def test_reviewers_barred_too_relax_collections_and_cells_only(paper_shape, tmp_path) -> None:
    shutil.copytree(paper_shape / "study", tmp_path / "study")
    study = open_study(tmp_path / "study")
    rules = replace_rules(study, exclude_roles=None)
    inputs = read_plan_inputs(replace(study, definition=rules))
    planned = make_plan(*_all(inputs), rules.assignment, "2609.31651")
    off = {margin.name for margin in planned.relaxed}
    assert off <= {"of each cell a person", "of each collection a person"}
    assert check_plan(planned.slots, *_all(inputs), rules.assignment) == ()


def replace_rules(study, **changes):
    rules = study.definition.assignment.model_copy(update=changes)
    return study.definition.model_copy(update={"assignment": rules})


def test_the_same_inputs_in_any_order_give_the_same_plan() -> None:
    questions = grid(4)
    barred = frozenset({("P01", "q000"), ("P02", "q111")})
    first = make_plan(questions, people(6), barred, RULES, "seed")
    second = make_plan(questions[::-1], people(6)[::-1], barred, RULES, "seed")
    assert first.slots == second.slots
    assert make_plan(questions, people(6), barred, RULES, "other").slots != first.slots


def test_a_study_without_collections_is_balanced_over_categories() -> None:
    questions = grid(4, collections=False)
    planned = make_plan(questions, people(6), frozenset(), RULES, "seed")
    # 64 questions x 3 over 6 people: 32 each, 8 of each of 4 categories.
    assert counts(planned.slots, questions, lambda one: one.category) == {8}
    assert planned.relaxed == ()


def test_quotas_are_hard_and_the_others_share_the_rest() -> None:
    participants = [Participant("P01", quota=10), *people(6)[1:]]
    planned = make_plan(grid(4), participants, frozenset(), RULES, "seed")
    # 192 answers, 10 of them P01's: 182 / 5 = 36.4.
    loads = Counter(slot.participant for slot in planned.slots)
    assert loads.pop("P01") == 10
    assert sorted(loads.values()) == [36, 36, 36, 37, 37]


def test_max_load_bounds_those_without_a_quota() -> None:
    assert load_limits([Participant("P1", quota=9), Participant("P2")], 12, 5) == {"P1": 9, "P2": 5}
    assert load_limits(people(3), 10, None) == {"P01": 4, "P02": 4, "P03": 4}


def test_who_comes_unplanned_may_answer_everything() -> None:
    # 8 answers for three people are 3 each; P01 may give none, so that 6 could be given.
    questions = grid(2, 1)
    barred = frozenset(("P01", one.sample_id) for one in questions)
    planned = AssignmentTable(responses_per_question=2)
    assert study_feasibility(questions, people(3), barred, planned).short_answers == 2
    unplanned = planned.model_copy(update={"mode": "open"})
    assert study_feasibility(questions, people(3), barred, unplanned).possible


def test_too_few_people_are_refused_with_the_shortfall() -> None:
    questions = grid(2, 2)
    with pytest.raises(StudyError, match=r"8 answers short: 8 questions .* need 24 more answers"):
        make_plan(questions, people(2), frozenset(), AssignmentTable(max_load=8), "seed")


def test_equal_loads_give_way_last_and_the_report_says_by_how_much() -> None:
    # P01 may answer one question of the four that everybody shares; with a higher limit the
    # others take over what P01 cannot.
    questions = grid(2, 1)
    barred = frozenset({("P01", one.sample_id) for one in questions[1:]})
    rules = AssignmentTable(responses_per_question=2, max_load=4)
    planned = make_plan(questions, people(3), barred, rules, "seed")
    loads = Counter(slot.participant for slot in planned.slots)
    assert loads["P01"] <= 1
    margin = next(one for one in planned.relaxed if one.name == "questions a person")
    # 8 answers over 3 people: 2 or 3 each; P01 has 1 at most, so somebody has 4.
    assert (margin.smallest, margin.largest, margin.worst) == (loads["P01"], 4, 1)


@st.composite
def designs(draw):
    k = draw(st.integers(1, 4))
    count = draw(st.integers(max(4, k), 40))
    generator = draw(st.randoms(use_true_random=False))
    categories, collections = draw(st.integers(1, 6)), draw(st.integers(1, 5))
    questions = [
        Question(
            f"q{number:02}",
            f"{generator.randrange(12)}.jpg",
            f"c{generator.randrange(categories)}",
            "?",
            f"g{generator.randrange(collections)}" if collections > 1 else "",
        )
        for number in range(draw(st.integers(4, 60)))
    ]
    total = k * len(questions)
    room = total + draw(st.integers(0, max(1, total // 100)))
    quotas = [room // count + (number < room % count) for number in range(count)]
    participants = [Participant(f"P{number:02}", quota=quotas[number]) for number in range(count)]
    density = draw(st.sampled_from([0.0, 0.05, 0.2, 0.4]))
    barred = frozenset(
        (person.pseudonym, question.sample_id)
        for person in participants
        for question in questions
        if generator.random() < density
    )
    return questions, participants, barred, AssignmentTable(responses_per_question=k)


def plan_or_refuse(design) -> None:
    feasible = study_feasibility(*design).possible
    try:
        planned = make_plan(*design, "seed")
    except StudyError:
        assert not feasible
        return
    assert feasible
    assert check_plan(planned.slots, *design) == ()
    for person, load in Counter(slot.participant for slot in planned.slots).items():
        theirs = [slot for slot in planned.slots if slot.participant == person]
        assert [slot.position for slot in theirs] == list(range(1, load + 1))


@given(designs())
@settings(max_examples=15, deadline=None)
def test_whatever_is_possible_is_planned_without_a_violation(design) -> None:
    plan_or_refuse(design)


@pytest.mark.long
@given(designs())
@settings(max_examples=200, deadline=None)
def test_two_hundred_designs_are_planned_without_a_violation_or_refused(design) -> None:
    plan_or_refuse(design)
