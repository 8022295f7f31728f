"""The agreement columns of `agreement.csv`, and every coefficient in a table of its own.

The last row of `agreement.csv`: the mean of the categories.
What the agreement of one category is: its answers, coefficients, and the columns they have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.agreement.answer_codes import AnswerCodes, answer_codes
from analysis.agreement.answer_table import AnswerTable, answer_table
from analysis.agreement.bootstrap import (
    BootstrappedAgreement,
    Coefficient,
    bootstrap_agreement,
    replicate_limits,
    share_limits,
)
from analysis.agreement.by_format import (
    PRIMARY_DISTANCE,
    Declared,
    primary_distance,
    statistics_for,
)
from analysis.agreement.package_alpha import package_alpha
from analysis.arrays import FloatArray, Undefined
from analysis.scoring.scored import ScoredStudy
from analysis.statistics.context import Row, generator, number, points, reason
from analysis.statistics.label_tables import label_rows
from sampling.answers.vocabularies import AnswerFormat

OVERALL = "overall"
SHARES = (
    "exact_agreement",
    "exact_agreement_by_pair",
    "within_one",
    "positive_agreement",
    "negative_agreement",
    "pairwise_f1",
    "text_similarity",
)
COLUMNS = (
    "exact_low",
    "exact_high",
    "exact_by_question",
    "exact_by_pair",
    "n_invalid",
    "within_one",
    "mean_absolute_difference",
    "pairwise_f1",
    "positive_agreement",
    "negative_agreement",
    "text_similarity",
    "similarity_low",
    "similarity_high",
    "alpha_distance",
    "alpha",
    "alpha_low",
    "alpha_high",
    "alpha_by_package",
    "alpha_nominal",
    "alpha_ordinal",
    "alpha_masi",
    "icc",
    "fleiss_kappa",
    "ac1",
    "ac1_low",
    "ac1_high",
    "ac2",
    "brennan_prediger",
    "label_alpha_macro",
    "label_alpha_micro",
    "label_ac1_macro",
    "label_ac1_micro",
    "vocabulary_size",
    "alpha_defined",
    "reason",
)
# Coefficients whose limits `agreement.csv` has, and what the columns begin with.
LIMITED = {
    "exact_agreement": "exact",
    "text_similarity": "similarity",
    "alpha": "alpha",
    "ac1": "ac1",
}
COEFFICIENT_COLUMNS = ("category", "coefficient", "value", "low", "high", "n_questions", "reason")


@dataclass(frozen=True)
class CategoryTable:
    """One category's answers, its vocabulary and its bootstrapped coefficients."""

    category: str
    answer_format: AnswerFormat
    declared: Declared
    table: AnswerTable
    found: BootstrappedAgreement


def overall_row(categories: Sequence[CategoryTable], level: float) -> Row:
    """Average the categories; intervals of shares are from their joint resamples."""
    row = dict.fromkeys(COLUMNS, "")
    for name in ("alpha", "ac1", "brennan_prediger", "fleiss_kappa"):
        values = _defined(categories, name)
        row[name] = number(sum(values) / len(values)) if values else ""
    row["alpha_defined"] = f"{len(_defined(categories, 'alpha'))} of {len(categories)}"
    row["n_invalid"] = str(sum(one.table.n_invalid for one in categories))
    paired = [one for one in categories if one.table.n_paired]
    if not paired:
        return row | {"reason": "no question has two answers"}
    questions = sum(one.table.n_paired for one in paired)
    shares = [_share(one, "exact_agreement") * one.table.n_paired for one in paired]
    row["exact_by_question"] = points(sum(shares) / questions)
    row["exact_by_pair"] = points(_by_pair(paired))
    limits = _macro_limits(paired, "exact_agreement", level)
    texts = [one for one in paired if one.answer_format is AnswerFormat.TEXT]
    found = {"exact": limits}
    if texts:
        found["similarity"] = _macro_limits(texts, "text_similarity", level)
    for ends, pair in found.items():
        if not isinstance(pair, Undefined):
            row[f"{ends}_low"], row[f"{ends}_high"] = points(pair[0]), points(pair[1])
    return row | {"reason": reason(limits)}


def _macro_limits(
    categories: Sequence[CategoryTable], name: str, level: float
) -> tuple[float, float] | Undefined:
    """Give the limits of the categories' mean of a share; a lone question has no variance."""
    if any(one.table.n_paired < 2 for one in categories):
        return Undefined("a category with a single question of two answers: no variance within it")
    macro = sum(_share(one, name) for one in categories) / len(categories)
    questions = sum(one.table.n_paired for one in categories)
    limits = replicate_limits(macro, _macro(categories, name), level)
    return share_limits(macro, limits, questions, level)


def _macro(categories: Sequence[CategoryTable], name: str) -> FloatArray:
    """Average the categories' replicates of a share, resample by resample."""
    columns = [one.found.replicates[name] for one in categories]
    length = min(column.size for column in columns)
    total: FloatArray = np.sum([column[:length] for column in columns], axis=0)
    return total / len(columns)


def _by_pair(categories: Sequence[CategoryTable]) -> float:
    pairs = []
    for one in categories:
        sizes = one.table.answers * (one.table.answers - 1) * one.table.multiplicity
        pairs.append(float(sizes.sum()))
    shares = [_share(one, "exact_agreement_by_pair") for one in categories]
    weighted = sum(share * count for share, count in zip(shares, pairs, strict=True))
    return weighted / sum(pairs)


def _share(one: CategoryTable, name: str) -> float:
    value = one.found.coefficients[name].value
    return 0.0 if isinstance(value, Undefined) else value


def _defined(categories: Sequence[CategoryTable], name: str) -> list[float]:
    found = [one.found.coefficients.get(name) for one in categories]
    return [
        coefficient.value
        for coefficient in found
        if coefficient is not None and not isinstance(coefficient.value, Undefined)
    ]


