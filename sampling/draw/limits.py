"""Confidence limits of a mean score and of a difference of two, before and after a study."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special, stats

FloatArray = NDArray[np.float64]

FEWEST_PEOPLE = 3
FEW_PEOPLE = 6  # below this many, all weight is on what the people's spread may be
WEIGHT_OF_DOUBT = 0.4  # above, this much of it; the rest is on the estimate
NODES = 200
PSEUDO_QUESTIONS = 4  # that a correlation is shrunk by: as many as Agresti and Coull's


@dataclass(frozen=True)
class ErrorLaw:
    """The law of an estimate's error: normal, with a variance that was itself estimated.

    The questions' part A has `degrees` degrees of freedom. The people's part is B_j with
    probability `weights`_j, each with `people_degrees`_j; without people it is 0.

    Attributes
    ----------
    questions : A, in squared score units, above 0
    degrees : f, infinity where A is known
    people, weights, people_degrees : float, shape (J,)
    """

    questions: float
    degrees: float
    people: FloatArray = field(default_factory=lambda: np.zeros(1))
    weights: FloatArray = field(default_factory=lambda: np.ones(1))
    people_degrees: FloatArray = field(default_factory=lambda: np.full(1, np.inf))

    def tail(self, distance: float) -> float:
        """Return the probability of an error above a distance of at least 0."""
        total = self.questions + self.people
        spread = self.questions**2 / self.degrees + self.people**2 / self.people_degrees
        degrees = total**2 / np.maximum(spread, 1e-9 * total**2)
        return float(self.weights @ special.stdtr(degrees, -distance / np.sqrt(total)))

    def quantile(self, probability: float) -> float:
        """Return the distance h with tail(h) = 1 - probability, for probabilities above 1/2.

        >>> round(ErrorLaw(1.0, 30).quantile(0.975), 4)
        2.0423
        """
        scale = math.sqrt(self.questions + float(self.people.max()))
        return _root(lambda h: self.tail(h) - (1 - probability), 0.0, 1000 * scale)


def law_for_new_people(
    questions: float,
    degrees: float,
    spread: float,
    error: float,
    share: float,
    people: int,
    effective: float | None = None,
) -> ErrorLaw:
    """Return the law of the error for new questions and new people.

    The people's mean square S estimates σ_p² + E with P - 1 degrees of freedom. What σ_p² can be
    given S is its generalized (fiducial) distribution, max(0, S/W - E) with W ~ χ²/(P-1), taken at
    200 quantiles of W: no chance enters. With six people or more it is mixed with the usual
    Satterthwaite law at the estimate max(0, S - E), which alone covers too seldom where people
    differ and the estimate came out small, as the other alone covers too often where they do not.

    Parameters
    ----------
    questions, degrees : A and f
    spread, error : S and E, in squared score units
    share : what σ_p² adds to the variance of the mean, 1/P - 1/N for equal loads
    people : P, at least 3
    effective : P' = 1/Σ_p (n_p/N)², P where left out. People with unequal loads tell as much
        about the mean as P' with equal ones: P' - 1 degrees of freedom, and below six they
        are few.

    References
    ----------
    Weerahandi (1993), JASA 88(423); Hannig, Iyer and Patterson (2006), JASA 101(473);
    Satterthwaite (1946), Biometrics Bulletin 2(6).

    Examples
    --------
    >>> law = law_for_new_people(0.0003, 255, 0.002, 0.001, 0.125, 3)
    >>> round(law.quantile(0.975), 2)
    0.07
    """
    quantiles = (np.arange(NODES) + 0.5) / NODES
    ratios = stats.chi2.ppf(quantiles, people - 1) / (people - 1)
    possible = share * np.maximum(0.0, spread / ratios - error)
    estimate = share * max(0.0, spread - error)
    worth = float(people) if effective is None else effective
    doubt = 1.0 if worth < FEW_PEOPLE - 1e-9 else WEIGHT_OF_DOUBT
    return ErrorLaw(
        questions,
        degrees,
        np.append(possible, estimate),
        np.append(np.full(NODES, doubt / NODES), 1 - doubt),
        np.append(np.full(NODES, np.inf), worth - 1.0),
    )


def wilson_limits(share: float, n: float, critical: float) -> tuple[float, float]:
    """Return Wilson's (1927) score limits for a share of n, which may be an effective size.

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


