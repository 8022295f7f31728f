"""Each person against the others, and a model against the same people: no key is needed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.agreement.answer_matches import match_responses
from analysis.array_types import FloatArray, IntArray


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
