"""Which coefficients suit which answer format, as functions of question weights.

Agreement on sets label by label: whether an answer holds the label, all labels at once.
What a mean score and an agreement imply about each other, before any responses are seen.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from analysis.agreement.answer_table import AnswerTable, membership, of_kinds
from analysis.agreement.bootstrap import Statistic
from analysis.agreement.coefficients import (
    alpha,
    brennan_prediger,
    corrected,
    fleiss_kappa,
    gwet_ac1,
    gwet_ac2,
    ordinal_alpha,
    quadratic_similarity,
)
from analysis.agreement.distances import (
    edit_distance,
    hamming_distance,
    interval_distance,
    jaccard_distance,
    label_sets,
    masi_distance,
    nominal_distance,
    set_f1,
)
from analysis.agreement.exact import (
    count_icc,
    mean_absolute_difference,
    mean_pairwise,
    ratio,
    specific_agreement,
    within_one_similarity,
)
from analysis.arrays import BoolArray, FloatArray, Undefined
from sampling.answers.transcription import tokenize
from sampling.answers.vocabularies import AnswerFormat
from sampling.study.definition import TextTable


def label_alphas(table: AnswerTable, holds: BoolArray, weights: FloatArray) -> FloatArray:
    """Compute nominal alpha for each label, as if it were a yes-or-no question of its own.

    Parameters
    ----------
    holds : bool, shape (V, L), which values hold which labels
    weights : float, shape (B, U)

    Returns
    -------
    float, shape (B, L), NaN where all answers hold the label, or none does

    Examples
    --------
    >>> from analysis.agreement.answer_table import answer_table
    >>> sets = [frozenset("a"), frozenset("b")]
    >>> table = answer_table(np.array([0, 0, 1, 1, 2, 2]), np.array([0, 0, 1, 1, 0, 1]), sets)
    >>> label_alphas(table, np.eye(2, dtype=bool), table.point_weights).round(4).tolist()
    [[0.4444, 0.4444]]
    """
    paired = table.valid >= 2
    valid = table.valid[paired][:, None]
    given = (table.counts @ holds.astype(np.float64))[paired]
    kept = of_kinds(weights, paired)
    total = kept @ valid
    observed = kept @ (2 * given * (valid - given) / (valid - 1))
    held = kept @ given
    # D_o / D_e = (observed / n) / (2 held (n - held) / (n (n - 1))).
    return 1 - ratio(observed * (total - 1), 2 * held * (total - held))


def label_ac1s(table: AnswerTable, holds: BoolArray, weights: FloatArray) -> FloatArray:
    """Compute AC1 for each label as a yes-or-no question, shape (B, L)."""
    observed, expected = _parts(table, holds, weights)
    return corrected(observed, expected)


def micro_ac1(table: AnswerTable, holds: BoolArray, weights: FloatArray) -> FloatArray:
    """Compute AC1 from observed and expected agreement averaged over the labels, shape (B,)."""
    observed, expected = _parts(table, holds, weights)
    return corrected(observed.mean(axis=1), expected.mean(axis=1))


def defined_mean(values: FloatArray) -> FloatArray:
    """Average each row over what is defined; NaN where nothing is.

    >>> defined_mean(np.array([[1.0, np.nan], [np.nan, np.nan]])).tolist()
    [1.0, nan]
    """
    defined = ~np.isnan(values)
    return ratio(np.where(defined, values, 0.0).sum(axis=1), defined.sum(axis=1).astype(np.float64))


def _parts(
    table: AnswerTable, holds: BoolArray, weights: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Give observed agreement p_a and p_e = 2π(1-π), for q = 2, each of shape (B, L)."""
    given = table.counts @ holds.astype(np.float64)
    valid = table.valid[:, None]
    paired, answered = table.valid >= 2, table.valid >= 1
    yes, n = given[paired], valid[paired]
    same = (yes * (yes - 1) + (n - yes) * (n - yes - 1)) / (n * (n - 1))
    kept = of_kinds(weights, paired)
    observed = ratio(kept @ same, kept.sum(axis=1)[:, None])
    everyone = of_kinds(weights, answered)
    shares = ratio(everyone @ (given[answered] / valid[answered]), everyone.sum(axis=1)[:, None])
    return observed, 2 * shares * (1 - shares)


