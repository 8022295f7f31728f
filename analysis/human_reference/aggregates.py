"""Several people as one: majority, best and worst of K, the chance that one of k is right."""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln

from analysis.array_types import BoolArray, FloatArray, IntArray


def majority_credit(
    question: IntArray, answer: IntArray, correct: BoolArray, n_questions: int
) -> FloatArray:
    """Score the commonest answer to each question; a tie gives the share that is correct.

    (number of tied answers that are correct) / (number of tied answers): no tie is broken by
    chance or by the alphabet. Sets of labels are compared whole; each invalid answer is an answer
    of its own that is never correct.

    Parameters
    ----------
    question, answer : int, shape (N,); negative answers are invalid and all different
    correct : bool, shape (N,), whether the answer is right

    Returns
    -------
    float, shape (n,), in [0, 1]; NaN for a question without an answer

    Examples
    --------
    >>> majority_credit(np.array([0, 0, 0, 1, 1, 1]), np.array([4, 4, 9, 4, 9, 7]),
    ...                 np.array([True, True, False, True, False, False]), 2).round(4).tolist()
    [1.0, 0.3333]
    """
    codes, place = np.unique(answer, return_inverse=True)
    options, first, votes = np.unique(
        question * max(codes.size, 1) + place, return_index=True, return_counts=True
    )
    asked = options // max(codes.size, 1)
    most = np.zeros(n_questions, dtype=np.int64)
    np.maximum.at(most, asked, votes)
    tied = votes == most[asked]
    right = correct[first] & (answer[first] >= 0)
    number = np.bincount(asked[tied], minlength=n_questions)
    hits = np.bincount(asked[tied], weights=right[tied], minlength=n_questions)
    credit = np.full(n_questions, np.nan)
    np.divide(hits, number, out=credit, where=number > 0)
    return credit


def best_of(question: IntArray, score: FloatArray, n_questions: int) -> FloatArray:
    """Give each question's best score, an oracle's choice; NaN without an answer, shape (n,)."""
    best = np.full(n_questions, -np.inf)
    np.maximum.at(best, question, score)
    return np.where(np.isinf(best), np.nan, best)


def worst_of(question: IntArray, score: FloatArray, n_questions: int) -> FloatArray:
    """Give each question's worst score; NaN without an answer, shape (n,)."""
    return -best_of(question, -score, n_questions)


def chance_of_one_right(n_answers: IntArray, n_right: IntArray, k: int) -> FloatArray:
    """Give the chance that one of k answers drawn from K is right: 1 - C(K-c, k) / C(K, k).

    Parameters
    ----------
    n_answers, n_right : K and c, int, shape (n,)
    k : how many are drawn, at least 1

    Returns
    -------
    float, shape (n,); NaN where fewer than k answers were given

    References
    ----------
    Chen et al. (2021), arXiv 2107.03374, equation 1 (pass@k).

    Examples
    --------
    >>> chance_of_one_right(np.array([3, 3, 3]), np.array([0, 1, 3]), 2).round(4).tolist()
    [0.0, 0.6667, 1.0]
    """
    wrong = n_answers - n_right
    chance = np.where(n_answers >= k, 1.0, np.nan)
    some = (n_answers >= k) & (wrong >= k)
    total = _log_choose(n_answers[some], k)
    chance[some] = 1 - np.exp(_log_choose(wrong[some], k) - total)
    return chance


def _log_choose(n: IntArray, k: int) -> FloatArray:
    logs: FloatArray = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    return logs
