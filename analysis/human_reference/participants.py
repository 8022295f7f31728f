"""One participant at a time: their score, what it would be on an average mix, and without them.

How alike a model's transcription is to those of several people.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy import stats

from analysis.arrays import FloatArray, Undefined
from analysis.inference.crossed import variance_components
from analysis.inference.scored_responses import ScoredResponses, grouped_mean, subset
from analysis.scoring.scores import edit_similarity
from sampling.answers.transcription import tokenize
from sampling.study.definition import TextTable


def model_similarity(model: str | None, people: Sequence[str | None], rules: TextTable) -> Fraction:
    """Average the edit similarity of a model's text to each person's.

    An invalid text (None) is like no other.

    >>> str(model_similarity("ab", ["ab", "a", None], TextTable()))
    '1/2'
    """
    if model is None:
        return Fraction(0)
    units = tokenize(model, rules)
    found = [edit_similarity(units, tokenize(text, rules)) for text in people if text is not None]
    return sum(found, Fraction(0)) / len(people)


@dataclass(frozen=True)
class ParticipantScore:
    """One line of the forest.

    `low` and `high` are exact limits for the share of right answers, undefined for a metric that
    is not all or nothing; `adjusted` is the score on an average mix of questions, s̄ + â_p;
    `without` is everyone else's mean.
    """

    n: int
    score: float
    limits: tuple[float, float] | Undefined
    adjusted: float | Undefined
    without: float | Undefined


def participant_scores(responses: ScoredResponses, level: float) -> tuple[ParticipantScore, ...]:
    """Describe each participant, in the order of their codes.

    Parameters
    ----------
    responses : N responses
    level : such as 0.95; exact (Clopper-Pearson) limits over a person's own questions

    Examples
    --------
    >>> two = ScoredResponses(np.array([1.0, 1.0, 1.0, 0.0]), np.array([0, 1, 0, 1]),
    ...                       np.array([0, 0, 1, 1]), np.array([0, 1]))
    >>> [(one.score, one.without) for one in participant_scores(two, 0.95)]
    [(1.0, 0.5), (0.5, 1.0)]
    """
    components = variance_components(responses)
    without = left_out_means(responses)
    whole = bool(np.isin(responses.score, (0.0, 1.0)).all())
    found = []
    for person in range(responses.n_participants):
        own = responses.score[responses.participant == person]
        right = int(own.sum())
        found.append(
            ParticipantScore(
                n=int(own.size),
                score=float(own.mean()),
                limits=exact_limits(right, own.size, level)
                if whole
                else Undefined("exact limits are for right or wrong answers only"),
                adjusted=components
                if isinstance(components, Undefined)
                else responses.mean + float(components.participant_effects[person]),
                without=without[person],
            )
        )
    return tuple(found)


def exact_limits(right: int, n: int, level: float) -> tuple[float, float]:
    """Give the exact binomial limits of Clopper and Pearson (1934), Biometrika 26(4).

    >>> low, high = exact_limits(84, 96, 0.95)
    >>> round(low, 4), round(high, 4)
    (0.7918, 0.9337)
    """
    limits = stats.binomtest(right, n).proportion_ci(level, "exact")
    return float(limits.low), float(limits.high)


def left_out_means(
    responses: ScoredResponses, model: FloatArray | None = None
) -> tuple[float | Undefined, ...]:
    """Give the mean, or the gap to a model, without each participant in the order of codes.

    Parameters
    ----------
    model : float, shape (n,), whose mean on the questions that others answered is subtracted

    Returns
    -------
    tuple of P; Undefined where nobody else answered
    """
    return tuple(_without(responses, person, model) for person in range(responses.n_participants))


def _without(
    responses: ScoredResponses, person: int, model: FloatArray | None
) -> float | Undefined:
    others = responses.participant != person
    if not others.any():
        return Undefined("there is nobody else")
    if responses.group is None:
        mean = float(responses.score[others].mean())
        group = None
    else:
        kept = subset(responses, others)
        mean, group = kept.mean, kept.group
    if model is None:
        return mean
    answered = np.bincount(responses.question[others], minlength=model.size) > 0
    return mean - grouped_mean(model[answered], group)
