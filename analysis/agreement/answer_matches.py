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


def pairs_of_responses(question: IntArray) -> tuple[IntArray, IntArray]:
    """List every ordered pair of different responses to one question, as two arrays of places.

    Examples
    --------
    >>> first, second = pairs_of_responses(np.array([7, 3, 7]))
    >>> sorted(zip(first.tolist(), second.tolist()))
    [(0, 2), (2, 0)]
    """
    order = np.argsort(question, kind="stable").astype(np.int64)
    asked = question[order]
    first: list[IntArray] = [np.zeros(0, dtype=np.int64)]
    second = list(first)
    step = 1
    while step < order.size and (near := asked[step:] == asked[:-step]).any():
        one, other = order[:-step][near], order[step:][near]
        first += [one, other]
        second += [other, one]
        step += 1
    return np.concatenate(first), np.concatenate(second)


def same_answer(first: IntArray, second: IntArray) -> FloatArray:
    """Give 1 where two answers are equal and valid, else 0.

    >>> same_answer(np.array([3, -2, 3]), np.array([3, -2, 4])).tolist()
    [1.0, 0.0, 0.0]
    """
    same: FloatArray = ((first == second) & (first >= 0)).astype(np.float64)
    return same


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
