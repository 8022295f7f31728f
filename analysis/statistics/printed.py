"""Numbers as the statistics tables print them; an undefined one is empty."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import TypeAlias

from analysis.inference.interval import Interval
from analysis.scoring.exact_means import LARGEST_DENOMINATOR
from analysis.scoring.percentages import percent
from analysis.undefined import Undefined

Row: TypeAlias = Mapping[str, str]


def points(share: float | Fraction | Undefined | None) -> str:
    """Print a share, or a difference of shares, in percentage points with two decimals.

    A float is taken for the ratio of small numbers that it was rounded from: a half-way case, whose
    denominator is at most 20,000, is then rounded up as it should be, whatever its last bits are.

    >>> points(0.28906250), points(Undefined("one question")), points(None)
    ('28.91', '', '')
    >>> points(0.03125 - 1e-17), points(sum([0.1, 0.2, 0.3]) / 96)  # 0.6/96 = 0.625 %
    ('3.13', '0.63')
    """
    if share is None or isinstance(share, Undefined):
        return ""
    if isinstance(share, Fraction):
        return percent(share)
    return percent(Fraction(share).limit_denominator(LARGEST_DENOMINATOR))


def number(value: float | Undefined | None, decimals: int = 4) -> str:
    """Print a coefficient, a p-value or seconds, rounded half up; nothing prints as -0.

    >>> number(0.8135), number(-1e-9), number(None)
    ('0.8135', '0.0000', '')
    """
    if value is None or isinstance(value, Undefined):
        return ""
    return percent(Fraction(float(value)) / 100, decimals)


def probability(p: float | Undefined | None) -> str:
    """Print a p-value with six decimals, a smaller one by its power of ten.

    >>> probability(0.125), probability(3.2e-12), probability(None)
    ('0.125000', '3.2e-12', '')
    """
    if isinstance(p, float) and 0 < p < 1e-6:
        return f"{p:.1e}"
    return number(p, 6)


def probability_below(p: float | None, upper: float | None) -> str:
    """Print a p-value, or where it is only known to be below something that, after `< `.

    The bound is rounded up to two digits.

    >>> probability_below(0.0125, 0.0125), probability_below(1 / 10_001, 2 / 10_001)
    ('0.012500', '< 0.0002')
    >>> probability_below(3 / 10_001, 6 / 10_001), probability_below(0.6, 1.0)
    ('< 0.0006', '0.600000')
    """
    if p is None or upper is None or upper <= p or upper >= 1:
        return probability(p)
    places = 1 - math.floor(math.log10(upper))
    bound = math.ceil(round(upper * 10**places, 9)) / 10**places
    return f"< {bound:.{places}f}".rstrip("0")


def limits(interval: Interval | Undefined, low: str, high: str) -> dict[str, str]:
    """Print an interval's limits, in points, under two column names."""
    if isinstance(interval, Undefined):
        return {low: "", high: ""}
    return {low: points(interval.low), high: points(interval.high)}


def reason(*results: object) -> str:
    """Give the reasons of whatever is undefined, each once.

    >>> reason(Undefined("one participant"), 0.5, Undefined("one participant"))
    'one participant'
    """
    found = [result.reason for result in results if isinstance(result, Undefined)]
    return "; ".join(dict.fromkeys(found))
