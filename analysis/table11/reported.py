"""Published percentages: which counts, if any, could have been printed so for their n."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

_PERCENTAGE = re.compile(r"(?P<whole>\d+)(?:\.(?P<decimals>\d+))?\s*%?")


class Rounding(StrEnum):
    """The ways of rounding that a printed number may come from; cutting off is none."""

    HALF_UP = "half up"
    HALF_EVEN = "half even"
    HALF_DOWN = "half down"


@dataclass(frozen=True)
class Possibility:
    """Which counts out of n print as a value, and under which rounding.

    `counts` is empty when no count does; `roundings` are those under which some count does.
    """

    counts: tuple[int, ...]
    roundings: tuple[Rounding, ...]

    @property
    def possible(self) -> bool:
        return bool(self.counts)


def possible_counts(value: str, n: int) -> Possibility:
    """Find every count k in 0..n whose percentage prints as `value`.

    Parameters
    ----------
    value : a percentage as it was printed, trailing zeros included: its decimals count
    n : the denominator, at least 1

    Returns
    -------
    Possibility
        Exact rational arithmetic throughout: 100 k / n lies within half a unit of the last
        printed place, and a tie goes the way the rounding says.

    Raises
    ------
    ValueError
        If `value` is not a plain decimal number or `n` is not positive.

    References
    ----------
    The GRIM test of Brown and Heathers (2017), Social Psychological and Personality Science 8(4).

    Examples
    --------
    >>> possible_counts("87.50", 768).counts
    (672,)
    >>> possible_counts("86.0", 768).possible
    False
    >>> [str(way) for way in possible_counts("90.63", 32).roundings]
    ['half up']
    """
    printed = _PERCENTAGE.fullmatch(value.strip())
    if printed is None:
        raise ValueError(f"{value!r} is not a percentage such as 86.0")
    if n < 1:
        raise ValueError(f"n = {n} is not a positive whole number")
    decimals = printed["decimals"] or ""
    units = int(printed["whole"] + decimals)
    unit = Fraction(1, 10 ** len(decimals))
    low = (units - Fraction(1, 2)) * unit * n / 100
    high = (units + Fraction(1, 2)) * unit * n / 100
    counts: set[int] = set()
    roundings = []
    for rounding in Rounding:
        found = _counts_between(low, high, n, *_closed_ends(rounding, units))
        if found:
            roundings.append(rounding)
            counts.update(found)
    return Possibility(tuple(sorted(counts)), tuple(roundings))


def _closed_ends(rounding: Rounding, units: int) -> tuple[bool, bool]:
    """Tell whether a tie at the lower and at the upper end prints as this value."""
    if rounding is Rounding.HALF_UP:
        return True, False
    if rounding is Rounding.HALF_DOWN:
        return False, True
    return units % 2 == 0, units % 2 == 0


def _counts_between(
    low: Fraction, high: Fraction, n: int, low_closed: bool, high_closed: bool
) -> range:
    """List the whole numbers in 0..n between two ends, each end taken or not."""
    first = math.ceil(low)
    last = math.floor(high)
    if first == low and not low_closed:
        first += 1
    if last == high and not high_closed:
        last -= 1
    return range(max(first, 0), min(last, n) + 1)