def agreement_bounds(
    wrong: int, n_questions: int, responses_per_question: int
) -> tuple[float, float]:
    """Give the pairwise agreement that is possible with a number of wrong responses.

    Least when every wrong response stands alone in its question, which costs 2/K of the
    question's pairs; most, 1, when wrong responses fill whole questions alike.

    Parameters
    ----------
    wrong : w, at most `n_questions`
    n_questions, responses_per_question : n and K, at least 2

    Raises
    ------
    ValueError
        If there are more wrong responses than questions: the bound is another then.

    Examples
    --------
    >>> agreement_bounds(96, 256, 3)
    (0.75, 1.0)
    """
    if wrong > n_questions:
        raise ValueError(f"{wrong} wrong responses are more than {n_questions} questions")
    return 1 - 2 / responses_per_question * wrong / n_questions, 1.0


def implied_icc(mean: float, agreement: float, matching_wrong: float) -> float | Undefined:
    """Give the intra-question correlation of exact match that mean and agreement imply.

    A = E[p²] + s E[(1-p)²] with p a question's chance of a right answer and s the share of pairs
    of wrong answers that match, so that E[p²] = (A + s (2μ - 1)) / (1 + s) and
    ICC = (E[p²] - μ²) / (μ (1 - μ)). Responses to a question are taken to be exchangeable.

    Parameters
    ----------
    mean, agreement : μ and A, in [0, 1]
    matching_wrong : s, in [0, 1]; it is not known from the two numbers: try 0, 1/2 and 1

    Returns
    -------
    float, or Undefined where all or no answers are right

    Examples
    --------
    >>> [round(implied_icc(0.875, 0.86, s), 3) for s in (0, 0.5, 1)]
    [0.863, 0.528, 0.36]
    """
    spread = mean * (1 - mean)
    if spread <= 0:
        return Undefined("every answer has the same score")
    square = (agreement + matching_wrong * (2 * mean - 1)) / (1 + matching_wrong)
    return (square - mean**2) / spread


PRIMARY_DISTANCE = {
    AnswerFormat.SINGLE: "nominal",
    AnswerFormat.BINARY: "nominal",
    AnswerFormat.MULTI: "jaccard",
    AnswerFormat.COUNT: "interval",
    AnswerFormat.TEXT: "edit",
}
MOST_TEXTS = 3_000  # distinct texts beyond which all pairs of them are too many to compare


@dataclass(frozen=True)
class Declared:
    """What the vocabulary of a category declares.

    `size` is the number of labels, 0 where it is not known; `labels` those of a set; `span` the
    smallest and largest count; `text_rules` which characters of a text are one unit.
    """

    size: int = 0
    labels: tuple[str, ...] = ()
    span: tuple[int, int] | None = None
    text_rules: TextTable = field(default_factory=TextTable)


def statistics_for(
    table: AnswerTable, answer_format: AnswerFormat, declared: Declared
) -> dict[str, Statistic]:
    """Choose the coefficients for a format; each takes weights (B, U) and gives (B,).

    Parameters
    ----------
    table : the answers of one category
    declared : its vocabulary; chance terms use its size, never the labels that happen to occur
    """
    same = np.eye(len(table.values))
    chosen: dict[str, Statistic] = {
        "exact_agreement": lambda w: mean_pairwise(table, same, w),
        "exact_agreement_by_pair": lambda w: mean_pairwise(table, same, w, by_pair=True),
    }
    if answer_format in {AnswerFormat.SINGLE, AnswerFormat.BINARY}:
        chosen |= _label_statistics(table, answer_format, declared)
    elif answer_format is AnswerFormat.COUNT:
        chosen |= _count_statistics(table, declared)
    elif answer_format is AnswerFormat.MULTI:
        chosen |= _set_statistics(table, declared)
    elif len(table.values) <= MOST_TEXTS:
        distance = _text_distance(table, declared)
        chosen["alpha"] = lambda w: alpha(table, distance, w)
        chosen["text_similarity"] = lambda w: mean_pairwise(table, 1 - distance, w)
    return chosen


def primary_distance(
    table: AnswerTable, answer_format: AnswerFormat, declared: Declared
) -> FloatArray:
    """Give the distance matrix (V, V) of the format's first choice of alpha."""
    if answer_format is AnswerFormat.COUNT:
        return interval_distance(_numbers(table))
    if answer_format is AnswerFormat.MULTI:
        return jaccard_distance(label_sets(table.values))
    if answer_format is AnswerFormat.TEXT:
        return _text_distance(table, declared)
    return nominal_distance(len(table.values))


