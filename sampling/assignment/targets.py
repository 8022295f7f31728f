"""What an ideal plan would give each person: loads, and shares of categories and collections."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

import numpy as np

from sampling.assignment.flow import Flags, Integers
from sampling.assignment.roster import Participant
from sampling.study.definition import AssignmentTable
from sampling.study.keyed import shuffled
from sampling.study.questions import Question


@dataclass(frozen=True)
class Bounds:
    """The least and the most of something: one row a person, one column a group (if any)."""

    least: Integers
    most: Integers


@dataclass(frozen=True)
class Design:
    """A planning problem in arrays: questions in rows and people in columns, both in hash order.

    `category`, `collection` and `cell` number the group of each question; a design without
    collections has one of them. `limits` are the hard limits on loads; the bounds are the ideal.
    """

    questions: tuple[Question, ...]
    people: tuple[str, ...]
    responses: int
    allowed: Flags
    category: Integers
    collection: Integers
    cell: Integers
    limits: Integers
    load: Bounds
    by_category: Bounds
    by_collection: Bounds
    by_cell: Bounds


def load_limits(
    participants: Sequence[Participant], answers: int, max_load: int | None
) -> dict[str, int]:
    """Say the most that each person may answer.

    A quota is a hard limit. Others are bound by `max_load`, which is by default the equal share
    of what the quotas leave, rounded up.

    >>> load_limits([Participant("P1", quota=2), Participant("P2"), Participant("P3")], 9, None)
    {'P1': 2, 'P2': 4, 'P3': 4}
    """
    quotas = {one.pseudonym: one.quota for one in participants}
    bound = ceil(equal_share(quotas.values(), answers)) if max_load is None else max_load
    return {person: bound if quota is None else quota for person, quota in quotas.items()}


def most_answers(
    participants: Sequence[Participant], questions: int, assignment: AssignmentTable
) -> dict[str, int]:
    """Say the most that each person may answer of a number of questions, by `[assignment]`.

    Only quotas and `max_load` bind it where the load is the length of texts (`cost = "length"`),
    of which a number of questions says nothing, and where people come unplanned (`mode = "open"`).

    >>> rules = AssignmentTable(responses_per_question=1, cost="length")
    >>> most_answers([Participant("P1", quota=2), Participant("P2")], 9, rules)
    {'P1': 2, 'P2': 9}
    """
    bound = assignment.max_load
    if bound is None and (assignment.cost == "length" or assignment.mode == "open"):
        bound = questions
    return load_limits(participants, assignment.responses_per_question * questions, bound)


def equal_share(limits: Collection[int | None], answers: int) -> Fraction:
    """Give the load at which people share the answers equally, nobody above their own limit.

    Where all limits together are too few, it is the largest limit.

    >>> equal_share([2, None, None], 9)
    Fraction(7, 2)
    """
    left, people = Fraction(answers), len(limits)
    for limit in sorted(limit for limit in limits if limit is not None):
        if limit * people >= left:
            break
        left -= limit
        people -= 1
    else:
        if not people:
            return Fraction(max((limit for limit in limits if limit is not None), default=0))
    return left / people


def build_design(
    questions: Sequence[Question],
    participants: Sequence[Participant],
    excluded: Collection[tuple[str, str]],
    assignment: AssignmentTable,
    seed: str,
) -> Design:
    """Put a planning problem into arrays, its rows and columns shuffled by the seed."""
    in_order = shuffled(sorted(questions, key=lambda one: one.sample_id), seed, "plan questions")
    people = shuffled(sorted(one.pseudonym for one in participants), seed, "plan people")
    answers = assignment.responses_per_question * len(in_order)
    limits = most_answers(participants, len(in_order), assignment)
    share = equal_share(limits.values(), answers)
    ideal = [min(Fraction(limits[person]), share) for person in people]
    allowed = _allowed(in_order, people, excluded)
    category = _numbers([one.category for one in in_order])
    collection = _numbers([one.script_name for one in in_order])
    cell = _numbers([(one.category, one.script_name) for one in in_order])
    return Design(
        questions=tuple(in_order),
        people=tuple(people),
        responses=assignment.responses_per_question,
        allowed=allowed,
        category=category,
        collection=collection,
        cell=cell,
        limits=np.array([limits[person] for person in people], dtype=np.int64),
        load=Bounds(
            np.array([floor(one) for one in ideal], dtype=np.int64),
            np.array([ceil(one) for one in ideal], dtype=np.int64),
        ),
        by_category=_group_bounds(ideal, category, allowed),
        by_collection=_group_bounds(ideal, collection, allowed),
        by_cell=_group_bounds(ideal, cell, allowed),
    )


def _allowed(
    questions: Sequence[Question], people: Sequence[str], excluded: Collection[tuple[str, str]]
) -> Flags:
    row_of = {question.sample_id: row for row, question in enumerate(questions)}
    column_of = {person: column for column, person in enumerate(people)}
    places = np.fromiter(
        (
            row * len(people) + column
            for person, sample_id in excluded
            if (row := row_of.get(sample_id)) is not None
            and (column := column_of.get(person)) is not None
        ),
        dtype=np.int64,
    )
    allowed = np.ones(len(questions) * len(people), dtype=np.bool_)
    allowed[places] = False
    return allowed.reshape(len(questions), len(people))


def _numbers(values: Sequence[object]) -> Integers:
    """Number the distinct values in sorted order."""
    number_of = {value: number for number, value in enumerate(sorted(set(values), key=str))}
    return np.array([number_of[value] for value in values], dtype=np.int64)


def _group_bounds(ideal: Sequence[Fraction], group: Integers, allowed: Flags) -> Bounds:
    """Give each person a fair share of each group, rounded both ways, as far as they may answer."""
    sizes = np.bincount(group)
    total = len(group)
    eligible = np.stack([allowed[group == number].sum(axis=0) for number in range(len(sizes))], 1)
    least = [[floor(one * int(size) / total) for size in sizes] for one in ideal]
    most = [[ceil(one * int(size) / total) for size in sizes] for one in ideal]
    return Bounds(np.minimum(np.array(least, dtype=np.int64), eligible), np.array(most))


def as_mapping(people: Sequence[str], values: Integers) -> Mapping[str, int]:
    """Name each person's number."""
    return {person: int(value) for person, value in zip(people, values, strict=True)}
