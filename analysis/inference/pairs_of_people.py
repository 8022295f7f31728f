"""The interval of agreement between pairs of people, for new questions and new people (T3)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import optimize, stats

from analysis.arrays import FloatArray, IntArray, Undefined
from analysis.inference.cluster import cluster_variance, model_contributions
from analysis.inference.interval import NEGLIGIBLE, Interval, Target
from analysis.inference.scored_responses import group_means, group_weights
from sampling.draw.limits import wilson_limits

FEWEST_PEOPLE = 3
GRID = 200  # points of each chi-squared distribution that the limits are integrated over
ALMOST_ALL = 1 - 1e-9


@dataclass(frozen=True)
class AgreementWithOthers:
    """How far each of N responses agrees with the others to its question.

    Attributes
    ----------
    share : float, shape (N,), in [0, 1]: the mean agreement with the other people who answered
    question : int, shape (N,), each of 0..n-1 at least twice
    participant : int, shape (N,), each of 0..P-1
    image : int, shape (n,), the cluster of each question
    category : int, shape (n,), each of 0..C-1: the agreement is the mean of the categories' means
    """

    share: FloatArray
    question: IntArray
    participant: IntArray
    image: IntArray
    category: IntArray

    @property
    def question_means(self) -> FloatArray:
        """The agreement of each question, shape (n,): the mean of its responses' shares."""
        sizes = np.bincount(self.question, minlength=self.image.size)
        means: FloatArray = (
            np.bincount(self.question, weights=self.share, minlength=self.image.size) / sizes
        )
        return means


@dataclass(frozen=True)
class PeopleSpread:
    """What the people add to the variance of agreement, before and after chance is taken off.

    `total` is the jackknife variance over people, `noise` the part of it that questions and single
    answers bring, both in squared units of agreement; `total - noise` estimates the variance of
    new people without bias, and may be negative.
    """

    total: float
    noise: float
    n_people: int


def people_spread(answers: AgreementWithOthers) -> PeopleSpread | Undefined:
    """Jackknife agreement over people, and take off what chance would bring.

    Agreement is a mean over pairs, so that leaving out person p leaves out all pairs with p and
    changes it by D_p = Σ_i w_i (2/K_i) (z_ip - A_c) / (1 - W_pc), with w_i a question's weight,
    z_ip the person's share of agreement, A_c the category's mean and W_pc the share of its pairs
    that p is in. (P-1)/P Σ (D_p - D̄)² is the jackknife variance (Arvesen 1969), unbiased for what
    new people bring but for the noise of questions and answers. That noise is the same quadratic
    form of each image's part of the D_p, added up, for images are independent.

    Returns
    -------
    PeopleSpread
        Or Undefined with fewer than three people (two make a single pair, and nothing says how
        another pair would agree), with fewer than two images, or where one person is in every pair
        of a category.

    References
    ----------
    Arvesen (1969), Ann. Math. Statist. 40(6), for the jackknife of U-statistics; Owen and Eckles
    (2012), Ann. Appl. Stat. 6(3), for questions crossed with people.

    Examples
    --------
    >>> three = AgreementWithOthers(
    ...     np.array([0.5, 0.5, 0.0] * 4), np.repeat(np.arange(4), 3), np.tile(np.arange(3), 4),
    ...     np.arange(4), np.zeros(4, dtype=np.int64))
    >>> spread = people_spread(three)  # the same two agree, always: 1 of 3 pairs
    >>> round(spread.total, 4), round(spread.noise, 4)
    (0.4444, 0.1481)
    """
    people = int(answers.participant.max()) + 1
    if people < FEWEST_PEOPLE:
        one = "one person: no pair" if people < 2 else "two people are a single pair"
        return Undefined(f"{one}: nothing says how other people would agree")
    images = int(answers.image.max()) + 1
    if images < 2:
        return Undefined("fewer than two clusters: nothing to estimate a variance from")
    sizes = np.bincount(answers.question, minlength=answers.image.size)
    weight = group_weights(answers.category, answers.image.size)
    part = (weight * 2 / sizes)[answers.question]
    code = answers.category[answers.question]
    categories = int(answers.category.max()) + 1
    shape = (categories, people)
    in_pairs = np.zeros(shape)
    np.add.at(in_pairs, (code, answers.participant), part * categories)
    if in_pairs.max() > ALMOST_ALL:
        return Undefined("one person is in every pair of a category: nothing is left without them")
    centre = group_means(answers.question_means, answers.category)[answers.question]
    moved = part * (answers.share - centre) / (1 - in_pairs[code, answers.participant])
    by_image = np.zeros((images, people))
    np.add.at(by_image, (answers.image[answers.question], answers.participant), moved)
    kept = (people - 1) / people
    whole = by_image.sum(axis=0)
    total = kept * float(np.sum((whole - whole.mean()) ** 2))
    within = by_image - by_image.mean(axis=1, keepdims=True)
    noise = kept * images / (images - 1) * float(np.sum(within**2))
    return PeopleSpread(total, noise, people)


