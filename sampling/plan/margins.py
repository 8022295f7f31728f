"""How a plan's margins turned out: what is as it should be, what was relaxed and by how much."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import ceil, floor

import numpy as np

from sampling.assignment.order import order_faults
from sampling.assignment.plan import Slot
from sampling.assignment.roster import Participant
from sampling.assignment.targets import equal_share, most_answers
from sampling.plan.pairs import MOST_PEOPLE, shared_targets
from sampling.study.definition import AssignmentTable
from sampling.study.questions import Question

Group = tuple[str, ...]
CATEGORY, COLLECTION = 0, 1


@dataclass(frozen=True)
class Margin:
    """How one margin of a plan turned out: how many counts are off the ideal, and by how much.

    `counts` is the number of counts looked at (people, or people x groups, or pairs); `smallest`
    and `largest` are the counts found; `off` of them miss the ideal, `worst` being the largest
    miss and `total` the sum of the misses, in answers.
    """

    name: str
    counts: int
    smallest: int
    largest: int
    off: int
    worst: int
    total: int


@dataclass(frozen=True)
class _Groups:
    """Counts by person and group, of what is given and of what is barred, and each group's size."""

    counts: Counter[tuple[str, Group]]
    barred: Counter[tuple[str, Group]]
    sizes: Counter[Group]


def by_person(slots: Sequence[Slot]) -> dict[str, list[Slot]]:
    result = defaultdict(list)
    for slot in slots:
        result[slot.participant].append(slot)
    return {
        person: sorted(theirs, key=lambda slot: slot.position) for person, theirs in result.items()
    }


def _ideal_loads(
    questions: Sequence[Question],
    participants: Sequence[Participant],
    assignment: AssignmentTable,
) -> dict[str, Fraction]:
    """Say how many questions each person would answer if loads were as equal as limits allow."""
    answers = assignment.responses_per_question * len(questions)
    limits = most_answers(participants, len(questions), assignment)
    share = equal_share(limits.values(), answers)
    return {person: min(Fraction(limit), share) for person, limit in limits.items()}


def measure_margins(
    slots: Sequence[Slot],
    questions: Sequence[Question],
    participants: Sequence[Participant],
    barred: Counter[tuple[str, Group]],
    assignment: AssignmentTable,
) -> tuple[Margin, ...]:
    """Measure every margin of a plan against its ideal, in the order in which they may give way.

    Parameters
    ----------
    slots : Slot
        The plan; slots of unknown questions are left out.
    questions, participants, assignment
        As for `sampling.plan.solver.make_plan`.
    barred : Counter
        How many questions of each (category, collection) each person may not answer.

    Returns
    -------
    Margin
        Cells and collections (where there are any), pairs, categories, loads, then the order:
        categories of each session, runs of a category, distance of images. Where people share
        lengths of text instead of numbers of questions, loads are no margin.
    """
    known = {question.sample_id: question for question in questions}
    sound = [slot for slot in slots if slot.sample_id in known]
    ideal = _ideal_loads(questions, participants, assignment)
    cell_of = {sample_id: cell_group(question) for sample_id, question in known.items()}
    counts = Counter((slot.participant, cell_of[slot.sample_id]) for slot in sound)
    groups = _Groups(counts, barred, Counter(cell_of.values()))
    result = []
    if len({question.script_name for question in questions}) > 1:
        result.append(_margin("of each cell a person", _shares(ideal, groups)))
        by_collection = _merged(groups, COLLECTION)
        result.append(_margin("of each collection a person", _shares(ideal, by_collection)))
    if assignment.responses_per_question > 1 and 1 < len(ideal) <= MOST_PEOPLE:
        pairs = _pair_counts(sound, sorted(ideal), assignment.responses_per_question)
        result.append(_margin("shared by two people", pairs))
    by_category = _merged(groups, CATEGORY)
    result.append(_margin("of each category a person", _shares(ideal, by_category)))
    if assignment.cost == "count":
        loads = Counter(slot.participant for slot in sound)
        by_load = [(loads[person], share) for person, share in sorted(ideal.items())]
        result.append(_margin("questions a person", by_load))
    return (*result, *_order_margins(sound, known, assignment))