@dataclass(frozen=True)
class ScoredMean:
    """A mean p in [0, 1] and k², its squared half-width at p as a multiple of p(1-p).

    `questions` is the same for new questions alone, where k² is for new people too. Wilson's
    interval for n answers has k² = z²/n.
    """

    mean: float
    squared: float
    questions: float

    def scaled(self, factor: float) -> ScoredMean:
        """Return the same mean with k² at another level."""
        return ScoredMean(self.mean, self.squared * factor, self.questions * factor)


def standardized(
    first: ScoredMean, second: ScoredMean, correlation: float, difference: float
) -> float:
    """Return how far a difference is below the one observed, in half-widths judged at it.

    Between -1 and 1 where `difference_limits` hold it.
    """
    distance = first.mean - second.mean - difference
    allowed = _allowed(first, second, correlation, difference)
    if allowed <= 0:
        return math.copysign(math.inf, distance) if distance else 0.0
    return distance / math.sqrt(allowed)


def difference_limits(
    first: ScoredMean, second: ScoredMean, correlation: float
) -> tuple[float, float]:
    """Return the differences first - second that those observed do not speak against.

    A difference δ is judged at the likeliest pair of means x, y with x - y = δ: it is in the
    interval where (d - δ)² is at most k₁²x(1-x) + k₂²y(1-y) - 2r k₁k₂ [x(1-x)y(1-y)]^½. In the
    middle with many questions it is the paired t interval; near 0 and 1, where few questions say
    how much the scores vary, it takes the variance of the difference asked about.

    Parameters
    ----------
    first, second : the means and their half-widths
    correlation : r, of their errors over questions; people's part is nothing that the second shares

    References
    ----------
    Miettinen and Nurminen (1985), Statistics in Medicine 4(2); Tango (1998), Statistics in
    Medicine 17(8), for pairs; Wilson (1927) for the single mean.

    Examples
    --------
    >>> half = ScoredMean(0.5, 0.04, 0.04)
    >>> [round(limit, 3) for limit in difference_limits(half, half, 0.5)]  # ± (.04 / 4)^½ without
    [-0.1, 0.1]
    """
    estimate = first.mean - second.mean

    def beyond(difference: float) -> float:
        allowed = _allowed(first, second, correlation, difference)
        return (estimate - difference) ** 2 - allowed

    # A hair inside: at a difference of -1 or 1 itself nothing is allowed to vary.
    low = -1.0 if beyond(-1.0) <= 0 else _root(beyond, -1.0, min(estimate, 1 - 1e-9))
    high = 1.0 if beyond(1.0) <= 0 else _root(beyond, max(estimate, -1 + 1e-9), 1.0)
    return low, high


def raised_spread(spread: float, people: int) -> float:
    """Return people's mean square S, so raised that its root is unbiased.

    >>> round(raised_spread(1.0, 3), 2)
    1.29
    """
    return spread / float(np.mean(np.sqrt(_spread_ratios(people)))) ** 2


def _spread_ratios(people: int) -> FloatArray:
    ratios: FloatArray = stats.chi2.ppf((np.arange(10) + 0.5) / 10, people - 1) / (people - 1)
    return ratios


def repeated_spreads(spread: float, people: int) -> FloatArray:
    """Return ten equally likely mean squares S of people in a repetition, given the one seen.

    S χ²/(P-1), with S raised as `raised_spread` does.

    >>> [round(float(one), 2) for one in repeated_spreads(1.0, 3)[[0, -1]]]
    [0.07, 3.87]
    """
    return raised_spread(spread, people) * _spread_ratios(people)


