"""The variance of a mean when answers come in clusters: by question, by image, by participant.

The product-weight bootstrap of crossed questions and people: a conservative second opinion.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from analysis.arrays import FloatArray, IntArray, Undefined
from analysis.inference.scored_responses import (
    ScoredResponses,
    dense_codes,
    group_means,
    group_weights,
)


@dataclass(frozen=True)
class ClusterVariance:
    """The variance of an estimate, how many clusters it rests on, and its degrees of freedom."""

    variance: float
    n_clusters: int
    degrees: int


def separate_strata(strata: IntArray | None, clusters: IntArray) -> IntArray | None:
    """Join strata until each has two clusters or more and no cluster is in two.

    A sample drawn anew within the same strata has as many questions of each: what the strata differ
    by is no part of its error. Within those that share no cluster it can be taken off. Strata with
    a single cluster are collapsed (Cochran 1977, 5A.12), first with those of their coarser
    division, which errs to the wide side.

    Parameters
    ----------
    strata : int, shape (n, L), the coarsest division first
    clusters : int, shape (n,)

    Returns
    -------
    int, shape (n,), 0..C-1 with C of 2 or more; None where all are one.

    Examples
    --------
    >>> strata = np.array([[0, 0], [0, 0], [0, 1], [0, 1], [0, 2], [0, 3]])
    >>> separate_strata(strata, np.arange(6)).tolist()
    [0, 0, 1, 1, 2, 2]
    >>> separate_strata(strata, np.array([0, 1, 1, 2, 3, 4])).tolist()  # one cluster in two
    [0, 0, 0, 0, 1, 1]
    """
    if strata is None or not strata.size:
        return None
    offset = 0
    label = np.zeros(clusters.size, dtype=np.int64)
    for level in range(strata.shape[1] - 1, -1, -1):
        codes = dense_codes(strata[:, level])
        if level == strata.shape[1] - 1:
            label = codes
        else:
            lone = _lone(label, clusters)
            label = np.where(lone, offset + codes, label)
        offset = int(label.max()) + 1
        label = _joined(label, clusters)
    lone = _lone(label, clusters)
    label = _joined(np.where(lone, int(label.max()) + 1, label), clusters)
    lone = _lone(label, clusters)
    if lone.any() and not lone.all():
        sizes = np.bincount(label[~lone], minlength=int(label.max()) + 1)
        smallest = int(np.argmin(np.where(sizes > 0, sizes, sizes.sum() + 1)))
        label = np.where(lone, smallest, label)
    label = dense_codes(label)
    return label if int(label.max()) > 0 else None


def _joined(label: IntArray, clusters: IntArray) -> IntArray:
    """Number the strata as those that clusters connect, shape (n,)."""
    n, m = int(clusters.max()) + 1, int(label.max()) + 1
    graph = coo_array((np.ones(label.size), (clusters, n + label)), shape=(n + m, n + m))
    _, found = connected_components(graph, directed=False)
    return dense_codes(found[clusters].astype(np.int64))


def _lone(label: IntArray, clusters: IntArray) -> np.ndarray:
    """Say which questions are in a stratum with a single cluster, boolean, shape (n,)."""
    of_cluster = np.zeros(int(clusters.max()) + 1, dtype=np.int64)
    of_cluster[clusters] = label
    alone: np.ndarray = np.bincount(of_cluster, minlength=int(label.max()) + 1)[label] == 1
    return alone


def response_contributions(
    responses: ScoredResponses, strata: IntArray | None = None
) -> FloatArray:
    """Give each question's part in the error of the mean, shape (n,), sum zero.

    Σ_p (s_ip - s̄) / N: with equal numbers of responses (h̄_i - s̄) / n. Where the mean is that of
    groups' means, s̄ is the group's and 1/N the response's weight; with separate strata, (n,), s̄ is
    that of the stratum.

    >>> from analysis.inference.scored_responses import ScoredResponses, group_means, group_weights
    >>> two = ScoredResponses(np.array([1.0, 0.0]), np.array([0, 1]), np.array([0, 0]),
    ...                       np.array([0, 1]))
    >>> response_contributions(two).tolist()
    [0.25, -0.25]
    """
    deviations = responses.deviations
    if strata is not None:
        deviations = responses.score - group_means(responses.score, strata[responses.question])
    weighted = deviations * responses.weights
    sums = np.bincount(responses.question, weights=weighted, minlength=responses.n_questions)
    return sums.astype(np.float64)


def model_contributions(
    scores: FloatArray, group: IntArray | None = None, strata: IntArray | None = None
) -> FloatArray:
    """Give each question's part in the error of a model's mean score, shape (n,), sum zero."""
    means = group_means(scores, group if strata is None else strata)
    contributions: FloatArray = (scores - means) * group_weights(group, scores.size)
    return contributions


def cluster_variance(
    contributions: FloatArray,
    clusters: IntArray,
    group: IntArray | None = None,
    strata: IntArray | None = None,
) -> ClusterVariance | Undefined:
    """Give the variance of an estimate from its units' contributions, summed within clusters.

    G/(G-1) Σ_g (Σ_{i in g} c_i)², the finite-cluster form. With one cluster a question and
    equal numbers of responses this is s²(h̄)/n exactly: averaging first loses nothing.

    Where the estimate is the mean of C groups' means, each group's own mean was taken off, which
    costs a degree of freedom in each: a group of n_c questions counts n_c/(n_c - 1) times instead.
    With one cluster a question this is Σ_c s_c²/(n_c C²), that of strata weighed equally.

    Where the questions were drawn within separate strata, each with G_c clusters, it is the sum
    over them of G_c/(G_c-1) Σ_g (...)², with G - C degrees of freedom (Cochran 1977, chapter 5).

    Parameters
    ----------
    contributions : float, shape (n,), sum zero (in each group, or stratum)
    clusters : int, shape (n,), 0..G-1
    group : int, shape (n,), where the estimate is a mean of groups' means
    strata : int, shape (n,), as `separate_strata` gives them; not together with groups

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
    if strata is not None:
        of_cluster = np.zeros(sums.size, dtype=np.int64)
        of_cluster[clusters] = strata
        count = np.bincount(of_cluster)
        within = np.bincount(of_cluster, weights=sums**2)
        stratified = float(np.sum(count / (count - 1) * within))
        return ClusterVariance(stratified, int(sums.size), int(sums.size - count.size))
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
