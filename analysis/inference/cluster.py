"""The variance of a mean when answers come in clusters: by question, by image, by participant.

The product-weight bootstrap of crossed questions and people: a conservative second opinion.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array

from analysis.arrays import FloatArray, IntArray, Undefined
from analysis.inference.scored_responses import ScoredResponses, group_means, group_weights


@dataclass(frozen=True)
class ClusterVariance:
    """The variance of an estimate, how many clusters it rests on, and its degrees of freedom."""

    variance: float
    n_clusters: int
    degrees: int


def response_contributions(responses: ScoredResponses) -> FloatArray:
    """Give each question's part in the error of the mean, shape (n,), sum zero.

    Σ_p (s_ip - s̄) / N: with equal numbers of responses (h̄_i - s̄) / n. Where the mean is that of
    groups' means, s̄ is the group's and 1/N the response's weight.

    >>> from analysis.inference.scored_responses import ScoredResponses, group_means, group_weights
    >>> two = ScoredResponses(np.array([1.0, 0.0]), np.array([0, 1]), np.array([0, 0]),
    ...                       np.array([0, 1]))
    >>> response_contributions(two).tolist()
    [0.25, -0.25]
    """
    weighted = responses.deviations * responses.weights
    sums = np.bincount(responses.question, weights=weighted, minlength=responses.n_questions)
    return sums.astype(np.float64)


def model_contributions(scores: FloatArray, group: IntArray | None = None) -> FloatArray:
    """Give each question's part in the error of a model's mean score, shape (n,), sum zero."""
    contributions: FloatArray = (scores - group_means(scores, group)) * group_weights(
        group, scores.size
    )
    return contributions


def cluster_variance(
    contributions: FloatArray, clusters: IntArray, group: IntArray | None = None
) -> ClusterVariance | Undefined:
    """Give the variance of an estimate from its units' contributions, summed within clusters.

    G/(G-1) Σ_g (Σ_{i in g} c_i)², the finite-cluster form. With one cluster a question and
    equal numbers of responses this is s²(h̄)/n exactly: averaging first loses nothing.

    Where the estimate is the mean of C groups' means, each group's own mean was taken off, which
    costs a degree of freedom in each: a group of n_c questions counts n_c/(n_c - 1) times instead.
    With one cluster a question this is Σ_c s_c²/(n_c C²), that of strata weighed equally.

    Parameters
    ----------
    contributions : float, shape (n,), sum zero (in each group)
    clusters : int, shape (n,), 0..G-1
    group : int, shape (n,), where the estimate is a mean of groups' means

    Returns
    -------
    ClusterVariance, or Undefined with fewer than two clusters, or a group of a single question.

    References
    ----------
    Miller (2024), Adding error bars to evals, arXiv 2411.00640, section 2.2.

    Examples
    --------
    >>> cluster_variance(np.array([0.25, -0.25]), np.array([0, 1])).variance
    0.25
    """
    n_groups = 1
    if group is not None:
        sizes = np.bincount(group)
        n_groups, n = sizes.size, group.size
        if sizes.min() < 2:
            return Undefined("a category with a single question: no variance within it")
        inflation = sizes / (sizes - 1) * ((n - 1) / n)
        contributions = contributions * np.sqrt(inflation)[group]
    sums = np.bincount(clusters, weights=contributions)
    if sums.size < 2:
        return Undefined("fewer than two clusters: nothing to estimate a variance from")
    variance = sums.size / (sums.size - 1) * float(np.sum(sums**2))
    return ClusterVariance(variance, int(sums.size), max(1, int(sums.size) - n_groups))


def two_way_variance(responses: ScoredResponses) -> ClusterVariance | Undefined:
    """Give the two-way clustered variance of the response mean: questions and participants.

    V_question + V_participant - V_response, and never less than either alone, since the
    difference need not be positive. Conservative; `n_clusters` is the smaller number of the two.

    References
    ----------
    Cameron, Gelbach and Miller (2011), Journal of Business & Economic Statistics 29(2);
    MacKinnon, Nielsen and Webb, arXiv 2406.08880, for the maximum.
    """
    centred = responses.deviations * responses.weights
    of_questions = response_contributions(responses)
    questions = np.arange(responses.n_questions)
    by_question = cluster_variance(of_questions, questions, responses.group)
    by_participant = cluster_variance(centred, responses.participant)
    if isinstance(by_question, Undefined):
        return by_question
    if isinstance(by_participant, Undefined):
        return Undefined("one participant: nothing says how another would do")
    n = responses.n_responses
    by_response = n / (n - 1) * float(np.sum(centred**2))
    parts = (by_question.variance, by_participant.variance)
    fewer = min(by_question.n_clusters, by_participant.n_clusters)
    return ClusterVariance(max(sum(parts) - by_response, *parts), fewer, fewer - 1)


def pigeonhole_means(
    responses: ScoredResponses, resamples: int, generator: np.random.Generator
) -> FloatArray:
    """Draw questions and people independently and average Σ w_i v_p s_ip / Σ w_i v_p.

    No bootstrap is exact for crossed data; this one over-covers. A resample in which no drawn
    person answered a drawn question is left out.

    Returns
    -------
    float, shape (at most B,)

    References
    ----------
    Owen (2007), Annals of Applied Statistics 1(2); Owen and Eckles (2012), arXiv 1106.2125.

    Examples
    --------
    >>> same = ScoredResponses(np.ones(4), np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]),
    ...                        np.array([0, 1]))
    >>> sorted(set(pigeonhole_means(same, 20, np.random.default_rng(1)).tolist()))
    [1.0]
    """
    n, people = responses.n_questions, responses.n_participants
    at = (responses.question, responses.participant)
    scores = coo_array((responses.score, at), shape=(n, people)).toarray()
    answered = coo_array((np.ones(responses.n_responses), at), shape=(n, people)).toarray()
    questions = generator.multinomial(n, np.full(n, 1 / n), size=resamples).astype(np.float64)
    persons = generator.multinomial(people, np.full(people, 1 / people), size=resamples)
    total = np.sum((questions @ scores) * persons, axis=1)
    weight = np.sum((questions @ answered) * persons, axis=1)
    some = weight > 0
    means: FloatArray = total[some] / weight[some]
    return means
