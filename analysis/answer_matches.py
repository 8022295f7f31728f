"""Who gave the same answer: pairs of responses within questions, counted without listing them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.array_types import FloatArray, IntArray


@dataclass(frozen=True)
class Matches:
    """Agreement among the people who answered a question.

    Attributes
    ----------
    others : int, shape (N,), how many other people answered the response's question
    matching_others : int, shape (N,), how many of them gave the same answer
    """

    others: IntArray
    matching_others: IntArray


def match_responses(question: IntArray, answer: IntArray) -> Matches:
    """Count, for every response, the others to its question and those equal to it.

    Parameters
    ----------
    question, answer : int, shape (N,); negative answers are invalid and match nothing

    Examples
    --------
    >>> found = match_responses(np.array([0, 0, 0]), np.array([5, 5, 7]))
    >>> found.others.tolist(), found.matching_others.tolist()
    ([2, 2, 2], [1, 1, 0])
    """
    sizes = np.bincount(question) if question.size else np.zeros(0, dtype=np.int64)
    distinct, code = np.unique(answer, return_inverse=True)
    _, inverse, counts = np.unique(
        question * distinct.size + code, return_inverse=True, return_counts=True
    )
    matching = np.where(answer < 0, 0, counts[inverse] - 1)
    return Matches(
        (sizes[question] - 1).astype(np.int64),
        matching.astype(np.int64),
    )


def matches_with(
    question: IntArray, answer: IntArray, other: IntArray, n_questions: int
) -> tuple[IntArray, IntArray]:
    """Count, for every question, its responses and those equal to one other answer.

    Parameters
    ----------
    question, answer : int, shape (N,)
    other : int, shape (n,), such as a model's answer or the key; negative matches nothing

    Returns
    -------
    (responses, matching responses), each int, shape (n,)
    """
    responses = np.bincount(question, minlength=n_questions)
    equal = (answer == other[question]) & (answer >= 0)
    matching = np.bincount(question, weights=equal, minlength=n_questions)
    return responses.astype(np.int64), matching.astype(np.int64)


def pairwise_agreement(question: IntArray, answer: IntArray, n_questions: int) -> FloatArray:
    """Give each question's share of pairs of people who gave the same answer.

    Σ_{r<s} 1[y_r = y_s] / C(K, 2) (the benchmark's appendix D.5). NaN, to be counted and left out
    by the caller, for a question with fewer than two answers.

    Returns
    -------
    float, shape (n,)

    Examples
    --------
    >>> pairwise_agreement(np.array([0, 0, 0, 1]), np.array([5, 5, 7, 5]), 2)
    array([0.33333333,        nan])
    """
    matches = match_responses(question, answer)
    sizes = np.bincount(question, minlength=n_questions)
    equal = np.bincount(question, weights=matches.matching_others, minlength=n_questions)
    pairs = sizes * (sizes - 1)
    agreement: FloatArray = np.full(n_questions, np.nan)
    paired = pairs > 0
    agreement[paired] = equal[paired] / pairs[paired]
    return agreement