def cell_group(question: Question) -> Group:
    """Give the cell of a question."""
    return (question.category, question.script_name)


def count_barred(
    excluded: Collection[tuple[str, str]], questions: Sequence[Question]
) -> Counter[tuple[str, Group]]:
    """Count what each person may not answer, by cell."""
    cell_of = {question.sample_id: cell_group(question) for question in questions}
    return Counter(
        (person, cell)
        for person, sample_id in excluded
        if (cell := cell_of.get(sample_id)) is not None
    )


def _merged(groups: _Groups, axis: int) -> _Groups:
    """Add up cells by category or by collection."""

    def merge(counts: Counter[tuple[str, Group]]) -> Counter[tuple[str, Group]]:
        merged: Counter[tuple[str, Group]] = Counter()
        for (person, cell), number in counts.items():
            merged[person, (cell[axis],)] += number
        return merged

    sizes: Counter[Group] = Counter()
    for cell, number in groups.sizes.items():
        sizes[cell[axis],] += number
    return _Groups(merge(groups.counts), merge(groups.barred), sizes)


def _shares(ideal: Mapping[str, Fraction], groups: _Groups) -> list[tuple[int, Fraction]]:
    """List each person's count of each group with the share they should have.

    Nobody can serve more of a group than they may answer, so a smaller share is then the ideal.
    """
    total = sum(groups.sizes.values())
    return [
        (
            groups.counts[person, group],
            min(load * size / total, Fraction(size - groups.barred[person, group])),
        )
        for person, load in sorted(ideal.items())
        for group, size in groups.sizes.items()
    ]


def _pair_counts(
    slots: Sequence[Slot], people: Sequence[str], responses: int
) -> list[tuple[int, Fraction]]:
    """List how many questions each two people share, and how many they would by chance.

    Chance is proportional to both loads and keeps each person's number of shared places; it is
    found by the same proportional fitting as the solver's, done here from the slots.
    """
    answerers = defaultdict(set)
    for slot in slots:
        answerers[slot.sample_id].add(slot.participant)
    shared = Counter(pair for who in answerers.values() for pair in combinations(sorted(who), 2))
    loads = Counter(slot.participant for slot in slots)
    targets = shared_targets(np.array([loads[person] for person in people]), responses)
    return [
        (shared[left, right], Fraction(round(targets[row, column] * 10**6), 10**6))
        for (row, left), (column, right) in combinations(enumerate(people), 2)
    ]


def _order_margins(
    slots: Sequence[Slot], known: Mapping[str, Question], assignment: AssignmentTable
) -> list[Margin]:
    """Measure each person's order: sessions balanced over categories, runs, images apart."""
    in_sessions: list[tuple[int, Fraction]] = []
    runs, near = [], []
    for theirs in by_person(slots).values():
        asked = [known[slot.sample_id] for slot in theirs]
        totals = Counter(question.category for question in asked)
        sizes = Counter(slot.session for slot in theirs)
        counts = Counter(
            (slot.session, question.category) for slot, question in zip(theirs, asked, strict=True)
        )
        in_sessions += [
            (counts[session, category], Fraction(size * total, len(theirs)))
            for session, size in sizes.items()
            for category, total in totals.items()
        ]
        faults = order_faults(asked, assignment.image_gap)
        runs.append((faults.long_runs, Fraction(0)))
        near.append((faults.near_images, Fraction(0)))
    if assignment.presentation == "per_image":
        return []
    several = len({question.category for question in known.values()}) > 1
    return [
        _margin("of each category a session", in_sessions),
        *([_margin("third of a category in a row", runs)] if several else []),
        _margin(f"within {assignment.image_gap} of the same image", near),
    ]


def _margin(name: str, counts: Sequence[tuple[int, Fraction]]) -> Margin:
    """Compare counts with what they should be, rounded down or up."""
    misses = [max(floor(ideal) - count, count - ceil(ideal), 0) for count, ideal in counts]
    found = [count for count, _ in counts]
    return Margin(
        name=name,
        counts=len(counts),
        smallest=min(found, default=0),
        largest=max(found, default=0),
        off=sum(miss > 0 for miss in misses),
        worst=max(misses, default=0),
        total=sum(misses),
    )