def detectable_gap(
    first: ScoredMean,
    variance: float,
    second: ScoredMean,
    correlation: float,
    repeated: Sequence[float] = (),
    power: float = 0.8,
) -> float | None:
    """Return the smallest gap at which the interval excludes zero with the given probability.

    The first mean stays where it is and the second is δ below: a model far below people near 1
    varies more than one beside them. Computed from the precision that was reached, not from
    the gap that was seen (Hoenig and Heisey 2001, American Statistician 55(1)).

    Parameters
    ----------
    first, second : as for `difference_limits`; of the second the mean does not matter
    variance : of the first mean, in squared score units
    correlation : r, of their errors over questions
    repeated : the k² of the first that other such studies would have, equally likely; its own where
        there are none

    Returns
    -------
    float, or None where the second would have to be below 0.

    Examples
    --------
    >>> people, model = ScoredMean(0.97, 0.04, 0.04), ScoredMean(0.94, 0.12, 0.12)
    >>> round(detectable_gap(people, 0.0003, model, 0.0), 3)
    0.163
    """
    single = float(stats.norm.ppf(0.975)) ** 2

    def short(gap: float) -> float:
        mean = first.mean - gap
        there = ScoredMean(mean, second.squared, second.squared)
        moved = second.squared / single * mean * (1 - mean)
        own = min(variance, first.questions / single * first.mean * (1 - first.mean))
        error = variance + moved - 2 * correlation * math.sqrt(own * moved)
        found = 0.0
        for squared in repeated or (first.squared,):
            own_first = ScoredMean(first.mean, squared, first.questions)
            needed = math.sqrt(max(0.0, _allowed(own_first, there, correlation, 0.0)))
            found += float(special.ndtr((gap - needed) / math.sqrt(max(error, 1e-12))))
        return found / max(1, len(repeated)) - power

    most = first.mean
    return None if most <= 0 or short(most) < 0 else _root(short, 0.0, most)


def _allowed(first: ScoredMean, second: ScoredMean, correlation: float, difference: float) -> float:
    """Return the squared distance from a difference that one observed may have."""
    x = _likeliest(first, second, difference)
    y = x - difference
    own, other = max(0.0, x * (1 - x)), max(0.0, y * (1 - y))
    shared = math.sqrt(first.questions * second.squared * own * other)
    return first.squared * own + second.squared * other - 2 * correlation * shared


def _likeliest(first: ScoredMean, second: ScoredMean, difference: float) -> float:
    """Return the x of largest likelihood for answers worth 1/k² each, where y = x - difference."""
    n, m = 1 / first.squared, 1 / second.squared
    least, most = max(0.0, difference), min(1.0, 1 + difference)

    def slope(x: float) -> float:
        y = x - difference
        return n * (first.mean - x) * y * (1 - y) + m * (second.mean - y) * x * (1 - x)

    # slope is the derivative times x(1-x)y(1-y): its sign is that of the derivative inside.
    low, high = least + 1e-12, most - 1e-12
    if low >= high or slope(low) <= 0:
        return min(low, most)
    return high if slope(high) >= 0 else _root(slope, low, high)


def shrunk_correlation(covariance: float, variances: tuple[float, float], n: int) -> float:
    """Return the correlation of two means' errors over n clusters, shrunk by n/(n + 4).

    With few clusters a correlation of 1 is seen by chance, and a difference of which nothing was
    seen to vary would be known exactly. 0 where either does not vary.

    >>> shrunk_correlation(1.0, (1.0, 1.0), 36), shrunk_correlation(0.0, (0.0, 1.0), 36)
    (0.9, 0.0)
    """
    scale = math.sqrt(variances[0] * variances[1])
    if scale < 1e-20:
        return 0.0
    return max(-1.0, min(1.0, covariance / scale)) * n / (n + PSEUDO_QUESTIONS)


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    return float(optimize.brentq(function, low, high, xtol=1e-13, rtol=1e-12))
