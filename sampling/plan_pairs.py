"""Pairs of people: swaps within a cell until every two share as many questions as they should."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sampling.flow import Flags, Integers
from sampling.keyed import shuffled
from sampling.plan_targets import Design

MOST_EXCHANGES = 12_000
MOST_PEOPLE = 100

Overlaps = NDArray[np.float64]


def shared_targets(loads: Integers, responses: int) -> Overlaps:
    """Say how many questions two people would share if they met by chance alone.

    Parameters
    ----------
    loads : (P,) int
        How many questions each person answers.
    responses : int
        How many people answer each question.

    Returns
    -------
    (P, P) float
        Symmetric, zero on the diagonal; row p sums to (responses - 1) x load of p, as nearly as
        proportional fitting gets.

    Examples
    --------
    Eight people with 96 of 256 questions each, three a question: 768 shared places over 28 pairs.

    >>> float(shared_targets(np.full(8, 96), 3)[0, 1].round(2))
    27.43
    """
    wanted = (responses - 1) * loads.astype(np.float64)
    targets = np.outer(wanted, wanted)
    np.fill_diagonal(targets, 0.0)
    for _ in range(100):
        sums = targets.sum(axis=1)
        factor = np.sqrt(np.divide(wanted, sums, out=np.zeros_like(wanted), where=sums > 0))
        targets *= np.outer(factor, factor)
    return targets


def balance_pairs(design: Design, chosen: Flags, seed: str) -> Flags:
    """Exchange people between two questions of a cell until pairs share what they should.

    Person p gives question i to person q and takes question j from them: loads and all margins
    stay as they are. An exchange is made while the sum of squared differences from the targets
    does not rise; it ends when every pair shares its target, rounded down or up, or after a fixed
    number of exchanges. Large groups, whose pairs hardly meet, are left alone.
    """
    result = chosen.copy()
    if design.responses < 2 or len(design.people) > MOST_PEOPLE:
        return result
    holders = [set(np.flatnonzero(row).tolist()) for row in result]
    targets = shared_targets(result.sum(axis=0), design.responses)
    shared = result.T.astype(np.int64) @ result.astype(np.int64)
    gap = (shared - targets).tolist()
    cells = [
        np.flatnonzero(design.cell == number).tolist() for number in range(design.cell.max() + 1)
    ]
    for turn in range(1 + MOST_EXCHANGES // len(holders)):
        if all_within(shared, targets):
            break
        for number, cell in enumerate(cells):
            around = shuffled(cell, seed, "plan pairs", str(turn), str(number))
            for first, second in pairwise([*around, around[0]]):
                _exchange(design.allowed, holders, gap, first, second)
                _exchange(design.allowed, holders, gap, second, first)
        result = _as_flags(holders, result.shape)
        shared = result.T.astype(np.int64) @ result.astype(np.int64)
    return result


def all_within(shared: Integers, targets: Overlaps) -> bool:
    """Tell whether every pair shares its target, rounded down or up."""
    above = np.triu_indices(len(shared), 1)
    low = np.floor(targets[above] + 1e-6)
    return bool(((shared[above] >= low) & (shared[above] <= np.ceil(targets[above] - 1e-6))).all())


def _exchange(
    allowed: Flags, holders: list[set[int]], gap: list[list[float]], first: int, second: int
) -> None:
    """Make the best exchange between two questions that does not make the pairs worse."""
    givers = sorted(one for one in holders[first] - holders[second] if allowed[second, one])
    takers = sorted(one for one in holders[second] - holders[first] if allowed[first, one])
    best, change = None, 1e-9
    for giver in givers:
        for taker in takers:
            stay, join = holders[first] - {giver}, holders[second] - {taker}
            cost = _cost(gap, giver, taker, stay, join)
            if cost < change:
                best, change = (giver, taker, stay, join), cost
    if best is None:
        return
    giver, taker, stay, join = best
    for other, less, more in [(one, giver, taker) for one in stay] + [
        (one, taker, giver) for one in join
    ]:
        for left, right, step in ((less, other, -1.0), (more, other, 1.0)):
            gap[left][right] += step
            gap[right][left] += step
    holders[first] = stay | {taker}
    holders[second] = join | {giver}


def _cost(gap: list[list[float]], giver: int, taker: int, stay: set[int], join: set[int]) -> float:
    """Give the change of the sum of squared differences that an exchange would make."""
    steps: dict[tuple[int, int], int] = {}
    for others, less, more in ((stay, giver, taker), (join, taker, giver)):
        for other in others:
            for person, step in ((less, -1), (more, 1)):
                key = (min(person, other), max(person, other))
                steps[key] = steps.get(key, 0) + step
    return sum(2 * step * gap[left][right] + step * step for (left, right), step in steps.items())


def _as_flags(holders: list[set[int]], shape: tuple[int, ...]) -> Flags:
    result = np.zeros(shape, dtype=np.bool_)
    for row, people in enumerate(holders):
        result[row, sorted(people)] = True
    return result