def _label_statistics(
    table: AnswerTable, answer_format: AnswerFormat, declared: Declared
) -> dict[str, Statistic]:
    distance = nominal_distance(len(table.values))
    chosen: dict[str, Statistic] = {
        "alpha": lambda w: alpha(table, distance, w),
        "alpha_nominal": lambda w: alpha(table, distance, w),
        "fleiss_kappa": lambda w: fleiss_kappa(table, w),
    }
    size = max(declared.size, len(table.values))
    if declared.size >= 2:
        chosen["ac1"] = lambda w: gwet_ac1(table, size, w)
        chosen["brennan_prediger"] = lambda w: brennan_prediger(table, size, w)
    if answer_format is AnswerFormat.BINARY:
        chosen |= _specific_statistics(table)
    return chosen


def _specific_statistics(table: AnswerTable) -> dict[str, Statistic]:
    """Give positive and negative agreement where the two labels are yes and no."""
    chosen: dict[str, Statistic] = {}
    for name, label in (("positive_agreement", "yes"), ("negative_agreement", "no")):
        if label in table.values:
            place = table.values.index(label)
            chosen[name] = lambda w, place=place: specific_agreement(table, w)[:, place]  # type: ignore[misc]
    return chosen


def _count_statistics(table: AnswerTable, declared: Declared) -> dict[str, Statistic]:
    interval = interval_distance(_numbers(table))
    nominal = nominal_distance(len(table.values))
    near = within_one_similarity(table)
    chosen: dict[str, Statistic] = {
        "within_one": lambda w: mean_pairwise(table, near, w),
        "alpha": lambda w: alpha(table, interval, w),
        "alpha_ordinal": lambda w: ordinal_alpha(table, w),
        "alpha_nominal": lambda w: alpha(table, nominal, w),
        "icc": lambda w: count_icc(table, w),
        "mean_absolute_difference": lambda w: mean_absolute_difference(table, w),
    }
    if declared.span is not None and table.values:
        numbers = _numbers(table)
        low, high = min(declared.span[0], *numbers), max(declared.span[1], *numbers)
        domain = np.arange(low, high + 1)
        size = int(domain.size)
        if size >= 2:
            similarity = quadratic_similarity(numbers, high - low)
            everything = float(quadratic_similarity(domain, high - low).sum())
            chosen["ac2"] = lambda w: gwet_ac2(table, similarity, everything, size, w)
    return chosen


def _set_statistics(table: AnswerTable, declared: Declared) -> dict[str, Statistic]:
    sets = label_sets(table.values)
    jaccard, masi, f1 = jaccard_distance(sets), masi_distance(sets), set_f1(sets)
    hamming, nominal = hamming_distance(sets), nominal_distance(len(sets))
    holds = membership(table, set_labels(table, declared))
    chosen: dict[str, Statistic] = {
        "alpha": lambda w: alpha(table, jaccard, w),
        "alpha_masi": lambda w: alpha(table, masi, w),
        "alpha_nominal": lambda w: alpha(table, nominal, w),
        "pairwise_f1": lambda w: mean_pairwise(table, f1, w),
    }
    if not holds.size:
        return chosen
    return chosen | {
        "label_alpha_macro": lambda w: defined_mean(label_alphas(table, holds, w)),
        "label_alpha_micro": lambda w: alpha(table, hamming, w),
        "label_ac1_macro": lambda w: defined_mean(label_ac1s(table, holds, w)),
        "label_ac1_micro": lambda w: micro_ac1(table, holds, w),
    }


def set_labels(table: AnswerTable, declared: Declared) -> tuple[str, ...]:
    """List the declared labels, then those that were given beside them, sorted."""
    given = sorted({label for one in label_sets(table.values) for label in one})
    return declared.labels + tuple(label for label in given if label not in declared.labels)


def _text_distance(table: AnswerTable, declared: Declared) -> FloatArray:
    return edit_distance([tokenize(str(value), declared.text_rules) for value in table.values])


def _numbers(table: AnswerTable) -> FloatArray:
    return np.array([float(value) for value in table.values])  # type: ignore[arg-type]
