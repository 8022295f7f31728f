"""Intervals that carry their target: new questions, or new questions and new people."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from scipy import stats

from analysis.arrays import Undefined
from sampling.draw.limits import wilson_limits

NEGLIGIBLE = 1e-20  # a variance below this is rounding noise of equal scores


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
    """An estimate with its standard error and limits for one target.

    `squared` is the k² of a mean's limits (`ScoredMean`), 0 for other estimates.
    """

    estimate: float
    low: float
    high: float
    target: Target
    method: str
    standard_error: float
    squared: float = 0.0

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


@dataclass(frozen=True)
class AnswerBounds:
    """What answers that are right or wrong can be worth: between `least` and `most` of them.

    N answers in clusters of m_g are worth at most N independent ones (Korn and Graubard 1998) and,
    where those of a cluster are all alike, still N²/Σ m_g². Partly right answers and stratified
    means have no such bounds.
    """

    least: float = 0.0
    most: float = math.inf

    @property
    def known(self) -> bool:
        """Whether nothing is left to estimate: one answer a cluster."""
        return self.least >= self.most * (1 - 1e-9)


UNBOUNDED = AnswerBounds()


def effective_size(
    share: float, variance: float, n_units: int, bounds: AnswerBounds = UNBOUNDED
) -> float:
    """Return the number of independent answers with the same variance: p(1-p)/V, in its bounds.

    Where no variation was seen it is the number of units (questions, or images).

    >>> round(effective_size(0.875, 0.875 * 0.125 / 300, 256), 6)
    300.0
    >>> effective_size(0.875, 0.875 * 0.125 / 300, 80, AnswerBounds(80, 240))
    240
    >>> effective_size(1.0, 0.0, 32)
    32.0
    """
    spread = share * (1 - share)
    if variance < NEGLIGIBLE or spread < NEGLIGIBLE:
        return float(n_units)
    return min(max(spread / variance, bounds.least), bounds.most)


def mean_interval(
    estimate: float,
    variance: float,
    n_units: int,
    degrees: float,
    level: float,
    target: Target,
    method: str,
    bounds: AnswerBounds = UNBOUNDED,
) -> Interval:
    """Return Wilson's interval of a mean of scores in [0, 1], on its effective size.

    The quantile is Student's t where the size comes from an estimated variance (Korn and Graubard
    1998, Survey Methodology 24(2)), else the normal one: one right or wrong answer a cluster, or
    no variation seen, where it is Wilson's own interval on the number of units. In the middle with
    many clusters it is the t interval; near 0 or 1 and with few of them that one fails (Bowyer et
    al. 2025, arXiv 2503.01747).

    Parameters
    ----------
    estimate, variance : the mean and its clustered variance
    n_units : questions or images, the clusters of the variance
    degrees : degrees of freedom of the t quantile
    level : such as 0.95
    bounds : of the effective size

    Examples
    --------
    >>> perfect = mean_interval(1.0, 0.0, 32, 31, 0.95, Target.T2, "by question")
    >>> perfect.method, round(perfect.low, 3), perfect.high
    ('by question, Wilson on effective n', 0.893, 1.0)
    """
    mean = min(max(estimate, 0.0), 1.0)
    size = effective_size(mean, variance, n_units, bounds)
    estimated = variance >= NEGLIGIBLE and not bounds.known
    upper = (1 + level) / 2
    critical = stats.t.ppf(upper, degrees) if estimated else stats.norm.ppf(upper)
    low, high = wilson_limits(mean, size, float(critical))
    wilson = f"{method}, Wilson on effective n"
    error = math.sqrt(max(variance, 0.0))
    return Interval(estimate, low, high, target, wilson, error, float(critical) ** 2 / size)
