"""The gap between people and a model on the same questions, with the pairing kept."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.arrays import FloatArray, IntArray, Undefined
from analysis.inference.cluster import (
    ClusterVariance,
    cluster_variance,
    model_contributions,
    response_contributions,
)
from analysis.inference.interval import Comparison, Interval
from analysis.inference.means import (
    fixed_strata,
    human_intervals,
    human_strata,
    model_interval,
    repeated_squares,
)
from analysis.inference.scored_responses import ScoredResponses, grouped_mean
from sampling.draw.limits import ScoredMean, detectable_gap, difference_limits, shrunk_correlation

METHOD = "paired, score"


@dataclass(frozen=True)
class PairedGap:
    """Human minus model, on the questions that both answered.

    Attributes
    ----------
    estimate : response mean of the people minus the model's mean, in [-1, 1]
    contributions : float, shape (n,), each question's part in the gap's error, sum zero
    differences : float, shape (n,), h̄_i - m_i
    new_questions, new_people : intervals for T2 and T3
    """

    estimate: float
    contributions: FloatArray
    differences: FloatArray
    n_responses: int
    n_questions: int
    new_questions: Interval | Undefined
    new_people: Interval | Undefined


def paired_gap(
    responses: ScoredResponses, model: FloatArray, clusters: IntArray, level: float
) -> PairedGap:
    """Compare people with a model, question by question.

    The limits are those of `difference_limits`, from the half-widths of the two
    scores and the correlation of their errors within clusters. In the middle with many questions
    this is the paired t interval of s²(d)/n, d_i = h̄_i - m_i. For new people (T3) the people's
    own half-width is that for new people.

    Parameters
    ----------
    responses : the people's N responses to the n questions that the model answered too
    model : float, shape (n,), the model's score on each
    clusters : int, shape (n,), the question itself or its image
    level : such as 0.95

    References
    ----------
    Miller (2024), arXiv 2411.00640, section 4.2 (paired differences); for T3 see
    `analysis.inference.crossed`.

    Examples
    --------
    >>> people = ScoredResponses(np.array([1.0, 1.0, 0.0, 1.0]), np.arange(4),
    ...                          np.zeros(4, dtype=np.int64), np.arange(4))
    >>> found = paired_gap(people, np.array([1.0, 0.0, 0.0, 0.0]), np.arange(4), 0.95)
    >>> found.estimate, found.new_people.reason
    (0.5, 'one participant: nothing says how another would do')
    """
    people = human_intervals(responses, clusters, level, "people")
    other = model_interval(model, clusters, responses.group, level, "model", responses.strata)
    paired = _pair(responses, model, clusters)
    return PairedGap(
        estimate=responses.mean - grouped_mean(model, responses.group),
        contributions=paired.first - paired.second,
        differences=responses.question_means - model,
        n_responses=responses.n_responses,
        n_questions=responses.n_questions,
        new_questions=paired.interval(people.new_questions, other, level),
        new_people=paired.interval(people.new_people, other, level, people.new_questions),
    )


@dataclass(frozen=True)
class _Paired:
    """Each question's part in the errors of two means, float, shape (n,)."""

    first: FloatArray
    second: FloatArray
    clusters: IntArray
    group: IntArray | None
    strata: IntArray | None

    def interval(
        self,
        first: Interval | Undefined,
        second: Interval | Undefined,
        level: float,
        questions: Interval | Undefined | None = None,
    ) -> Interval | Undefined:
        """Return the interval of first minus second from those of the two.

        `questions` is the first's for new questions, where its own is for new people.
        """
        if isinstance(first, Undefined):
            return first
        if isinstance(second, Undefined):
            return second
        if isinstance(questions, Undefined):
            return questions
        found = self._found(self.first - self.second)
        both, degrees = (
            (0.0, 1) if isinstance(found, Undefined) else (found.variance, found.degrees)
        )
        own = questions or first
        one, other, correlation = _scored(first, own), _scored(second, second), self._correlation()
        low, high = difference_limits(one, other, correlation)
        people = max(0.0, first.standard_error**2 - own.standard_error**2)
        estimate, error = first.estimate - second.estimate, math.sqrt(both + people)
        comparison = Comparison(one, other, correlation, degrees, level)
        note = first.note or second.note
        return Interval(
            estimate, low, high, first.target, METHOD, error, note=note, comparison=comparison
        )

    def detectable(
        self,
        first: Interval | Undefined,
        second: Interval | Undefined,
        questions: Interval | Undefined,
        repeated: Sequence[float] = (),
        least: float = 0.0,
    ) -> float | None:
        """Return the difference that would be found in 8 of 10 such studies."""
        if isinstance(first, Undefined) or isinstance(second, Undefined):
            return None
        if isinstance(questions, Undefined):
            return None
        one, other = _scored(first, questions), _scored(second, second)
        variance = max(first.standard_error**2, least)
        return detectable_gap(one, variance, other, self._correlation(), repeated)

    def _correlation(self) -> float:
        a, b = self._variance(self.first), self._variance(self.second)
        covariance = (a + b - self._variance(self.first - self.second)) / 2
        return shrunk_correlation(covariance, (a, b), int(self.clusters.max()) + 1)

    def _found(self, parts: FloatArray) -> ClusterVariance | Undefined:
        return cluster_variance(parts, self.clusters, self.group, self.strata)

    def _variance(self, parts: FloatArray) -> float:
        found = self._found(parts)
        return 0.0 if isinstance(found, Undefined) else found.variance


