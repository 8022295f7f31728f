"""Pairwise exact agreement of the human answers, as exact fractions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.scored import ScoredStudy


@dataclass(frozen=True)
class CategoryAgreement:
    """Agreement within one category: over how many questions, how many had a single answer.

    `agreement` is None when no question has two answers.
    """

    category: str
    n_questions: int
    n_single: int
    agreement: Fraction | None


def exact_agreement(scored: ScoredStudy) -> tuple[CategoryAgreement, ...]:
    """Agree pair by pair within each question, average over a category's questions.

    Parameters
    ----------
    scored : ScoredStudy

    Returns
    -------
    tuple of CategoryAgreement, sorted by category
        Two invalid answers do not agree. A question with fewer than two answers is left out and
        counted in `n_single`.

    Notes
    -----
    A_i = Σ_{r<s} 1[y_ir = y_is] / C(K_i, 2); A_c is the mean of A_i (the benchmark's D.5).

    Examples
    --------
    >>> questions = pd.DataFrame({"category": ["Script"]}, index=pd.Index(["q1"]))
    >>> answers = pd.DataFrame({"sample_id": ["q1"] * 3, "normalized": ["Khmer", "Khmer", "Tamil"]})
    >>> str(exact_agreement(ScoredStudy(questions, answers, {}))[0].agreement)
    '1/3'
    """
    questions = scored.questions
    positions = questions.index.get_indexer(pd.Index(scored.responses["sample_id"]))
    counts = np.bincount(positions, minlength=len(questions))
    agreeing = agreeing_pairs(positions, scored.responses["normalized"], len(questions))
    categories = questions["category"].to_numpy(dtype=object)
    return tuple(
        _of_category(
            str(category), counts[categories == category], agreeing[categories == category]
        )
        for category in sorted(set(categories))
    )


def agreeing_pairs(
    positions: NDArray[np.int64], normalized: pd.Series, n_questions: int
) -> NDArray[np.int64]:
    """Count, for each question, the pairs of equal valid answers."""
    codes, distinct = pd.factorize(normalized.to_numpy(dtype=object), use_na_sentinel=True)
    valid = codes >= 0
    cells = positions[valid] * max(len(distinct), 1) + codes[valid]
    cell, size = np.unique(cells, return_counts=True)
    pairs = np.zeros(n_questions, dtype=np.int64)
    np.add.at(pairs, cell // max(len(distinct), 1), size * (size - 1) // 2)
    return pairs


def macro_agreement(categories: tuple[CategoryAgreement, ...]) -> Fraction | None:
    """Average the categories, each weighing the same; None when none is defined."""
    defined = [found.agreement for found in categories if found.agreement is not None]
    return sum(defined, Fraction(0)) / len(defined) if defined else None


def _of_category(
    category: str, counts: NDArray[np.int64], agreeing: NDArray[np.int64]
) -> CategoryAgreement:
    """Average a category's questions, equal ones counted together."""
    shared = counts >= 2
    pairs = counts[shared] * (counts[shared] - 1) // 2
    cells, sizes = np.unique(
        np.stack([agreeing[shared], pairs], axis=1), axis=0, return_counts=True
    )
    total = sum(
        (
            Fraction(int(same), int(all_)) * int(size)
            for (same, all_), size in zip(cells, sizes, strict=True)
        ),
        Fraction(0),
    )
    n = int(shared.sum())
    return CategoryAgreement(
        category=category,
        n_questions=n,
        n_single=int(np.count_nonzero(~shared)),
        agreement=total / n if n else None,
    )
