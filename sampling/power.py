"""What a design can show before anybody answers: interval widths and the detectable gap."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, sqrt

from scipy import stats

LEVEL = 0.95
POWER = 0.8
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
    human_variance: float
    model_variance: float


@dataclass(frozen=True)
class Precision:
    """Half-widths of 95 % intervals and detectable gaps, as shares.

    `..._questions` would hold for new questions and the same people, `..._people` for new people
    as well. An interval needs two questions, and two people: else it is None.
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
    return Score("em", assumed.human, _binary(assumed.human), _binary(assumed.model))


def within_one(assumed: Assumptions) -> Score:
    """Give within-one accuracy of counts."""
    human, model = assumed.human_within_one, assumed.model_within_one
    return Score("w1", human, _binary(human), _binary(model))


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
    return Score("f1", means[0], *variances)


def text_score(assumed: Assumptions) -> Score:
    """Give an edit similarity: shares that vary a quarter as much as right or wrong would."""
    human, model = _binary(assumed.human), _binary(assumed.model)
    return Score("ned", assumed.human, TEXT_VARIANCE * human, TEXT_VARIANCE * model)


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
    A = s2 (rho + (1 - rho) / K) / n over questions; the paired gap
    G = A + (m2 - 2 r sqrt(rho s2 m2)) / n; new people add B = sd2 (1 / P - 1 / (n K)). Intervals
    take Student's t with n - 1 degrees of freedom, or Satterthwaite's for A + B. The detectable
    gap is (z_0.975 + z_0.8) standard errors. Miller 2024 (arXiv 2411.00640) for clustered and
    paired errors; Judd, Westfall and Kenny 2017 for people and stimuli crossed.

    Examples
    --------
    The paper's design: +-3.3 points of exact match, a gap of 9 points.

    >>> found = precision(exact_match(Assumptions()), "all", PowerDesign(256, 3, 8), Assumptions())
    >>> round(100 * found.human_questions, 2), round(100 * found.detectable_questions, 2)
    (3.32, 9.05)
    """
    n, k, p = design.questions, design.responses, design.people
    if n < 2:
        return Precision(score.name, group, design, None, None, None, None, None, None)
    human = score.human_variance * (assumed.icc + (1 - assumed.icc) / k) / n
    shared = assumed.shared * sqrt(assumed.icc * score.human_variance * score.model_variance)
    gap = max(0.0, human + (score.model_variance - 2 * shared) / n)
    people = assumed.participant_sd**2 * max(0.0, 1 / p - 1 / (n * k)) if p > 1 else None
    z = float(stats.norm.ppf((1 + LEVEL) / 2) + stats.norm.ppf(POWER))
    return Precision(
        metric=score.name,
        group=group,
        design=design,
        human_questions=_half_width(human, n, 0.0, p),
        human_people=None if people is None else _half_width(human, n, people, p),
        gap_questions=_half_width(gap, n, 0.0, p),
        gap_people=None if people is None else _half_width(gap, n, people, p),
        detectable_questions=z * sqrt(gap),
        detectable_people=None if people is None else z * sqrt(gap + people),
    )


def _half_width(questions_part: float, n: int, people_part: float, people: int) -> float:
    """Give t times the standard error, with Satterthwaite's degrees of freedom."""
    variance = questions_part + people_part
    if variance <= 0:
        return 0.0
    spread = questions_part**2 / (n - 1)
    if people_part > 0:
        spread += people_part**2 / (people - 1)
    return float(stats.t.ppf((1 + LEVEL) / 2, variance**2 / spread)) * sqrt(variance)


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

    None where no number would: what people differ by does not shrink with more questions.

    >>> paper = PowerDesign(256, 3, 8)
    >>> [questions_needed(gap, exact_match(Assumptions()), paper, Assumptions(), False)
    ...  for gap in (0.10, 0.05, 0.03)]
    [210, 839, 2330]
    """
    one = replace(design, questions=2)
    z = float(stats.norm.ppf((1 + LEVEL) / 2) + stats.norm.ppf(POWER))
    found = precision(score, "", one, assumed).detectable_questions
    a_question = 0.0 if found is None else 2 * (found / z) ** 2
    wanted = (gap / z) ** 2
    if with_people:
        differ = assumed.participant_sd**2
        wanted -= differ / design.people
        a_question -= differ / design.responses
    return ceil(a_question / wanted) if wanted > 0 else None
