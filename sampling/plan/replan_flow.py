"""The fewest moves that give every open answer to somebody: a minimum-cost flow."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import csr_array, eye_array, hstack

UNPLACED = 1000.0
MOVED = 1.0
TASTE = 0.01


@dataclass(frozen=True)
class Wish:
    """What open answers need, who may give them, and who holds them now.

    `capacities` and `shares` count open answers a person: the most they may hold, and the number
    above which each costs `excess`. `taste` says, from 0 to 1, how unwelcome a move of a question
    to a person would be.
    """

    needs: Mapping[str, int]
    capacities: Mapping[str, int]
    held: frozenset[tuple[str, str]]
    barred: Collection[tuple[str, str]]
    shares: Mapping[str, int]
    excess: float
    taste: Callable[[str, str], float]


@dataclass(frozen=True)
class _Answer:
    holders: dict[str, set[str]]
    unplaced: int
    moved: int


def cheapest_holders(wish: Wish) -> dict[str, set[str]]:
    """Say who holds each question after the fewest moves.

    Notes
    -----
    A transportation problem whose matrix is totally unimodular, so that the simplex method ends
    in whole numbers. It is first solved with only those questions free to move that must, and
    solved anew with all of them when that leaves an answer unplaced or moves more than it must.
    """
    free, fewest = _must_move(wish)
    narrow = _solve(wish, free)
    if narrow.unplaced == 0 and narrow.moved <= fewest:
        return narrow.holders
    return _solve(wish, set(wish.needs)).holders


def _must_move(wish: Wish) -> tuple[set[str], int]:
    """Find the questions that need somebody, or hang on somebody who holds too much."""
    held_by = Counter(person for person, _ in wish.held)
    holders = Counter(sample_id for _, sample_id in wish.held)
    over = {person for person, held in held_by.items() if held > wish.capacities[person]}
    free = {sample_id for sample_id, need in wish.needs.items() if holders[sample_id] < need}
    free |= {sample_id for person, sample_id in wish.held if person in over}
    missing = sum(need - holders[sample_id] for sample_id, need in wish.needs.items())
    return free, max(missing, 0) + sum(held_by[one] - wish.capacities[one] for one in over)


def _solve(wish: Wish, free: Collection[str]) -> _Answer:
    """Solve the transportation problem; questions that are not free may only stay or level out."""
    questions, people = sorted(wish.needs), sorted(wish.capacities)
    held_by = Counter(person for person, _ in wish.held)
    newcomers = {person for person in people if wish.shares[person] > held_by[person]}
    row_of = {sample_id: row for row, sample_id in enumerate(questions)}
    column_of = {person: column for column, person in enumerate(people)}
    pairs, costs = [], []
    for sample_id in questions:
        for person in people:
            stays = (person, sample_id) in wish.held
            may = sample_id in free or (wish.excess > MOVED and person in newcomers)
            if stays or (may and (person, sample_id) not in wish.barred):
                pairs.append((row_of[sample_id], column_of[person]))
                costs.append(0.0 if stays else MOVED + TASTE * wish.taste(person, sample_id))
    chosen, unplaced = _transport(wish, questions, people, pairs, costs)
    holders: dict[str, set[str]] = defaultdict(set)
    for row, column in chosen:
        holders[questions[row]].add(people[column])
    kept = sum((people[column], questions[row]) in wish.held for row, column in chosen)
    return _Answer(dict(holders), unplaced, len(chosen) - kept)


def _transport(
    wish: Wish,
    questions: list[str],
    people: list[str],
    pairs: list[tuple[int, int]],
    costs: list[float],
) -> tuple[list[tuple[int, int]], int]:
    """Choose the cheapest pairs; also say how many answers are left unplaced."""
    if not pairs:
        return [], sum(wish.needs.values())
    rows, columns = np.array(pairs).T
    needs = np.array([wish.needs[sample_id] for sample_id in questions])
    rooms = np.array([wish.capacities[person] for person in people])
    shares = np.minimum(np.array([wish.shares[person] for person in people]), rooms)
    covered: Any = hstack(
        [
            _incidence(rows, len(questions)),
            eye_array(len(questions)),
            csr_array((len(questions), len(people))),
        ]
    )
    loaded: Any = hstack(
        [
            _incidence(columns, len(people)),
            csr_array((len(people), len(questions))),
            -eye_array(len(people)),
        ]
    )
    most = np.concatenate([np.ones(len(pairs)), needs, rooms - shares])
    limits: Any = np.stack([np.zeros_like(most), most], axis=1)
    prices = np.concatenate(
        [costs, np.full(len(questions), UNPLACED), np.full(len(people), wish.excess)]
    )
    solution: Any = None
    for presolve in (True, False):  # a solver now and then gives up on what it simplified itself
        solution = linprog(
            prices,
            A_eq=covered,
            b_eq=needs,
            A_ub=loaded,
            b_ub=shares,
            bounds=limits,
            method="highs-ds",
            options={"presolve": presolve},
        ).x
        if solution is not None:
            break
    taken = solution[: len(pairs)] > 0.5
    unplaced = solution[len(pairs) : len(pairs) + len(questions)]
    return [pair for pair, yes in zip(pairs, taken, strict=True) if yes], round(unplaced.sum())


def _incidence(place: NDArray[np.int64], size: int) -> Any:
    entries = np.arange(len(place))
    return csr_array((np.ones(len(place)), (place, entries)), shape=(size, len(place)))
