"""The gap between people and a model on the same questions, with the pairing kept."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.array_types import FloatArray, IntArray
from analysis.intervals.cluster import (
    ClusterVariance,
    cluster_variance,
    model_contributions,
    response_contributions,
)
from analysis.intervals.crossed import (
    VarianceComponents,
    satterthwaite_degrees,
    variance_components,
)
from analysis.intervals.interval import Interval, Target, t_interval
from analysis.intervals.scored_responses import ScoredResponses, grouped_mean
from analysis.undefined import Undefined


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

    The variance is that of the paired differences summed within clusters: with equal numbers of
    responses and one cluster a question it is s²(d)/n, d_i = h̄_i - m_i. For new people (T3) the
    participants' variance of the human mean is added, with Satterthwaite's degrees of freedom.

    Parameters
    ----------
    responses : the people's N responses to the n questions that the model answered too
    model : float, shape (n,), the model's score on each
    clusters : int, shape (n,), the question itself or its image
    level : such as 0.95

    References
    ----------
    Miller (2024), arXiv 2411.00640, section 4.2 (paired differences); for T3 see
    `analysis.intervals.crossed`.

    Examples
    --------
    >>> people = ScoredResponses(np.array([1.0, 1.0, 0.0, 1.0]), np.arange(4),
    ...                          np.zeros(4, dtype=np.int64), np.arange(4))
    >>> found = paired_gap(people, np.array([1.0, 0.0, 0.0, 0.0]), np.arange(4), 0.95)
    >>> found.estimate, found.new_people.reason
    (0.5, 'one participant: nothing says how another would do')
    """
    estimate = responses.mean - grouped_mean(model, responses.group)
    contributions = response_contributions(responses) - model_contributions(model, responses.group)
    return PairedGap(
        estimate=estimate,
        contributions=contributions,
        differences=responses.question_means - model,
        n_responses=responses.n_responses,
        n_questions=responses.n_questions,
        new_questions=difference_interval(
            estimate, contributions, clusters, level, responses.group
        ),
        new_people=_new_people(responses, estimate, contributions, clusters, level),
    )


def difference_interval(
    estimate: float,
    contributions: FloatArray,
    clusters: IntArray,
    level: float,
    group: IntArray | None = None,
) -> Interval | Undefined:
    """Give the t interval of a difference for new questions, clustered."""
    found = cluster_variance(contributions, clusters, group)
    if isinstance(found, Undefined):
        return found
    return t_interval(estimate, found.variance, found.degrees, level, Target.T2, "paired, t")


def _new_people(
    responses: ScoredResponses,
    estimate: float,
    contributions: FloatArray,
    clusters: IntArray,
    level: float,
) -> Interval | Undefined:
    components = variance_components(responses)
    found = cluster_variance(contributions, clusters, responses.group)
    if isinstance(components, Undefined):
        return components
    if isinstance(found, Undefined):
        return found
    return add_people(estimate, found, components, level)


def add_people(
    estimate: float, by_cluster: ClusterVariance, components: VarianceComponents, level: float
) -> Interval | Undefined:
    """Widen a difference's variance by new people: t interval with Satterthwaite's degrees."""
    extra = components.participant_variance_of_mean
    degrees = satterthwaite_degrees(
        (by_cluster.variance, extra), (by_cluster.degrees, components.n_participants - 1)
    )
    variance = by_cluster.variance + extra
    return t_interval(
        estimate, variance, degrees, level, Target.T3, "paired, crossed, Satterthwaite t"
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


def model_difference(
    first: FloatArray,
    second: FloatArray,
    clusters: IntArray,
    level: float,
    group: IntArray | None = None,
) -> ModelDifference:
    """Compare two models, question by question.

    Parameters
    ----------
    first, second : float, shape (n,), their scores on the same questions
    clusters : int, shape (n,)
    group : int, shape (n,), where the mean is that of groups' means

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
    estimate = grouped_mean(first, group) - grouped_mean(second, group)
    contributions = model_contributions(first - second, group)
    return ModelDifference(
        estimate=estimate,
        contributions=contributions,
        n_questions=int(first.size),
        only_first=int(np.count_nonzero((first == 1) & (second != 1))),
        only_second=int(np.count_nonzero((first != 1) & (second == 1))),
        interval=difference_interval(estimate, contributions, clusters, level, group),
    )
