"""Equal work where questions differ in length: exchanges and moves that even out people's texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sampling.assignment.flow import Flags, Integers
from sampling.assignment.targets import Design

MOST_STEPS = 20_000
MOST_PEOPLE = 100
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
