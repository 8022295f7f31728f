"""The intervals of a mean score: of people, for two targets, and of one value a question."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import stats

from analysis.arrays import FloatArray, IntArray, Undefined
from analysis.inference.cluster import (
    ClusterVariance,
    cluster_variance,
    model_contributions,
    response_contributions,
    separate_strata,
)
from analysis.inference.crossed import VarianceComponents, variance_components
from analysis.inference.interval import (
    NEGLIGIBLE,
    UNBOUNDED,
    AnswerBounds,
    Interval,
    Target,
    effective_size,
    level_note,
    mean_interval,
)
from analysis.inference.scored_responses import ScoredResponses, grouped_mean
from sampling.draw.limits import (
    FEWEST_PEOPLE,
    law_for_new_people,
    raised_spread,
    repeated_spreads,
    wilson_limits,
)


@dataclass(frozen=True)
class HeadlineIntervals:
    """The two intervals that stand beside a headline number."""

    new_questions: Interval | Undefined
    new_people: Interval | Undefined


def human_intervals(
    responses: ScoredResponses, clusters: IntArray, level: float, method: str
) -> HeadlineIntervals:
    """Return the human mean's T2 and T3 intervals with some clustering of questions.

    T2 is `mean_interval`. For T3 the variance that new people add is not known but has a
    distribution (`law_for_new_people`); Wilson's limits take the half-width that
    follows.

    Parameters
    ----------
    responses : N responses to n questions
    clusters : int, shape (n,), the question itself or its image
    level : such as 0.95
    method : what the clusters are called

    Returns
    -------
    HeadlineIntervals
        T3 is undefined with fewer than three people, where all scores are the same, or where the
        design cannot tell people from their questions.
    """
    found, bounds = _questions_part(responses, clusters)
    if isinstance(found, Undefined):
        return HeadlineIntervals(found, found)
    questions = _new_questions(responses.mean, found, bounds, level, method)
    people = _new_people(responses, found, bounds, level, f"crossed, {method}, generalized")
    return HeadlineIntervals(questions, people)


def _questions_part(
    responses: ScoredResponses, clusters: IntArray
) -> tuple[ClusterVariance | Undefined, AnswerBounds]:
    strata = human_strata(responses, clusters)
    parts = response_contributions(responses, strata)
    sizes = np.bincount(clusters, weights=responses.responses_per_question)
    of_response = None if strata is None else strata[responses.question]
    bounds = answer_bounds(responses.score, sizes, responses.group, of_response)
    return cluster_variance(parts, clusters, responses.group, strata), bounds


def fixed_strata(
    strata: IntArray | None, clusters: IntArray, group: IntArray | None, scores: FloatArray
) -> IntArray | None:
    """Return the finest separate strata that the scores can tell apart, shape (n,).

    Taking off C means costs C - 1 degrees of freedom, and says something only where there is a
    wrong answer, and a right one, for each: with fewer than C of either the coarser division is
    taken, and with the coarsest nothing is taken off. A mean of groups' means has its groups.
    """
    if group is not None or strata is None:
        return None
    told = float(min(np.sum(scores), np.sum(1 - scores)))
    for last in range(strata.shape[1], 0, -1):
        found = separate_strata(strata[:, :last], clusters)
        if found is not None and told >= int(found.max()) + 1:
            return found
    return None


def human_strata(responses: ScoredResponses, clusters: IntArray) -> IntArray | None:
    """Return `fixed_strata` of people's responses."""
    return fixed_strata(responses.strata, clusters, responses.group, responses.score)


def model_interval(
    scores: FloatArray,
    clusters: IntArray,
    group: IntArray | None,
    level: float,
    method: str,
    strata: IntArray | None = None,
) -> Interval | Undefined:
    """Return the T2 interval of the mean of one value a question; people have no part in it.

    `strata`, shape (n, L), are what the questions were drawn within.
    """
    fixed = fixed_strata(strata, clusters, group, scores)
    found = cluster_variance(model_contributions(scores, group, fixed), clusters, group, fixed)
    if isinstance(found, Undefined):
        return found
    bounds = answer_bounds(scores, np.bincount(clusters), group, fixed)
    return _new_questions(grouped_mean(scores, group), found, bounds, level, method)


