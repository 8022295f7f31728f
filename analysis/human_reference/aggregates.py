"""Several people as one: majority, best and worst of K, the chance that one of k is right.

Each person against the others, and a model against the same people: no key is needed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

from analysis.agreement.answer_codes import match_responses
from analysis.arrays import BoolArray, FloatArray, IntArray


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


@dataclass(frozen=True)
class OneAgainstOthers:
    """Agreement with other people, for people and for a model, on the same questions.

    Attributes
    ----------
    human : float, shape (n,), the mean over a question's people of the share of the others who
        gave the same answer; its mean over questions is pairwise exact agreement
    model : float, shape (n,), the share of the question's people who gave the model's answer
    human_any, model_any : float, shape (n,), the chance to match any of K - 1 people; for the
        model, averaged over which of the K people is left out
    questions : int, shape (n,), which questions these are: two people or more, and the model
    """

    human: FloatArray
    model: FloatArray
    human_any: FloatArray
    model_any: FloatArray
    questions: IntArray


def one_against_others(
    question: IntArray, answer: IntArray, model: IntArray | None, n_questions: int
) -> OneAgainstOthers:
    """Compare each answer with the other people's, and a model's with the same subsets.

    Where people are held against K - 1 others, the model is too: against all K it would have
    more to match than they (as in the ten-choose-nine rule of VQA's evaluation).

    Parameters
    ----------
    question, answer : int, shape (N,); negative answers match nothing
    model : int, shape (n,), -1 where it gave no answer; None for the people alone

    Examples
    --------
    >>> found = one_against_others(np.array([0, 0, 0]), np.array([4, 4, 9]), np.array([9]), 1)
    >>> found.human.round(4).tolist(), found.model.round(4).tolist()
    ([0.3333], [0.3333])
    >>> found.human_any.round(4).tolist(), found.model_any.round(4).tolist()
    ([0.6667], [0.6667])
    """
    matches = match_responses(question, answer)
    sizes = np.bincount(question, minlength=n_questions).astype(np.float64)
    answered = np.full(n_questions, 0) if model is None else model
    kept = np.flatnonzero((sizes >= 2) & (answered != -1))
    shared = matches.matching_others / np.maximum(matches.others, 1)
    human = np.bincount(question, weights=shared, minlength=n_questions)
    any_other = np.bincount(question, weights=matches.matching_others > 0, minlength=n_questions)
    equal = (answer == answered[question]) & (answer >= 0)
    same = np.bincount(question, weights=equal, minlength=n_questions)
    # Leaving out a person leaves a match unless that person was the only one.
    with_any = np.where(same >= 2, 1.0, np.where(same == 1, (sizes - 1) / np.maximum(sizes, 1), 0))
    return OneAgainstOthers(
        human=human[kept] / sizes[kept],
        model=same[kept] / sizes[kept],
        human_any=any_other[kept] / sizes[kept],
        model_any=with_any[kept],
        questions=kept.astype(np.int64),
    )
