"""The alternative-annotator test: could a model stand in for one of the people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from scipy import stats

from analysis.agreement.answer_codes import pairs_of_responses, same_answer
from analysis.arrays import FloatArray, IntArray, Undefined
from analysis.inference.simultaneous import benjamini_yekutieli

FEWEST_QUESTIONS = 30
ROUNDING = 1e-9  # sums of similarities that differ by less are ties

Similarity: TypeAlias = Callable[[IntArray, IntArray], FloatArray]


@dataclass(frozen=True)
class Replaceability:
    """The outcome for one ε.

    `winning_rate` ω is the share of people for whom the model was found at least as close to the
    others, less ε; `constant` counts those whose differences never varied, so that their p-value
    is 0 or 1 by arithmetic alone.
    """

    epsilon: float
    winning_rate: float
    rejected: tuple[bool, ...]
    constant: int


@dataclass(frozen=True)
class AlternativeAnnotator:
    """The whole curve over ε.

    `advantage` ρ is the mean over people of the chance that the model is at least as close to the
    others as the person; `participants` are the codes of those with enough questions.
    """

    advantage: float
    participants: tuple[int, ...]
    n_questions: tuple[int, ...]
    curve: tuple[Replaceability, ...]


def alternative_annotator_test(
    question: IntArray,
    participant: IntArray,
    answer: IntArray,
    model: IntArray,
    epsilons: Sequence[float],
    false_discovery_rate: float = 0.05,
    similarity: Similarity = same_answer,
) -> AlternativeAnnotator | Undefined:
    """Test, person by person, whether the model agrees with the others as well as the person.

    For person j on question i with the others R_ij: S(x) = mean_{k in R_ij} s(x, y_ik), where s is
    1[x = y_ik] or another similarity, such as Jaccard's for sets of labels;
    W^f = 1[S(model) >= S(person)], W^h = 1[S(person) >= S(model)], a tie crediting both. One-sided
    t test of mean(W^h - W^f) < ε; Benjamini-Yekutieli over the people; ω is the share rejected.
    It measures conformity to people, not correctness: read the whole curve, not one verdict.

    Parameters
    ----------
    question, participant, answer : int, shape (N,); negative answers match nothing
    model : int, shape (n,), -1 where it gave no answer
    epsilons : the cost advantages to try, such as 0 to 0.3
    similarity : of two arrays of answers, from 0 to 1, 0 where either is invalid

    Returns
    -------
    AlternativeAnnotator, or Undefined with fewer than two people who share thirty questions

    References
    ----------
    Calderon, Reichart and Dror (2025), The alternative annotator test, ACL, arXiv 2501.10970,
    section 3.
    """
    differences, wins = _advantages(question, answer, model, similarity)
    usable = ~np.isnan(differences)
    people, sizes = np.unique(participant[usable], return_counts=True)
    people = people[sizes >= FEWEST_QUESTIONS]
    if people.size < 2:
        return Undefined(
            f"fewer than two participants share {FEWEST_QUESTIONS} questions with others"
        )
    rows = [usable & (participant == person) for person in people]
    advantage = float(np.mean([wins[row].mean() for row in rows]))
    samples = [differences[row] for row in rows]
    return AlternativeAnnotator(
        advantage=advantage,
        participants=tuple(people.tolist()),
        n_questions=tuple(int(row.sum()) for row in rows),
        curve=tuple(_at(epsilon, samples, false_discovery_rate) for epsilon in epsilons),
    )


def _advantages(
    question: IntArray, answer: IntArray, model: IntArray, similarity: Similarity
) -> tuple[FloatArray, FloatArray]:
    """Give W^h - W^f and W^f for every response; NaN without others or without the model."""
    person, other = pairs_of_responses(question)
    n = question.size
    of_person = similarity(answer[person], answer[other])
    of_model = similarity(model[question[person]], answer[other])
    people = np.bincount(person, weights=of_person, minlength=n)
    models = np.bincount(person, weights=of_model, minlength=n)
    wins = (models >= people - ROUNDING).astype(np.float64)
    losses = (people >= models - ROUNDING).astype(np.float64)
    unusable = (np.bincount(person, minlength=n) < 1) | (model[question] == -1)
    wins[unusable] = np.nan
    return np.where(unusable, np.nan, losses - wins), wins


def _at(epsilon: float, samples: Sequence[FloatArray], rate: float) -> Replaceability:
    p_values, constant = [], 0
    for sample in samples:
        spread = float(sample.std(ddof=1))
        if spread < 1e-12:
            constant += 1
            p_values.append(0.0 if sample.mean() < epsilon else 1.0)
        else:
            t = (float(sample.mean()) - epsilon) / (spread / np.sqrt(sample.size))
            p_values.append(float(stats.t.cdf(t, sample.size - 1)))
    rejected = tuple(p <= rate for p in benjamini_yekutieli(p_values))
    return Replaceability(epsilon, sum(rejected) / len(rejected), rejected, constant)