def answer_bounds(
    scores: FloatArray,
    sizes: FloatArray | IntArray,
    group: IntArray | None = None,
    strata: IntArray | None = None,
) -> AnswerBounds:
    """Bound the worth of N answers in clusters of the given sizes, shape (G,).

    Within strata, shape (N,), they are worth no more than independent answers of each would be.

    >>> answer_bounds(np.array([1.0, 0.0, 1.0, 1.0]), np.array([2.0, 2.0]))
    AnswerBounds(least=2.0, most=4.0)
    """
    if group is not None or not np.isin(scores, (0.0, 1.0)).all():
        return UNBOUNDED
    least, most = float(sizes.sum() ** 2 / np.sum(sizes**2)), float(sizes.sum())
    if strata is None:
        return AnswerBounds(least, most)
    counts, right = np.bincount(strata), np.bincount(strata, weights=scores)
    share = right / counts
    within = float(np.sum(counts**2 / (counts - 1) * share * (1 - share))) / most**2
    mean = float(scores.mean())
    return AnswerBounds(least, mean * (1 - mean) / within if within > NEGLIGIBLE else math.inf)


def _new_questions(
    mean: float, found: ClusterVariance, bounds: AnswerBounds, level: float, method: str
) -> Interval:
    return mean_interval(
        mean, found.variance, found.n_clusters, found.degrees, level, Target.T2, method, bounds
    )


def _new_people(
    responses: ScoredResponses,
    found: ClusterVariance,
    bounds: AnswerBounds,
    level: float,
    method: str,
) -> Interval | Undefined:
    components = people_components(responses)
    if isinstance(components, Undefined):
        return components
    mean = responses.mean
    if found.variance < NEGLIGIBLE or mean * (1 - mean) < NEGLIGIBLE:
        return Undefined("no variation between questions: nothing says how people differ")
    squared = _squared(responses, found, bounds, components, components.participant_spread, level)
    low, high = wilson_limits(mean, 1 / squared, 1.0)
    error = math.sqrt(found.variance + components.participant_variance_of_mean)
    size = effective_size(mean, found.variance, found.n_clusters, bounds)
    note = level_note(mean, size, found.n_clusters, float(stats.norm.ppf((1 + level) / 2)))
    return Interval(mean, low, high, Target.T3, method, error, squared, note)


def repeated_squares(
    responses: ScoredResponses, clusters: IntArray, level: float
) -> tuple[tuple[float, ...], float]:
    """Return the k² for new people that other such studies would have, and the mean's variance.

    Nothing and 0 where undefined. In both people's spread is raised: what they differ by is as
    often above the estimate as the half-widths are, and most so with three.
    """
    found, bounds = _questions_part(responses, clusters)
    components = people_components(responses)
    if isinstance(found, Undefined) or isinstance(components, Undefined):
        return (), 0.0
    if found.variance < NEGLIGIBLE:
        return (), 0.0
    raised = raised_spread(components.participant_spread, components.n_participants)
    people = components.participant_share * max(0.0, raised - components.participant_error)
    squares = tuple(
        _squared(responses, found, bounds, components, float(spread), level)
        for spread in repeated_spreads(components.participant_spread, components.n_participants)
    )
    return squares, found.variance + max(0.0, people)


def _squared(
    responses: ScoredResponses,
    found: ClusterVariance,
    bounds: AnswerBounds,
    components: VarianceComponents,
    spread: float,
    level: float,
) -> float:
    """Return k² for new people, their mean square being `spread`."""
    own = responses.mean * (1 - responses.mean)
    law = law_for_new_people(
        own / effective_size(responses.mean, found.variance, found.n_clusters, bounds),
        found.degrees,
        spread,
        components.participant_error,
        max(0.0, components.participant_share),
        components.n_participants,
        components.effective_participants,
    )
    return law.quantile((1 + level) / 2) ** 2 / own


def people_components(responses: ScoredResponses) -> VarianceComponents | Undefined:
    """Estimate how people differ, where there are enough of them to speak of others."""
    if 1 < responses.n_participants < FEWEST_PEOPLE:
        return Undefined("two participants: too few to say how others would do")
    return variance_components(responses)