@dataclass(frozen=True)
class AgreementTables:
    """The rows by category and `overall`, and the long tables."""

    columns: Mapping[str, Row]
    coefficients: Sequence[Row]
    labels: Sequence[Row]


def agreement_tables(
    scored: ScoredStudy,
    seed: str,
    resamples: int,
    level: float,
    codes: AnswerCodes | None = None,
) -> AgreementTables:
    """Measure agreement in every category, each by what suits its answers.

    Alpha is never pooled over categories, whose values are not the same; `overall` averages the
    categories where it is defined, and says how many those are. `codes` are the study's answers,
    where they were numbered before.
    """
    categories = [
        _category(one, seed, resamples, level)
        for one in _tables(scored, codes or answer_codes(scored))
    ]
    rows = {one.category: _columns(one, level) for one in categories}
    rows[OVERALL] = overall_row(categories, level)
    return AgreementTables(
        columns=rows,
        coefficients=[row for one in categories for row in _coefficient_rows(one, level)],
        labels=[
            row
            for one in categories
            if one.answer_format is AnswerFormat.MULTI
            for row in label_rows(one.category, one.table, one.declared)
        ],
    )


@dataclass(frozen=True)
class _Answers:
    category: str
    answer_format: AnswerFormat
    declared: Declared
    table: AnswerTable


def _tables(scored: ScoredStudy, codes: AnswerCodes) -> list[_Answers]:
    answered = pd.Index(scored.responses["sample_id"])
    positions = scored.questions.index.get_indexer(answered).astype(np.int64)
    names = scored.questions["category"].to_numpy(dtype=object)
    found = []
    for category in sorted(set(names)):
        first = scored.questions.iloc[int(np.flatnonzero(names == category)[0])]
        chosen = names[positions] == category
        answer_format = AnswerFormat(first["answer_format"])
        declared = _declared(scored, str(category), int(first["vocabulary_size"]))
        table = answer_table(positions[chosen], codes.responses[chosen], codes.values)
        found.append(_Answers(str(category), answer_format, declared, table))
    return found


def _declared(scored: ScoredStudy, category: str, size: int) -> Declared:
    vocabulary = scored.vocabularies.get(category)
    if vocabulary is None:
        return Declared(size, text_rules=scored.text_rules)
    span = None if vocabulary.maximum is None else (vocabulary.minimum, vocabulary.maximum)
    return Declared(max(size, len(vocabulary.labels)), vocabulary.labels, span, scored.text_rules)


def _category(one: _Answers, seed: str, resamples: int, level: float) -> CategoryTable:
    statistics = statistics_for(one.table, one.answer_format, one.declared)
    stream = generator(seed, "agreement", one.category)
    found = bootstrap_agreement(one.table, statistics, resamples, stream, level)
    return CategoryTable(one.category, one.answer_format, one.declared, one.table, found)


def _columns(one: CategoryTable, level: float) -> Row:
    row = dict.fromkeys(COLUMNS, "")
    for name, coefficient in one.found.coefficients.items():
        column = {
            "exact_agreement": "exact_by_question",
            "exact_agreement_by_pair": "exact_by_pair",
        }.get(name, name)
        row[column] = _value(name, coefficient)
        ends = LIMITED.get(name)
        if ends is not None:
            row[f"{ends}_low"], row[f"{ends}_high"] = _limits(name, coefficient, one, level)
    distance = PRIMARY_DISTANCE[one.answer_format]
    reference = _by_package(one)
    return row | {
        "n_invalid": str(one.table.n_invalid),
        "alpha_distance": distance,
        "alpha_by_package": number(reference),
        "vocabulary_size": str(one.declared.size) if one.declared.size else "",
        "reason": _reasons(one),
    }


def _by_package(one: CategoryTable) -> float | Undefined:
    if "alpha" not in one.found.coefficients:
        return Undefined("too many texts")
    return package_alpha(one.table, primary_distance(one.table, one.answer_format, one.declared))


def _value(name: str, coefficient: Coefficient) -> str:
    return points(coefficient.value) if name in SHARES else number(coefficient.value)


def _limits(
    name: str, coefficient: Coefficient, one: CategoryTable, level: float
) -> tuple[str, str]:
    limits = coefficient.limits
    if name in SHARES and not isinstance(coefficient.value, Undefined):
        limits = share_limits(coefficient.value, limits, one.table.n_paired, level)
    if isinstance(limits, Undefined):
        return "", ""
    if name in SHARES:
        return points(limits[0]), points(limits[1])
    return number(limits[0]), number(limits[1])


def _reasons(one: CategoryTable) -> str:
    """Say which coefficients are undefined, and why, each reason once."""
    by_reason: dict[str, list[str]] = {}
    for name, coefficient in one.found.coefficients.items():
        if isinstance(coefficient.value, Undefined):
            by_reason.setdefault(coefficient.value.reason, []).append(name)
    if one.answer_format is AnswerFormat.TEXT and "alpha" not in one.found.coefficients:
        by_reason.setdefault("too many distinct texts to compare all pairs", []).append("alpha")
    return "; ".join(f"{', '.join(names)}: {why}" for why, names in by_reason.items())


def _coefficient_rows(one: CategoryTable, level: float) -> list[Row]:
    rows: list[Row] = []
    for name, coefficient in one.found.coefficients.items():
        low, high = _limits(name, coefficient, one, level)
        rows.append(
            {
                "category": one.category,
                "coefficient": name,
                "value": _value(name, coefficient),
                "low": low,
                "high": high,
                "n_questions": str(one.table.n_paired),
                "reason": reason(coefficient.value) or reason(coefficient.limits),
            }
        )
    return rows
