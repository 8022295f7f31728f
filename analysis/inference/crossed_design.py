"""What the components say about the design: ICC, design effect, and other designs' precision."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.inference.crossed import VarianceComponents
from analysis.inference.scored_responses import ScoredResponses
from analysis.undefined import Undefined


@dataclass(frozen=True)
class IntraQuestionCorrelation:
    """How alike the scores of one question are, and what the responses are worth for it.

    `design_effect` is 1 + (K-1) ICC; `effective_responses` is N / design effect: how many
    independent answers would be as precise, undefined where the design effect is not positive.
    """

    icc: float
    design_effect: float
    effective_responses: float | Undefined


def intra_question_correlation(
    responses: ScoredResponses,
) -> IntraQuestionCorrelation | Undefined:
    """Estimate the one-way ICC(1) of scores within questions.

    (MSB - MSW) / (MSB + (K-1) MSW), with K replaced by (N - Σ K_i²/N)/(n-1) where questions have
    different numbers of responses. Negative values are possible and kept.

    References
    ----------
    Shrout and Fleiss (1979), Psychological Bulletin 86(2); Donner (1986), International
    Statistical Review 54(1), for unequal sizes.

    Examples
    --------
    >>> alike = ScoredResponses(np.array([1.0, 1.0, 0.0, 0.0]), np.array([0, 0, 1, 1]),
    ...                         np.array([0, 1, 0, 1]), np.array([0, 1]))
    >>> intra_question_correlation(alike).icc
    1.0
    """
    n, total = responses.n_questions, responses.n_responses
    if n < 2 or total <= n:
        return Undefined("no question was answered twice, or there is only one question")
    sizes = responses.responses_per_question
    means = responses.question_means
    between = float(np.sum(sizes * (means - responses.score.mean()) ** 2)) / (n - 1)
    within = float(np.sum((responses.score - means[responses.question]) ** 2)) / (total - n)
    usual = (total - float(np.sum(sizes**2)) / total) / (n - 1)
    spread = between + (usual - 1) * within
    if spread < 1e-15:
        return Undefined("every score was the same")
    icc = (between - within) / spread
    effect = 1 + (total / n - 1) * icc
    worth = total / effect if effect > 1e-9 else Undefined("answers vary as much as they can")
    return IntraQuestionCorrelation(icc, effect, worth)


@dataclass(frozen=True)
class DesignPrecision:
    """The standard error that another design would have for new questions and people."""

    participants: int
    questions: int
    responses_per_question: int
    standard_error: float


def design_precision(
    components: VarianceComponents, designs: Sequence[tuple[int, int, int]]
) -> tuple[DesignPrecision, ...]:
    """Give the standard error of the mean score for designs (P', n', K').

    √(σ_p²/P' + σ_i²/n' + σ_e²/(n' K')): loads are taken to be equal, questions and people new
    (a decision study of generalisability theory: Brennan 2001, Generalizability Theory, 1.3).

    Examples
    --------
    >>> from analysis.inference.crossed import VarianceComponents
    >>> parts = VarianceComponents(0.0576, 0.0009, 0.0484, np.zeros(8), 0.125, 768, 256, 8)
    >>> round(design_precision(parts, [(8, 256, 3)])[0].standard_error, 5)
    0.02001
    """
    return tuple(
        DesignPrecision(
            people,
            questions,
            each,
            math.sqrt(
                components.participant / people
                + components.question / questions
                + components.residual / (questions * each)
            ),
        )
        for people, questions, each in designs
    )
