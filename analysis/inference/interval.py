"""Intervals that carry their target: new questions, or new questions and new people."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from scipy import stats

from analysis.arrays import Undefined
from sampling.draw.limits import ScoredMean, difference_limits, standardized, wilson_limits

FEWEST_CLUSTERS = 12
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
class Comparison:
    """The score test whose inversion is the interval of a difference of two means.

    Attributes
    ----------
    first, second, correlation : as for `difference_limits`, at the level of the interval
    degrees, level : of the t quantile that all k² are taken to scale with
    longer : how many times as long other runs made both sides of the interval
    """

    first: ScoredMean
    second: ScoredMean
    correlation: float
    degrees: float
    level: float
    longer: float = 1.0

    @property
    def estimate(self) -> float:
        return self.first.mean - self.second.mean

    def p_at_most(self, difference: float) -> float:
        """Return the one-sided p-value of the difference being this one or less."""
        there = self.estimate + (difference - self.estimate) / self.longer
        distance = standardized(self.first, self.second, self.correlation, there)
        return float(stats.t.sf(distance * self._critical(self.level), self.degrees))

    def p_equal(self, difference: float = 0.0) -> float:
        """Return the two-sided p-value: below 1 - level where the interval leaves it out."""
        one = self.p_at_most(difference)
        return 2 * min(one, 1 - one)

    def limits(self, level: float) -> tuple[float, float]:
        """Return the interval at another level, in [-1, 1]."""
        scale = (self._critical(level) / self._critical(self.level)) ** 2
        low, high = difference_limits(
            self.first.scaled(scale), self.second.scaled(scale), self.correlation
        )
        return (
            max(-1.0, self.estimate + (low - self.estimate) * self.longer),
            min(1.0, self.estimate + (high - self.estimate) * self.longer),
        )

    def _critical(self, level: float) -> float:
        return float(stats.t.ppf((1 + level) / 2, self.degrees))


@dataclass(frozen=True)
class Interval:
    """An estimate with its standard error and limits for one target.

    `squared` is the k² of a mean's limits (`ScoredMean`), 0 for other estimates; `note` says why
    the level is not promised, and `comparison` is the test that a difference's limits invert.
    """

    estimate: float
    low: float
    high: float
    target: Target
    method: str
    standard_error: float
    squared: float = 0.0
    note: str = ""
    comparison: Comparison | None = None

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
        return self.least <= self.most < math.inf and self.most - self.least <= 1e-9 * self.most


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
    return max(min(spread / variance, bounds.most), bounds.least)


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
    squared = float(critical) ** 2 / size
    note = level_note(mean, size, n_units, float(stats.norm.ppf(upper)))
    return Interval(estimate, low, high, target, wilson, error, squared, note)


def level_note(mean: float, size: float, n_units: int, critical: float) -> str:
    """Say where the level of a mean's interval cannot be promised; empty where it can.

    With fewer than twelve clusters the variance itself is hardly known. With fewer than z² wrong
    answers (3.84 at 95 %), or right ones, the limit of a sample without any is on the far side of
    the truth: an interval can then miss on one side only, and covers 97.5 % or more.

    >>> level_note(0.875, 256.0, 256, 1.96), level_note(0.97, 32.0, 32, 1.96)
    ('', 'too few wrong or right answers to promise the level: the interval is rather too wide')
    """
    if n_units < FEWEST_CLUSTERS:
        return f"fewer than {FEWEST_CLUSTERS} questions or images: the level is not promised"
    if size * min(mean, 1 - mean) < critical**2:
        return (
            "too few wrong or right answers to promise the level: the interval is rather too wide"
        )
    return ""
