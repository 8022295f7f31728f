"""What a design can show before anybody answers: interval widths and the detectable gap."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt

from scipy import stats

from sampling.draw.limits import (
    FEWEST_PEOPLE,
    ScoredMean,
    detectable_gap,
    difference_limits,
    law_for_new_people,
    repeated_spreads,
    wilson_limits,
)

LEVEL = 0.95
MOST_QUESTIONS = 10_000_000
PARTIAL_F1 = 0.5
TEXT_VARIANCE = 0.25


@dataclass(frozen=True)
class Assumptions:
    """What is taken for true, as shares: nobody has answered yet.

    `icc` is the intra-question correlation of people's answers; `participant_sd` how much people
    differ in their true score; `shared` the correlation over questions of what is hard for people
    with what is hard for the model.
    """

    human: float = 0.875
    model: float = 0.6
    human_within_one: float = 0.96
    model_within_one: float = 0.92
    icc: float = 0.5
    participant_sd: float = 0.025
    shared: float = 0.2


@dataclass(frozen=True)
class PowerDesign:
    """How many questions, answers a question and people."""

    questions: int
    responses: int
    people: int


@dataclass(frozen=True)
class Score:
    """One metric: what people and the model are taken to reach, and each's variance a question."""

    name: str
    human: float
    model: float
    human_variance: float
    model_variance: float


@dataclass(frozen=True)
class Precision:
    """Half-widths of 95 % intervals and detectable gaps, as shares.

    `..._questions` would hold for new questions and the same people, `..._people` for new people
    as well. An interval needs two questions, for new people three people and two answers a
    question: else it is None.
    """

    metric: str
    group: str
    design: PowerDesign
    human_questions: float | None
    human_people: float | None
    gap_questions: float | None
    gap_people: float | None
    detectable_questions: float | None
    detectable_people: float | None


def exact_match(assumed: Assumptions) -> Score:
    """Give exact match: right or wrong."""
    return Score("em", assumed.human, assumed.model, _binary(assumed.human), _binary(assumed.model))


def within_one(assumed: Assumptions) -> Score:
    """Give within-one accuracy of counts."""
    human, model = assumed.human_within_one, assumed.model_within_one
    return Score("w1", human, model, _binary(human), _binary(model))


def f1_score(assumed: Assumptions, multi_share: float) -> Score:
    """Give F1, where a wrong answer to a question of several labels is half right on average.

    >>> round(f1_score(Assumptions(), 0.5).human, 4)
    0.9062
    """
    means, variances = [], []
    for right in (assumed.human, assumed.model):
        half = (1 - right) * multi_share
        mean = right + PARTIAL_F1 * half
        means.append(mean)
        variances.append(right + PARTIAL_F1**2 * half - mean**2)
    return Score("f1", *means, *variances)


def text_score(assumed: Assumptions) -> Score:
    """Give an edit similarity: shares that vary a quarter as much as right or wrong would."""
    human, model = _binary(assumed.human), _binary(assumed.model)
    return Score("ned", assumed.human, assumed.model, TEXT_VARIANCE * human, TEXT_VARIANCE * model)


def _binary(share: float) -> float:
    return share * (1 - share)


def precision(score: Score, group: str, design: PowerDesign, assumed: Assumptions) -> Precision:
    """Work out interval widths and the detectable gap of one metric in one group of questions.

    Parameters
    ----------
    score : Score
        The metric.
    group : str
        What to call the questions: a category, or `all`.
    design : PowerDesign
        n questions of the group, K answers each, P people.
    assumed : Assumptions

    Returns
    -------
    Precision

    Notes
    -----
    With s2 and m2 the variances a question of a person and of the model, rho the intra-question
    correlation and r the correlation of the two difficulties: the human mean has variance
    A = s2 (rho + (1 - rho) / K) / n over questions, and correlates with the model's by
    r sqrt(rho s2 / n) / sqrt(A). People's mean square is taken to be what it is on average,
    sd2 + E, with E = s2 (1 - rho) (P - 1) / (n (K - 1)) by chance. Limits and detectable gaps are
    those of `limits.py`, as after the study. Miller 2024 (arXiv 2411.00640) for clustered
    and paired errors; Judd, Westfall and Kenny 2017 for people and stimuli crossed.

    Examples
    --------
    The paper's design: +-3.3 points of exact match, a gap of 7.6 points.

    >>> found = precision(exact_match(Assumptions()), "all", PowerDesign(256, 3, 8), Assumptions())
    >>> round(100 * found.human_questions, 1), round(100 * found.detectable_questions, 1)
    (3.3, 7.6)
    """
    n = design.questions
    if n < 2:
        return Precision(score.name, group, design, None, None, None, None, None, None)
    same = _with_same_people(score, design, assumed)
    new = _with_new_people(score, design, assumed, same)
    questions = _gap(score, same, design, assumed)
    people: tuple[float | None, float | None] = (None, None)
    if new is not None:
        people = _gap(score, new, design, assumed)
    return Precision(
        metric=score.name,
        group=group,
        design=design,
        human_questions=same.half_width,
        human_people=None if new is None else new.half_width,
        gap_questions=questions[0],
        gap_people=people[0],
        detectable_questions=questions[1],
        detectable_people=people[1],
    )