def new_people_interval(
    answers: AgreementWithOthers, level: float, method: str
) -> Interval | Undefined:
    """Return the interval of agreement for new questions and new people.

    A generalized (fiducial) interval. The variance of the questions A and the jackknife variance
    of the people S were estimated on f_A and P-1 degrees of freedom; given the data the true
    variance is distributed as A f_A/χ²(f_A) + max(0, S (P-1)/χ²(P-1) - noise), and the estimate is
    normal about the truth with that variance. The half-width is the quantile of that mixture: with
    few people it is wide because little is known of how much people differ, also where they did
    not seem to differ. The limits are Wilson's at that number of standard errors.

    Parameters
    ----------
    level : such as 0.95
    method : how questions are clustered, for the name of the method

    Returns
    -------
    Interval, never narrower than that for the same people; or Undefined, see `people_spread`.

    References
    ----------
    Weerahandi (1993), JASA 88(423); Hannig, Iyer and Patterson (2006), JASA 101(473), for
    generalized intervals; Burdick, Borror and Montgomery (2005), Design and Analysis of Gauge R&R
    Studies, for crossed random effects.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> right = rng.random((400, 4)) < 0.9
    >>> count = right.sum(1, keepdims=True)
    >>> share = (np.where(right, count, 4 - count) - 1) / 3
    >>> answers = AgreementWithOthers(
    ...     share.ravel(), np.repeat(np.arange(400), 4), np.tile(np.arange(4), 400),
    ...     np.arange(400), np.zeros(400, dtype=np.int64))
    >>> found = new_people_interval(answers, 0.95, "by question")
    >>> found.target.value, bool(found.low < 0.82 < found.high)  # 0.9² + 0.1²
    ('T3', True)
    """
    spread = people_spread(answers)
    if isinstance(spread, Undefined):
        return spread
    values = answers.question_means
    contributions = model_contributions(values, answers.category)
    found = cluster_variance(contributions, answers.image, answers.category)
    if isinstance(found, Undefined):
        return found
    estimate = float(np.sum(values * group_weights(answers.category, values.size)))
    variance = found.variance + max(0.0, spread.total - spread.noise)
    if variance < NEGLIGIBLE:
        return Undefined("all pairs agree alike: nothing says how much other people would differ")
    half = generalized_half_width(found.variance, found.degrees, spread, level)
    error = math.sqrt(variance)
    name = f"jackknife of people, {method}, generalized"
    if 0 < estimate < 1:
        size = estimate * (1 - estimate) / variance
        low, high = wilson_limits(estimate, size, half / error)
        return Interval(estimate, low, high, Target.T3, f"{name}, Wilson", error)
    low, high = max(0.0, estimate - half), min(1.0, estimate + half)
    return Interval(estimate, low, high, Target.T3, name, error)


def generalized_half_width(
    questions: float, degrees: int, spread: PeopleSpread, level: float
) -> float:
    """Return h with P(|Z| √V <= h) = level over the distribution of V and a normal Z.

    V = questions f/χ²(f) + max(0, total (P-1)/χ²(P-1) - noise); the two χ² are independent, and
    integrated over the midpoints of equal probabilities.

    >>> known = PeopleSpread(0.0, 0.0, 1001)
    >>> round(generalized_half_width(1.0, 1_000_000, known, 0.95), 2)  # the normal quantile
    1.96
    """
    middles = (np.arange(GRID) + 0.5) / GRID
    of_questions = questions * degrees / stats.chi2.ppf(middles, degrees)
    few = spread.n_people - 1
    of_people = np.maximum(0.0, spread.total * few / stats.chi2.ppf(middles, few) - spread.noise)
    deviations = np.sqrt(np.add.outer(of_questions, of_people).ravel())
    if deviations.max() <= 0:
        return 0.0

    deviations = np.maximum(deviations, deviations.max() * 1e-9)

    def excess(half: float) -> float:
        return float(np.mean(stats.norm.cdf(half / deviations))) - (1 + level) / 2

    highest = float(deviations.max()) * 10
    return float(optimize.brentq(excess, 0.0, highest, rtol=1e-8))
