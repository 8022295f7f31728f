"""The responses of one metric as arrays: who answered what, about which image, how well."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class ScoredResponses:
    """N responses to n questions about G images by P participants.

    Attributes
    ----------
    score : float, shape (N,), in [0, 1]
    question : int, shape (N,), each of 0..n-1 at least once
    participant : int, shape (N,), each of 0..P-1 at least once
    image : int, shape (n,), the cluster of each question, each of 0..G-1 at least once
    group : int, shape (n,), each of 0..C-1 at least once, where the mean is that of the groups'
        means (a macro-average over categories); None where every response weighs the same
    strata : int, shape (n, L), what the questions were drawn within, the coarsest division first;
        None where they were drawn from one lot, or where nothing is known of it
    """

    score: FloatArray
    question: IntArray
    participant: IntArray
    image: IntArray
    group: IntArray | None = None
    strata: IntArray | None = None

    @property
    def n_responses(self) -> int:
        return int(self.score.size)

    @property
    def n_questions(self) -> int:
        return int(self.image.size)

    @property
    def n_participants(self) -> int:
        return int(self.participant.max()) + 1 if self.participant.size else 0

    @property
    def responses_per_question(self) -> IntArray:
        return np.bincount(self.question, minlength=self.n_questions)

    @property
    def responses_per_participant(self) -> IntArray:
        return np.bincount(self.participant, minlength=self.n_participants)

    @property
    def mean(self) -> float:
        """The response mean (the benchmark's appendix D.4), or that of the groups' means."""
        return grouped_mean(self.score, self._response_group)

    @property
    def weights(self) -> FloatArray:
        """How much each response weighs in the mean, shape (N,), sum 1."""
        return group_weights(self._response_group, self.n_responses)

    @property
    def deviations(self) -> FloatArray:
        """Each score minus the mean of its group, shape (N,)."""
        return self.score - group_means(self.score, self._response_group)

    @property
    def _response_group(self) -> IntArray | None:
        return None if self.group is None else self.group[self.question]

    @property
    def question_means(self) -> FloatArray:
        """The mean score of each question, shape (n,)."""
        totals = np.bincount(self.question, weights=self.score, minlength=self.n_questions)
        means: FloatArray = totals / self.responses_per_question
        return means


def group_means(values: FloatArray, group: IntArray | None) -> FloatArray:
    """Give each value the mean of its group, shape (n,); one group where it is None.

    >>> group_means(np.array([1.0, 0.0, 1.0]), np.array([0, 0, 1])).tolist()
    [0.5, 0.5, 1.0]
    """
    if group is None:
        return np.full(values.shape, values.mean())
    means = np.bincount(group, weights=values) / np.bincount(group)
    spread: FloatArray = means[group]
    return spread


def group_weights(group: IntArray | None, n: int) -> FloatArray:
    """Give each of n values its weight in the mean of the groups' means, sum 1.

    >>> group_weights(np.array([0, 0, 1]), 3).tolist()
    [0.25, 0.25, 0.5]
    """
    if group is None:
        return np.full(n, 1 / n)
    sizes = np.bincount(group)
    weights: FloatArray = 1 / (sizes.size * sizes[group])
    return weights


def relative_weights(group: IntArray | None, n: int) -> FloatArray:
    """Give each of n values its weight relative to an equal one: 1 without groups.

    >>> relative_weights(np.array([0, 0, 1]), 3).tolist(), relative_weights(None, 2).tolist()
    ([0.75, 0.75, 1.5], [1.0, 1.0])
    """
    return np.ones(n) if group is None else n * group_weights(group, n)


def grouped_mean(values: FloatArray, group: IntArray | None) -> float:
    """Average values, or the groups' means where there are groups.

    >>> grouped_mean(np.array([1.0, 0.0, 1.0]), np.array([0, 0, 1]))
    0.75
    """
    if group is None:
        return float(values.mean())
    return float(np.sum(values * group_weights(group, values.size)))


def distinct_codes(values: IntArray) -> tuple[IntArray, IntArray]:
    """Give the distinct codes in their order, and each value's place among them.

    Codes are small and not negative, so that counting is faster than sorting.

    >>> [part.tolist() for part in distinct_codes(np.array([7, 3, 7]))]
    [[3, 7], [1, 0, 1]]
    """
    present = np.bincount(values) > 0
    places = np.cumsum(present) - 1
    return np.flatnonzero(present).astype(np.int64), places[values].astype(np.int64)


def dense_codes(values: IntArray) -> IntArray:
    """Renumber codes to 0..m-1 without gaps, in their order.

    >>> dense_codes(np.array([7, 3, 7])).tolist()
    [1, 0, 1]
    """
    return distinct_codes(values)[1]


def subset(responses: ScoredResponses, keep: np.ndarray) -> ScoredResponses:
    """Keep some responses (boolean, shape (N,)) and the questions and people they are about."""
    questions, question = distinct_codes(responses.question[keep])
    return ScoredResponses(
        score=responses.score[keep],
        question=question,
        participant=dense_codes(responses.participant[keep]),
        image=dense_codes(responses.image[questions]),
        group=None if responses.group is None else dense_codes(responses.group[questions]),
        strata=None if responses.strata is None else responses.strata[questions],
    )