@dataclass(frozen=True)
class _Expected:
    """What is expected of the human mean: its error, and k² as `sampling.draw.limits` has it."""

    mean: ScoredMean
    variance: float
    questions: float
    repeated: tuple[float, ...] = ()

    @property
    def half_width(self) -> float:
        low, high = wilson_limits(self.mean.mean, 1 / self.mean.squared, 1.0)
        return (high - low) / 2


def _with_same_people(score: Score, design: PowerDesign, assumed: Assumptions) -> _Expected:
    n, own = design.questions, score.human * (1 - score.human)
    alike = assumed.icc + (1 - assumed.icc) / design.responses
    variance = score.human_variance * alike / n
    quantile = float(stats.t.ppf((1 + LEVEL) / 2, n - 1))
    squared = quantile**2 * variance / own
    return _Expected(ScoredMean(score.human, squared, squared), variance, variance)


def _with_new_people(
    score: Score, design: PowerDesign, assumed: Assumptions, same: _Expected
) -> _Expected | None:
    """Add new people; None where their differences could not be told from chance."""
    n, k, p = design.questions, design.responses, design.people
    if p < FEWEST_PEOPLE or k < 2 or n * k - n - p + 1 < 1:
        return None
    error = score.human_variance * (1 - assumed.icc) * (p - 1) / (n * (k - 1))
    differ, share = assumed.participant_sd**2, max(0.0, 1 / p - 1 / (n * k))

    def squared(spread: float) -> float:
        law = law_for_new_people(same.variance, n - 1, spread, error, share, p)
        return law.quantile((1 + LEVEL) / 2) ** 2 / (score.human * (1 - score.human))

    mean = ScoredMean(score.human, squared(differ + error), same.mean.squared)
    repeated = tuple(squared(float(one)) for one in repeated_spreads(differ + error, p))
    return _Expected(mean, same.variance + differ * share, same.variance, repeated)


def _gap(
    score: Score, people: _Expected, design: PowerDesign, assumed: Assumptions
) -> tuple[float, float | None]:
    """Return half the width of the gap's interval, and the gap that would be detected."""
    n, own = design.questions, score.model * (1 - score.model)
    quantile = float(stats.norm.ppf((1 + LEVEL) / 2))
    squared = quantile**2 * score.model_variance / own / n
    model = ScoredMean(score.model, squared, squared)
    correlation = assumed.shared * sqrt(assumed.icc * score.human_variance / n / people.questions)
    low, high = difference_limits(people.mean, model, correlation)
    return (high - low) / 2, detectable_gap(
        people.mean, people.variance, model, correlation, people.repeated
    )


def more_of_each(design: PowerDesign) -> list[PowerDesign]:
    """List designs with more questions, other numbers of answers, and more people.

    More answers than there are people cannot be had: each is another person's.

    >>> [one.responses for one in more_of_each(PowerDesign(20, 2, 4))]
    [2, 2, 2, 1, 3, 2, 2]
    """
    questions = [replace(design, questions=design.questions * times) for times in (1, 2, 4)]
    responses = [replace(design, responses=k) for k in (1, 2, 3, 5) if k != design.responses]
    responses = [one for one in responses if one.responses <= max(design.people, 1)]
    people = [replace(design, people=design.people * times) for times in (2, 4)]
    return [*questions, *responses, *people]


def questions_needed(
    gap: float, score: Score, design: PowerDesign, assumed: Assumptions, with_people: bool
) -> int | None:
    """Say how many questions would make a gap detectable with these answers and people.

    None where no number would, up to ten million: what people differ by does not shrink with more
    questions.

    >>> paper = PowerDesign(256, 3, 8)
    >>> [questions_needed(gap, exact_match(Assumptions()), paper, Assumptions(), False)
    ...  for gap in (0.10, 0.05, 0.03)]
    [155, 549, 1445]
    """

    def enough(n: int) -> bool:
        found = precision(score, "", replace(design, questions=n), assumed)
        least = found.detectable_people if with_people else found.detectable_questions
        return least is not None and least <= gap

    if not enough(MOST_QUESTIONS):
        return None
    low, high = 1, MOST_QUESTIONS
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
