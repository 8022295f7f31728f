"""The planner: who answers which question, in which order, with what had to be relaxed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sampling.assignment.feasibility import (
    Feasibility,
    check_feasibility,
    explain_shortfall,
    network_feasibility,
)
from sampling.assignment.flow import Flags, Network
from sampling.assignment.order import put_in_order
from sampling.assignment.plan import Slot
from sampling.assignment.roster import Participant
from sampling.assignment.targets import Design, build_design, most_answers
from sampling.plan.check import check_plan
from sampling.plan.large_plans import balance_margins, solve_flow
from sampling.plan.margins import Group, Margin, cell_group, measure_margins
from sampling.plan.pairs import balance_lengths, balance_pairs
from sampling.plan.program import Weights, solve_program
from sampling.study.definition import AssignmentTable
from sampling.study.errors import StudyError
from sampling.study.keyed import shuffled
from sampling.study.questions import Question

MOST_PAIRS = 150_000
RELAXATIONS = (
    Weights(),
    Weights(collection=10, cell=1),
    Weights(category=100, collection=10, cell=1),
    Weights(load=1000, category=100, collection=10, cell=1),
)


@dataclass(frozen=True)
class PlannedStudy:
    """A plan with what is known about it: can it bear losses, and what was relaxed.

    `lengths` says how long each question is, where people share lengths of text.
    """

    slots: tuple[Slot, ...]
    feasibility: Feasibility
    margins: tuple[Margin, ...]
    lengths: Mapping[str, int] | None = None

    @property
    def relaxed(self) -> tuple[Margin, ...]:
        """The margins that are not ideal."""
        return tuple(margin for margin in self.margins if margin.off)


def make_plan(
    questions: Sequence[Question],
    participants: Sequence[Participant],
    excluded: Collection[tuple[str, str]],
    assignment: AssignmentTable,
    seed: str,
    lengths: Mapping[str, int] | None = None,
) -> PlannedStudy:
    """Plan a study: k different people for every question, balanced as far as can be.

    Parameters
    ----------
    questions : Question
        The sample.
    participants : Participant
        The roster.
    excluded : collection of (pseudonym, sample_id)
        Who may not answer what.
    assignment : AssignmentTable
        `[assignment]` of the study.
    seed : str
        The study's seed; with the same inputs it gives the same plan.
    lengths : mapping of sample_id to int, optional
        How long each question is, for `cost = "length"`: people then get equal lengths, in numbers
        of questions that may differ.

    Returns
    -------
    PlannedStudy
        Quotas, exclusions and distinctness always hold. Loads, categories, collections and cells
        are rounded shares wherever that is possible, else relaxed in this order: cells and
        collections, pairs, categories, equal loads.

    Raises
    ------
    StudyError
        When the people cannot finish: how many answers are short, which questions, which people.
    """
    design = build_design(questions, participants, excluded, assignment, seed)
    feasibility = network_feasibility(_network(design))
    if not feasibility.possible:
        advice = remedy(feasibility, design.responses, len(design.people))
        raise StudyError(f"no plan: {explain_shortfall(feasibility)}; {advice}")
    chosen = balance_pairs(design, _choose(design, seed), seed)
    if lengths is not None:
        chosen = balance_lengths(design, chosen, lengths)
    slots = _slots(design, chosen, assignment, seed)
    broken = check_plan(slots, questions, participants, excluded, assignment)
    if broken:
        raise AssertionError(f"the planner broke its own rules: {'; '.join(broken)}")
    margins = measure_margins(slots, questions, participants, _barred(design), assignment)
    return PlannedStudy(slots, feasibility, margins, lengths)


def remedy(found: Feasibility, responses: int, people: int) -> str:
    """Say what helps people who cannot finish, where each question needs so many `responses`.

    Limits are no help where nobody may answer, and only people or a smaller number where there
    are fewer `people` than a question needs.
    """
    if people < responses:
        needed = "1 person is" if responses == 1 else f"{responses} different people are"
        return (
            f"{needed} needed for each question, and there {'is' if people == 1 else 'are'} "
            f"{people}: add people, or lower [assignment] responses_per_question"
        )
    if not found.people:
        return "add people, or exclude fewer roles"
    return "add people, raise quotas or [assignment] max_load, or exclude fewer roles"


def _barred(design: Design) -> Counter[tuple[str, Group]]:
    """Count what each person may not answer, by cell."""
    result: Counter[tuple[str, Group]] = Counter()
    for cell in range(int(design.cell.max()) + 1):
        rows = np.flatnonzero(design.cell == cell)
        group = cell_group(design.questions[rows[0]])
        barred = len(rows) - design.allowed[rows].sum(axis=0)
        result.update(
            {(design.people[one], group): int(barred[one]) for one in barred.nonzero()[0]}
        )
    return result


def _network(design: Design) -> Network:
    needs = np.full(len(design.questions), design.responses)
    ids = tuple(question.sample_id for question in design.questions)
    return Network(ids, design.people, needs, design.limits, design.allowed)


def study_feasibility(
    questions: Sequence[Question],
    participants: Sequence[Participant],
    excluded: Collection[tuple[str, str]],
    assignment: AssignmentTable,
) -> Feasibility:
    """Tell whether these people can finish this study before it starts, and with what slack."""
    responses = assignment.responses_per_question
    limits = most_answers(participants, len(questions), assignment)
    needs = {question.sample_id: responses for question in questions}
    return check_feasibility(needs, limits, excluded)


def _choose(design: Design, seed: str) -> Flags:
    """Find who answers what, relaxing no more than is needed."""
    if design.allowed.size <= MOST_PAIRS:
        for weights in RELAXATIONS:
            chosen = solve_program(design, weights)
            if chosen is not None:
                return chosen
    return balance_margins(design, solve_flow(design, seed), seed)


def _slots(
    design: Design, chosen: Flags, assignment: AssignmentTable, seed: str
) -> tuple[Slot, ...]:
    """Number the slots of each question and put each person's in order."""
    index_of: dict[tuple[int, int], int] = {}
    theirs = defaultdict(list)
    holders = defaultdict(list)
    for row, column in np.argwhere(chosen).tolist():
        holders[row].append(column)
    for row, question in enumerate(design.questions):
        columns = sorted(holders[row], key=lambda one: design.people[one])
        for index, column in enumerate(shuffled(columns, seed, "slots", question.sample_id), 1):
            index_of[row, column] = index
            theirs[column].append(row)
    row_of = {question.sample_id: row for row, question in enumerate(design.questions)}
    slots = []
    for column, person in enumerate(design.people):
        asked = [design.questions[row] for row in theirs[column]]
        for position, placed in enumerate(put_in_order(asked, assignment, seed, person), 1):
            sample_id = placed.question.sample_id
            index = index_of[row_of[sample_id], column]
            slots.append(Slot(person, sample_id, index, placed.session, position))
    return tuple(sorted(slots, key=lambda slot: (slot.participant, slot.position)))
