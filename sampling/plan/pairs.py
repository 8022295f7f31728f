"""Pairs of people: swaps within a cell until every two share as many questions as they should.

Equal work where questions differ in length: exchanges and moves that even out people's texts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from sampling.assignment.flow import Flags, Integers
from sampling.assignment.targets import Design
from sampling.study.keyed import shuffled

MOST_EXCHANGES = 12_000
MOST_STALE_TURNS = 12
MOST_PEOPLE = 100

Overlaps = NDArray[np.float64]


@dataclass
class _Pairs:
    """Who holds each question, and for each pair what they share above their target.

    `low` and `high` are the target rounded down and up, less the target.
    """

    allowed: Flags
    holders: list[set[int]]
    gap: list[list[float]]
    low: list[list[float]]
    high: list[list[float]]


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
    """Exchange people between two questions until pairs share what they should.

    Person p gives question i to person q and takes question j from them, so that loads stay as
    they are. Within a cell, where all margins stay too, exchanges are made while the sum of
    squared differences from the targets does not rise. If that does not bring every pair to its
    target, rounded down or up, exchanges within a category follow, which cells and collections
    pay for: each must lower what pairs are beyond those bounds. It ends when nothing is, when
    turns bring no more, or after a fixed number of exchanges. Large groups, whose pairs hardly
    meet, are left alone.
    """
    if design.responses < 2 or len(design.people) > MOST_PEOPLE:
        return chosen.copy()
    targets = shared_targets(chosen.sum(axis=0), design.responses)
    shared = chosen.T.astype(np.int64) @ chosen.astype(np.int64)
    pairs = _Pairs(
        design.allowed,
        [set(np.flatnonzero(row).tolist()) for row in chosen],
        (shared - targets).tolist(),
        (np.floor(targets + 1e-6) - targets).tolist(),
        (np.ceil(targets - 1e-6) - targets).tolist(),
    )
    _exchange_within(pairs, design.cell, (seed, "plan pairs"), strictly=False)
    _exchange_within(pairs, design.category, (seed, "plan pairs", "category"), strictly=True)
    return _as_flags(pairs.holders, chosen.shape)


def _exchange_within(
    pairs: _Pairs, group: Integers, key: tuple[str, ...], *, strictly: bool
) -> None:
    """Try exchanges between questions of one group, shuffled anew in every turn."""
    groups = [np.flatnonzero(group == number).tolist() for number in range(group.max() + 1)]
    least, stale = _beyond(pairs), 0
    for turn in range(1 + MOST_EXCHANGES // len(pairs.holders)):
        if not least or stale == MOST_STALE_TURNS:
            break
        for number, members in enumerate(groups):
            around = shuffled(members, *key, str(turn), str(number))
            for first, second in pairwise([*around, around[0]]):
                _exchange(pairs, first, second, strictly=strictly)
                _exchange(pairs, second, first, strictly=strictly)
        now = _beyond(pairs)
        least, stale = (now, 0) if now < least else (least, stale + 1)


def _beyond(pairs: _Pairs) -> int:
    """Count by how much pairs share less or more than their targets, rounded down or up."""
    total = 0.0
    for row, gaps in enumerate(pairs.gap):
        for column in range(row + 1, len(gaps)):
            low, high = pairs.low[row][column], pairs.high[row][column]
            total += max(low - gaps[column], gaps[column] - high, 0.0)
    return round(total)


def _exchange(pairs: _Pairs, first: int, second: int, *, strictly: bool) -> None:
    """Make the best exchange between two questions, if one is good enough."""
    holders, allowed = pairs.holders, pairs.allowed
    givers = sorted(one for one in holders[first] - holders[second] if allowed[second, one])
    takers = sorted(one for one in holders[second] - holders[first] if allowed[first, one])
    best, least = None, (-1e-6, 0.0) if strictly else (1e-9, 0.0)
    for giver in givers:
        for taker in takers:
            stay, join = holders[first] - {giver}, holders[second] - {taker}
            steps = _steps(giver, taker, stay, join)
            squares = sum(
                2 * step * pairs.gap[left][right] + step * step
                for (left, right), step in steps.items()
            )
            cost = (_excess(pairs, steps), squares) if strictly else (squares, 0.0)
            if cost < least:
                best, least = (giver, taker, steps), cost
    if best is None:
        return
    giver, taker, steps = best
    for (left, right), step in steps.items():
        pairs.gap[left][right] += step
        pairs.gap[right][left] += step
    holders[first] = holders[first] - {giver} | {taker}
    holders[second] = holders[second] - {taker} | {giver}


def _steps(giver: int, taker: int, stay: set[int], join: set[int]) -> dict[tuple[int, int], int]:
    """Say by how many questions an exchange changes what each pair shares."""
    steps: dict[tuple[int, int], int] = {}
    for others, less, more in ((stay, giver, taker), (join, taker, giver)):
        for other in others:
            for person, step in ((less, -1), (more, 1)):
                pair = (min(person, other), max(person, other))
                steps[pair] = steps.get(pair, 0) + step
    return steps


def _excess(pairs: _Pairs, steps: dict[tuple[int, int], int]) -> float:
    """Say how much more the pairs would be beyond their bounds after an exchange."""
    total = 0.0
    for (left, right), step in steps.items():
        gap, low, high = (table[left][right] for table in (pairs.gap, pairs.low, pairs.high))
        total += max(low - gap - step, gap + step - high, 0.0) - max(low - gap, gap - high, 0.0)
    return total


def _as_flags(holders: list[set[int]], shape: tuple[int, ...]) -> Flags:
    result = np.zeros(shape, dtype=np.bool_)
    for row, people in enumerate(holders):
        result[row, sorted(people)] = True
    return result


MOST_STEPS = 20_000
# People whose lengths differ by less than this share of the mean keep their numbers of questions.
NEAR = 0.05


@dataclass(frozen=True)
class _Step:
    """What one person gives to another, and what they take for it (None for nothing)."""

    less: int
    more: int | None


def balance_lengths(design: Design, chosen: Flags, lengths: Mapping[str, int]) -> Flags:
    """Hand questions from people with much text to people with little until lengths are even.

    Parameters
    ----------
    design : Design
        n questions, P people.
    chosen : (n, P) bool
        A plan whose numbers of questions are shared as the quotas allow.
    lengths : mapping of sample_id to int
        What each question weighs; 1 for any that is not named.

    Returns
    -------
    (n, P) bool
        A plan in which no exchange of a longer question for a shorter one of the same cell would
        bring two people nearer to their shares of the whole length (proportional to the numbers of
        questions in `chosen`, so equal where nobody has a quota). Where exchanges leave people
        more than a twentieth of the mean length apart, questions are moved without return, as far
        as limits allow: numbers of questions then differ. Very large groups, where chance evens
        out lengths, are left alone.
    """
    result = chosen.copy()
    if len(design.people) > MOST_PEOPLE:
        return result
    weights = np.array([lengths.get(one.sample_id, 1) for one in design.questions], dtype=np.int64)
    loads = result.sum(axis=0)
    whole = int((weights[:, None] * result).sum())
    excess = weights @ result - whole * loads / max(1, int(loads.sum()))
    near = NEAR * whole / max(1, len(design.people))
    pairs = sorted(combinations(range(len(excess)), 2), key=lambda pair: (pair[0] - pair[1], pair))
    for _ in range(MOST_STEPS):
        found = _next_step(design, result, weights, excess, pairs, near)
        if found is None:
            break
        giver, taker, step = found
        _hand_over(result, giver, taker, step.less)
        moved = int(weights[step.less])
        if step.more is not None:
            _hand_over(result, taker, giver, step.more)
            moved -= int(weights[step.more])
        excess[giver] -= moved
        excess[taker] += moved
    return result


def _hand_over(chosen: Flags, giver: int, taker: int, row: int) -> None:
    chosen[row, giver], chosen[row, taker] = False, True


def _next_step(
    design: Design,
    chosen: Flags,
    weights: Integers,
    excess: NDArray[np.float64],
    pairs: list[tuple[int, int]],
    near: float,
) -> tuple[int, int, _Step] | None:
    """Find a step for the two people farthest apart that have one: an exchange, else a move."""
    order = np.argsort(-excess, kind="stable")
    for find, least in ((_best_exchange, 0.0), (_best_move, near)):
        for high, low in pairs:
            giver, taker = int(order[high]), int(order[low])
            apart = float(excess[giver] - excess[taker])
            step = find(design, chosen, weights, giver, taker, apart) if apart > least else None
            if step is not None:
                return giver, taker, step
    return None


def _best_exchange(
    design: Design, chosen: Flags, weights: Integers, giver: int, taker: int, apart: float
) -> _Step | None:
    """Find the exchange that brings two people nearest to each other, if one brings them nearer."""
    given = np.flatnonzero(chosen[:, giver] & ~chosen[:, taker] & design.allowed[:, taker])
    taken = np.flatnonzero(chosen[:, taker] & ~chosen[:, giver] & design.allowed[:, giver])
    if not len(given) or not len(taken):
        return None
    steps = weights[given][:, None] - weights[taken][None, :]
    left = np.abs(apart - 2 * steps).astype(np.float64)
    left[design.cell[given][:, None] != design.cell[taken][None, :]] = np.inf
    best = int(left.argmin())
    if left.flat[best] >= apart:
        return None
    row, column = divmod(best, len(taken))
    return _Step(int(given[row]), int(taken[column]))


def _best_move(
    design: Design, chosen: Flags, weights: Integers, giver: int, taker: int, apart: float
) -> _Step | None:
    """Find the question whose move brings two people nearest, if one brings them nearer."""
    if chosen[:, taker].sum() >= design.limits[taker]:
        return None
    given = np.flatnonzero(chosen[:, giver] & ~chosen[:, taker] & design.allowed[:, taker])
    if not len(given):
        return None
    left = np.abs(apart - 2 * weights[given])
    best = int(left.argmin())
    return None if left[best] >= apart else _Step(int(given[best]), None)
