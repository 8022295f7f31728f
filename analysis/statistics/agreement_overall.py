"""The last row of `agreement.csv`: the mean of the categories."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analysis.agreement.bootstrap import replicate_limits, share_limits
from analysis.array_types import FloatArray
from analysis.statistics.category_agreement import COLUMNS, CategoryTable
from analysis.statistics.printed import Row, number, points, reason
from analysis.undefined import Undefined
from sampling.answers.vocabularies import AnswerFormat


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
