"""Questions crossed with people: variance components in closed form and the T3 variance.

What the components say about the design: ICC, design effect, and other designs' precision.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array, diags_array
from scipy.sparse.csgraph import connected_components

from analysis.arrays import FloatArray, Undefined
from analysis.inference.scored_responses import ScoredResponses


@dataclass(frozen=True)
class VarianceComponents:
    """How much of the spread of scores comes from questions, from people and from neither.

    Attributes
    ----------
    question, participant, residual : variances of one score, in squared score units
    participant_effects : float, shape (P,), each person's mean score over an average mix of
        questions minus the average person's; sum zero
    participant_share : Σ_p (Σ_i w_ip)² - Σ w_ip², with weights 1/N Σ_p (n_p/N)² - 1/N: the
        chance that two different responses are of one person
    n_responses, n_questions, n_participants : the design
    participant_error : E = σ_e² tr L⁺/(P-1), what chance alone adds to the spread of the effects
    """

    question: float
    participant: float
    residual: float
    participant_effects: FloatArray
    participant_share: float
    n_responses: int
    n_questions: int
    n_participants: int
    participant_error: float = 0.0

    @property
    def participant_spread(self) -> float:
        """The mean square of the participants' effects, Σâ²/(P-1): σ_p² and the error."""
        return float(np.sum(self.participant_effects**2)) / (self.n_participants - 1)

    @property
    def effective_participants(self) -> float:
        """1/Σ_p (n_p/N)²: as many people with equal loads would bring the same variance."""
        share = self.participant_share + 1 / self.n_responses
        return min(float(self.n_participants), 1 / share)

    @property
    def participant_variance_of_mean(self) -> float:
        """What new people add to the variance of the response mean, beyond that by question.

        B = max(0, σ_p² (Σ(n_p/N)² - 1/N)): the variance by question holds σ_p²/N already.
        """
        return max(0.0, self.participant * self.participant_share)


def variance_components(responses: ScoredResponses) -> VarianceComponents | Undefined:
    """Estimate the components of score = mean + question + participant + residual.

    Participant effects by least squares with question effects absorbed; then moments: unbiased
    whatever the pattern of who answered what, without iteration. Negative estimates are zero.

    Returns
    -------
    VarianceComponents
        Or Undefined with one participant, when the participants fall into groups that share no
        question (a fault of the design: their difference cannot be told from their questions'),
        or when no degree of freedom is left for the residual.

    References
    ----------
    Henderson's method III as in Searle, Casella and McCulloch (1992), Variance Components, 5.3;
    Judd, Westfall and Kenny (2012), J. Pers. Soc. Psychol. 103(1), for the crossed design.

    Examples
    --------
    >>> crossed = ScoredResponses(
    ...     np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.0]), np.array([0, 0, 1, 1, 2, 2]),
    ...     np.array([0, 1, 0, 1, 0, 1]), np.array([0, 1, 2]))
    >>> found = variance_components(crossed)
    >>> [round(float(x), 4) for x in (found.question, found.participant, found.residual)]
    [0.1667, 0.0, 0.1667]
    """
    n, people = responses.n_questions, responses.n_participants
    if people < 2:
        return Undefined("one participant: nothing says how another would do")
    groups = participant_groups(responses)
    if groups > 1:
        return Undefined(
            f"design fault: the participants fall into {groups} groups that share no question"
        )
    degrees = responses.n_responses - n - people + 1
    if degrees < 1:
        return Undefined("too few repeated answers to tell people from chance")
    inverse = _pseudo_inverse(_absorbed_normal_matrix(responses))
    effects = _participant_effects(responses, inverse)
    residual = _residual_sum_of_squares(responses, effects) / degrees
    error = residual * float(np.trace(inverse)) / (people - 1)
    participant = float(np.sum(effects**2)) / (people - 1) - error
    adjusted = _question_means(responses, responses.score - effects[responses.participant])
    per_question = float(np.mean(1 / responses.responses_per_question))
    question = float(np.var(adjusted, ddof=1)) - residual * per_question
    weights = responses.weights
    shares = np.bincount(responses.participant, weights=weights, minlength=people)
    return VarianceComponents(
        question=max(0.0, question),
        participant=max(0.0, participant),
        residual=residual,
        participant_effects=effects,
        participant_share=float(np.sum(shares**2) - np.sum(weights**2)),
        n_responses=responses.n_responses,
        n_questions=n,
        n_participants=people,
        participant_error=error,
    )


def participant_groups(responses: ScoredResponses) -> int:
    """Count the groups of participants that no shared question connects; 1 is a sound design."""
    n, people = responses.n_questions, responses.n_participants
    ones = np.ones(responses.n_responses)
    size = n + people
    graph = coo_array((ones, (responses.question, n + responses.participant)), shape=(size, size))
    count, _ = connected_components(graph, directed=False)
    return int(count)


def _question_means(responses: ScoredResponses, values: FloatArray) -> FloatArray:
    totals = np.bincount(responses.question, weights=values, minlength=responses.n_questions)
    means: FloatArray = totals / responses.responses_per_question
    return means


def _absorbed_normal_matrix(responses: ScoredResponses) -> FloatArray:
    """Give L, shape (P, P): L_pp = Σ_i (1 - 1/K_i), L_pq = -Σ_i 1/K_i over shared questions."""
    shape = (responses.n_questions, responses.n_participants)
    ones = np.ones(responses.n_responses)
    answered = coo_array((ones, (responses.question, responses.participant)), shape=shape).tocsr()
    weighted = diags_array(1 / responses.responses_per_question) @ answered
    shared = (answered.T @ weighted).toarray()
    matrix: FloatArray = np.diag(responses.responses_per_participant.astype(np.float64)) - shared
    return matrix


def _pseudo_inverse(laplacian: FloatArray) -> FloatArray:
    """Invert L but for the one direction in which it is zero, the same for everyone.

    (L + J)⁻¹ - J⁻¹ on that direction, with J = c 11ᵀ/P: nothing depends on which eigenvalue
    rounding leaves just above zero, as it does in a pseudo-inverse with a threshold.
    """
    people = laplacian.shape[0]
    scale = float(np.trace(laplacian)) / people
    everyone = np.full(laplacian.shape, 1 / people)
    inverse: FloatArray = np.linalg.inv(laplacian + scale * everyone) - everyone / scale
    return inverse


def _participant_effects(responses: ScoredResponses, inverse: FloatArray) -> FloatArray:
    """Solve L a = r for the effects, r_p = Σ_i (s_ip - h̄_i), and make them sum to zero."""
    deviations = responses.score - responses.question_means[responses.question]
    right = np.bincount(
        responses.participant, weights=deviations, minlength=responses.n_participants
    )
    effects = inverse @ right
    centred: FloatArray = effects - effects.mean()
    return centred


def _residual_sum_of_squares(responses: ScoredResponses, effects: FloatArray) -> float:
    without = responses.score - effects[responses.participant]
    residuals = without - _question_means(responses, without)[responses.question]
    return float(np.sum(residuals**2))


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
