"""Questions on which all people agree against the key: is it they who are wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.arrays import BoolArray, FloatArray, IntArray


@dataclass(frozen=True)
class KeyAudit:
    """What the people's unanimous answers say about the keys of some questions.

    Attributes
    ----------
    suspects : int, the questions where at least two people answered and all gave one answer
        that is not the key
    n_questions : how many questions at least two people answered
    expected : how many suspects wrong answers alone would give, were people independent
    """

    suspects: IntArray
    n_questions: int
    expected: float


def audit_keys(question: IntArray, answer: IntArray, key: IntArray) -> KeyAudit:
    """Find the questions of one category whose key all people contradict in one voice.

    The expected number takes each answer to be wrong at the category's rate e and wrong answers
    to follow the category's own distribution f: e^K Σ_v f_v^K for a question with K answers.
    Many more suspects than that point to the keys, or to questions that mislead everyone alike;
    the headline is never changed by it.

    Parameters
    ----------
    question, answer : int, shape (N,); negative answers are invalid and all different
    key : int, shape (n,)

    Examples
    --------
    >>> found = audit_keys(np.array([0, 0, 0, 1, 1, 1]), np.array([4, 4, 4, 4, 4, 9]),
    ...                    np.array([9, 4]))
    >>> found.suspects.tolist(), found.n_questions
    ([0], 2)
    """
    sizes = np.bincount(question, minlength=key.size)
    asked = sizes >= 2
    low = np.full(key.size, np.iinfo(np.int64).max)
    high = np.full(key.size, np.iinfo(np.int64).min)
    np.minimum.at(low, question, answer)
    np.maximum.at(high, question, answer)
    unanimous = asked & (low == high) & (low >= 0)
    suspects = np.flatnonzero(unanimous & (low != key))
    return KeyAudit(suspects, int(asked.sum()), _expected(question, answer, key, sizes[asked]))


def score_if_people_are_right(
    question: IntArray, correct: FloatArray, suspects: Sequence[int]
) -> float:
    """Give the response mean of exact match if the suspects' keys were the people's answers.

    A sensitivity: every answer to a suspect question then counts as right.

    >>> score_if_people_are_right(np.array([0, 0, 1, 1]), np.array([0.0, 0.0, 1.0, 0.0]), [0])
    0.75
    """
    changed = np.where(np.isin(question, suspects), 1.0, correct)
    return float(changed.mean())


def _expected(question: IntArray, answer: IntArray, key: IntArray, sizes: IntArray) -> float:
    wrong: BoolArray = answer != key[question]
    valid_wrong = answer[wrong & (answer >= 0)]
    if valid_wrong.size == 0:
        return 0.0
    error = float(wrong.mean())
    # Invalid answers are wrong but never agree: they lower the shares without adding any.
    shares = np.unique(valid_wrong, return_counts=True)[1] / int(wrong.sum())
    counts, numbers = np.unique(sizes, return_counts=True)
    return float(
        sum(
            number * error**size * float(np.sum(shares**size))
            for size, number in zip(counts.tolist(), numbers.tolist(), strict=True)
        )
    )
