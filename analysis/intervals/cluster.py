"""The variance of a mean when answers come in clusters: by question, by image, by participant."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.array_types import FloatArray, IntArray
from analysis.intervals.scored_responses import ScoredResponses, group_means, group_weights
from analysis.undefined import Undefined


@dataclass(frozen=True)
class ClusterVariance:
    """The variance of an estimate and how many clusters it rests on."""

    variance: float
    n_clusters: int


def response_contributions(responses: ScoredResponses) -> FloatArray:
    """Give each question's part in the error of the mean, shape (n,), sum zero.

    Σ_p (s_ip - s̄) / N: with equal numbers of responses (h̄_i - s̄) / n. Where the mean is that of
    groups' means, s̄ is the group's and 1/N the response's weight.

    >>> from analysis.intervals.scored_responses import ScoredResponses, group_means, group_weights
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


def cluster_variance(contributions: FloatArray, clusters: IntArray) -> ClusterVariance | Undefined:
    """Give the variance of an estimate from its units' contributions, summed within clusters.

    G/(G-1) Σ_g (Σ_{i in g} c_i)², the finite-cluster form. With one cluster a question and
    equal numbers of responses this is s²(h̄)/n exactly: averaging first loses nothing.

    Parameters
    ----------
    contributions : float, shape (n,), sum zero
    clusters : int, shape (n,), 0..G-1

    Returns
    -------
    ClusterVariance, or Undefined with fewer than two clusters.

    References
    ----------
    Miller (2024), Adding error bars to evals, arXiv 2411.00640, section 2.2.

    Examples
    --------
    >>> cluster_variance(np.array([0.25, -0.25]), np.array([0, 1])).variance
    0.25
    """
    sums = np.bincount(clusters, weights=contributions)
    if sums.size < 2:
        return Undefined("fewer than two clusters: nothing to estimate a variance from")
    variance = sums.size / (sums.size - 1) * float(np.sum(sums**2))
    return ClusterVariance(variance, int(sums.size))


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
    by_question = cluster_variance(centred, responses.question)
    by_participant = cluster_variance(centred, responses.participant)
    if isinstance(by_question, Undefined):
        return by_question
    if isinstance(by_participant, Undefined):
        return Undefined("one participant: nothing says how another would do")
    n = responses.n_responses
    by_response = n / (n - 1) * float(np.sum(centred**2))
    parts = (by_question.variance, by_participant.variance)
    return ClusterVariance(
        max(sum(parts) - by_response, *parts),
        min(by_question.n_clusters, by_participant.n_clusters),
    )
