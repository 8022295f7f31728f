"""Which coefficients suit which answer format, as functions of question weights."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from analysis.agreement.answer_table import AnswerTable, membership
from analysis.agreement.bootstrap import Statistic
from analysis.agreement.chance_corrected import (
    brennan_prediger,
    fleiss_kappa,
    gwet_ac1,
    gwet_ac2,
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
    specific_agreement,
    within_one_similarity,
)
from analysis.agreement.krippendorff_alpha import alpha, ordinal_alpha
from analysis.agreement.label_agreement import (
    defined_mean,
    label_ac1s,
    label_alphas,
    micro_ac1,
)
from analysis.array_types import FloatArray
from sampling.answers.transcription import tokenize
from sampling.answers.vocabularies import AnswerFormat
from sampling.study.definition import TextTable

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
