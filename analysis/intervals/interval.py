"""Intervals that carry their target: new questions, or new questions and new people."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from scipy import stats

from analysis.undefined import Undefined

NEGLIGIBLE = 1e-20  # a variance below this is rounding noise of equal scores
FEW_CLUSTERS = 100
NEAR_AN_END = 0.05


class Target(StrEnum):
    """What an interval speaks about.

    T1: these questions and these people, all observed, so that there is no interval.
    T2: new questions, answered by these people. T3: new questions and new people.
    """

    T1 = "T1"
    T2 = "T2"
    T3 = "T3"


@dataclass(frozen=True)
class Interval:
    """An estimate with its standard error and limits for one target."""

    estimate: float
    low: float
    high: float
    target: Target
    method: str
    standard_error: float

    @property
    def covers_zero(self) -> bool:
        return self.low <= 0 <= self.high


def t_interval(
    estimate: float,
    variance: float,
    degrees: float,
    level: float,
    target: Target,
    method: str,
    bounds: tuple[float, float] = (-1.0, 1.0),
) -> Interval | Undefined:
    """Give estimate ± t √variance, cut to the bounds of what is estimated.

    Undefined where the variance is zero: no variation was seen, and a width of zero would
    claim a certainty that the data do not have.

    >>> found = t_interval(0.5, 0.01, 30, 0.95, Target.T2, "t")
    >>> round(found.low, 4), round(found.high, 4)
    (0.2958, 0.7042)
    """
    if variance < NEGLIGIBLE:
        return Undefined("no variation between questions: an interval of width zero means nothing")
    error = math.sqrt(variance)
    half = float(stats.t.ppf((1 + level) / 2, degrees)) * error
    low, high = max(bounds[0], estimate - half), min(bounds[1], estimate + half)
    return Interval(estimate, low, high, target, method, error)


def wilson_limits(share: float, n: float, critical: float) -> tuple[float, float]:
    """Give Wilson's (1927) score limits for a share of n, which may be an effective size.

    Parameters
    ----------
    share : in [0, 1]
    n : positive, not necessarily whole
    critical : the normal or t quantile, 1.96 for 95 %

    Examples
    --------
    >>> low, high = wilson_limits(1.0, 32, 1.959963984540054)
    >>> round(low, 4), high
    (0.8928, 1.0)
    """
    squared = critical * critical
    centre = (share + squared / (2 * n)) / (1 + squared / n)
    half = critical / (1 + squared / n) * math.sqrt(share * (1 - share) / n + squared / (4 * n * n))
    low = 0.0 if share <= 0 else max(0.0, centre - half)
    high = 1.0 if share >= 1 else min(1.0, centre + half)
    return low, high


def effective_size(
    share: float, variance: float, n_units: int, n_answers: float = math.inf
) -> float:
    """Give the number of independent answers with the same variance: p(1-p)/V.

    Where no variation was seen it is the number of units (questions, or images). It is never more
    than `n_answers`: answers that are right or wrong are worth no more than as many independent
    ones, however even a few questions look (Korn and Graubard 1998). Partly right answers and
    stratified means vary less than that, and have no such bound.

    >>> round(effective_size(0.875, 0.875 * 0.125 / 300, 256), 6)
    300.0
    >>> effective_size(0.875, 0.875 * 0.125 / 300, 80, 240)
    240
    >>> effective_size(1.0, 0.0, 32)
    32.0
    """
    spread = share * (1 - share)
    if variance < NEGLIGIBLE or spread < NEGLIGIBLE:
        return float(n_units)
    return min(spread / variance, n_answers)


def mean_interval(
    estimate: float,
    variance: float,
    n_units: int,
    degrees: float,
    level: float,
    target: Target,
    method: str,
    n_answers: float = math.inf,
) -> Interval | Undefined:
    """Give the interval of a mean of scores in [0, 1].

    Student's t in the middle with many clusters; Wilson's interval on the effective size with
    fewer than a hundred clusters or within five points of 0 or 1, where t intervals fail
    (Bowyer et al. 2025, arXiv 2503.01747). Wilson's takes the t quantile too, since the effective
    size comes from an estimated variance (Korn and Graubard 1998, Survey Methodology 24(2)); where
    nothing varied it is Wilson's own interval on the number of units.

    Parameters
    ----------
    estimate, variance : the mean and its clustered variance
    n_units : questions or images, the clusters of the variance
    degrees : degrees of freedom of the t quantile
    level : such as 0.95
    n_answers : how many right or wrong answers there are, the bound of the effective size

    Examples
    --------
    >>> perfect = mean_interval(1.0, 0.0, 32, 31, 0.95, Target.T2, "by question")
    >>> perfect.method, round(perfect.low, 3), perfect.high
    ('by question, Wilson on effective n', 0.893, 1.0)
    """
    few = n_units < FEW_CLUSTERS or not NEAR_AN_END <= estimate <= 1 - NEAR_AN_END
    if not few and variance >= NEGLIGIBLE:
        return t_interval(estimate, variance, degrees, level, target, f"{method}, t", (0.0, 1.0))
    upper = (1 + level) / 2
    estimated = variance >= NEGLIGIBLE or target is Target.T3
    critical = stats.t.ppf(upper, degrees) if estimated else stats.norm.ppf(upper)
    size = effective_size(estimate, variance, n_units, n_answers)
    low, high = wilson_limits(min(max(estimate, 0.0), 1.0), size, float(critical))
    wilson = f"{method}, Wilson on effective n"
    return Interval(estimate, low, high, target, wilson, math.sqrt(max(variance, 0.0)))
