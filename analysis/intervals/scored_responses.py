"""The responses of one metric as arrays: who answered what, about which image, how well."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.array_types import FloatArray, IntArray


@dataclass(frozen=True)
class ScoredResponses:
    """N responses to n questions about G images by P participants.

    Attributes
    ----------
    score : float, shape (N,), in [0, 1]
    question : int, shape (N,), each of 0..n-1 at least once
    participant : int, shape (N,), each of 0..P-1 at least once
    image : int, shape (n,), the cluster of each question, each of 0..G-1 at least once
    """

    score: FloatArray
    question: IntArray
    participant: IntArray
    image: IntArray

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
        """The response mean: every response weighs the same (the benchmark's appendix D.4)."""
        return float(self.score.mean())

    @property
    def question_means(self) -> FloatArray:
        """The mean score of each question, shape (n,)."""
        totals = np.bincount(self.question, weights=self.score, minlength=self.n_questions)
        means: FloatArray = totals / self.responses_per_question
        return means


def dense_codes(values: IntArray) -> IntArray:
    """Renumber codes to 0..m-1 without gaps, in their order.

    >>> dense_codes(np.array([7, 3, 7])).tolist()
    [1, 0, 1]
    """
    return np.unique(values, return_inverse=True)[1].astype(np.int64)


def subset(responses: ScoredResponses, keep: np.ndarray) -> ScoredResponses:
    """Keep some responses (boolean, shape (N,)) and the questions and people they are about."""
    questions, question = np.unique(responses.question[keep], return_inverse=True)
    return ScoredResponses(
        score=responses.score[keep],
        question=question.astype(np.int64),
        participant=dense_codes(responses.participant[keep]),
        image=dense_codes(responses.image[questions]),
    )
