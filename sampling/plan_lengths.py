"""Equal work where questions differ in length: swaps that even out how much text people get."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from sampling.flow import Flags, Integers
from sampling.plan_targets import Design
from sampling.questions import Key

MOST_SWAPS = 20_000
MOST_PEOPLE = 100


def answer_lengths(keys: Sequence[Key]) -> dict[str, int]:
    """Give each question's length in characters of its reference text; 1 where that is no text.

    >>> answer_lengths([Key("q1", "abc"), Key("q2", 7)])
    {'q1': 3, 'q2': 1}
    """
    return {
        key.sample_id: max(1, len(key.answer)) if isinstance(key.answer, str) else 1 for key in keys
    }


def balance_lengths(design: Design, chosen: Flags, lengths: Mapping[str, int]) -> Flags:
    """Exchange longer questions for shorter ones of the same cell until lengths are even.

    Parameters
    ----------
    design : Design
        n questions, P people.
    chosen : (n, P) bool
        A plan; loads and margins stay as they are.
    lengths : mapping of sample_id to int
        What each question weighs; 1 for any that is not named.

    Returns
    -------
    (n, P) bool
        A plan in which no single exchange would bring two people nearer to their share of the
        whole length (a share proportional to how many questions they have). Very large groups,
        where chance evens out lengths, are left alone.
    """
    result = chosen.copy()
    if len(design.people) > MOST_PEOPLE:
        return result
    weights = np.array([lengths.get(one.sample_id, 1) for one in design.questions], dtype=np.int64)
    loads = result.sum(axis=0)
    whole = int((weights[:, None] * result).sum())
    excess = weights @ result - whole * loads / max(1, int(loads.sum()))
    pairs = sorted(combinations(range(len(excess)), 2), key=lambda pair: (pair[0] - pair[1], pair))
    for _ in range(MOST_SWAPS):
        order = np.argsort(-excess, kind="stable")
        for high, low in pairs:
            giver, taker = int(order[high]), int(order[low])
            swap = _best_swap(design, result, weights, giver, taker, excess[giver] - excess[taker])
            if swap is not None:
                break
        else:
            break
        less, more = swap
        result[[less, more], giver] = False, True
        result[[less, more], taker] = True, False
        excess[giver] -= weights[less] - weights[more]
        excess[taker] += weights[less] - weights[more]
    return result


def _best_swap(
    design: Design, chosen: Flags, weights: Integers, giver: int, taker: int, apart: float
) -> tuple[int, int] | None:
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
    return int(given[row]), int(taken[column])