def _pair(responses: ScoredResponses, model: FloatArray, clusters: IntArray) -> _Paired:
    strata = human_strata(responses, clusters)
    strata = _coarser(strata, fixed_strata(responses.strata, clusters, responses.group, model))
    return _Paired(
        response_contributions(responses, strata),
        model_contributions(model, responses.group, strata),
        clusters,
        responses.group,
        strata,
    )


def _coarser(first: IntArray | None, second: IntArray | None) -> IntArray | None:
    """Return the strata that there are fewer of: what both scores can tell apart."""
    if first is None or second is None:
        return None
    return first if first.max() <= second.max() else second


def _scored(own: Interval, questions: Interval) -> ScoredMean:
    return ScoredMean(own.estimate, own.squared, questions.squared)


def detectable_gaps(
    responses: ScoredResponses, model: FloatArray, clusters: IntArray, level: float
) -> tuple[float | None, float | None]:
    """Return the smallest gaps that 8 of 10 such studies find, for new questions and people.

    The gap is people above the model, people where they are; see
    `sampling.draw.limits.detectable_gap`. None where there is no interval, or no such model.
    """
    people = human_intervals(responses, clusters, level, "people")
    other = model_interval(model, clusters, responses.group, level, "model", responses.strata)
    paired = _pair(responses, model, clusters)
    repeated, variance = repeated_squares(responses, clusters, level)
    same = people.new_questions
    return (
        paired.detectable(same, other, same),
        paired.detectable(people.new_people, other, same, repeated, variance),
    )


@dataclass(frozen=True)
class ModelDifference:
    """One model minus another, on the questions that both answered."""

    estimate: float
    contributions: FloatArray
    n_questions: int
    only_first: int
    only_second: int
    interval: Interval | Undefined
    detectable: float | None


def model_difference(
    first: FloatArray,
    second: FloatArray,
    clusters: IntArray,
    level: float,
    group: IntArray | None = None,
    strata: IntArray | None = None,
) -> ModelDifference:
    """Compare two models, question by question.

    Parameters
    ----------
    first, second : float, shape (n,), their scores on the same questions
    clusters : int, shape (n,)
    group : int, shape (n,), where the mean is that of groups' means
    strata : int, shape (n, L), what the questions were drawn within

    Returns
    -------
    ModelDifference
        `only_first` and `only_second` count the questions that one alone scored 1 on.

    Examples
    --------
    >>> found = model_difference(np.array([1.0, 1.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0, 1.0]),
    ...                          np.arange(4), 0.95)
    >>> found.estimate, found.only_first, found.only_second
    (0.25, 1, 0)
    """
    both = [fixed_strata(strata, clusters, group, one) for one in (first, second)]
    fixed = _coarser(*both)
    parts = model_contributions(first, group, fixed), model_contributions(second, group, fixed)
    one = model_interval(first, clusters, group, level, "first", strata)
    other = model_interval(second, clusters, group, level, "second", strata)
    paired = _Paired(*parts, clusters, group, fixed)
    return ModelDifference(
        estimate=grouped_mean(first, group) - grouped_mean(second, group),
        contributions=parts[0] - parts[1],
        n_questions=int(first.size),
        only_first=int(np.count_nonzero((first == 1) & (second != 1))),
        only_second=int(np.count_nonzero((first != 1) & (second == 1))),
        interval=paired.interval(one, other, level),
        detectable=paired.detectable(one, other, one),
    )
