"""The agreement columns of `agreement.csv`, and every coefficient in a table of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.agreement.answer_codes import AnswerCodes, answer_codes
from analysis.agreement.answer_table import AnswerTable, answer_table
from analysis.agreement.bootstrap import (
    Coefficient,
    bootstrap_agreement,
    share_limits,
)
from analysis.agreement.by_format import (
    PRIMARY_DISTANCE,
    Declared,
    primary_distance,
    statistics_for,
)
from analysis.agreement.package_alpha import package_alpha
from analysis.scoring.scored import ScoredStudy
from analysis.statistics.agreement_overall import overall_row
from analysis.statistics.category_agreement import (
    COLUMNS,
    LIMITED,
    OVERALL,
    SHARES,
    CategoryTable,
)
from analysis.statistics.label_table import label_rows
from analysis.statistics.printed import Row, number, points, reason
from analysis.statistics.random_streams import generator
from analysis.undefined import Undefined
from sampling.answers.vocabularies import AnswerFormat


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
