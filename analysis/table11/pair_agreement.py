"""Agreement of pairs of people, as exact fractions: equal answers, or for texts mean similarity."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.scoring.scored import ScoredStudy
from analysis.scoring.scores import edit_similarity
from sampling.answers.transcription import tokenize
from sampling.answers.vocabularies import AnswerFormat
from sampling.study.definition import TextTable


@dataclass(frozen=True)
class CategoryAgreement:
    """Agreement within one category: over how many questions, how many had a single answer.

    `exact` and, for texts, `similarity` (mean pairwise NED) are None when no question has two
    answers.
    """

    category: str
    n_questions: int
    n_single: int
    exact: Fraction | None
    similarity: Fraction | None = None

    @property
    def headline(self) -> Fraction | None:
        """What Table 11 averages: exact agreement, which says nothing of long texts."""
        return self.exact if self.similarity is None else self.similarity


def category_agreement(scored: ScoredStudy) -> tuple[CategoryAgreement, ...]:
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
    A_i = Σ_{r<s} 1[y_ir = y_is] / C(K_i, 2); A_c is the mean of A_i (the benchmark's D.5). For
    texts 1[.] is replaced by the edit similarity of the two.

    Examples
    --------
    >>> questions = pd.DataFrame(
    ...     {"category": ["Script"], "answer_format": ["single"]}, index=pd.Index(["q1"]))
    >>> answers = pd.DataFrame({"sample_id": ["q1"] * 3, "normalized": ["Khmer", "Khmer", "Tamil"]})
    >>> str(category_agreement(ScoredStudy(questions, answers, {}))[0].exact)
    '1/3'
    """
    questions = scored.questions
    positions = questions.index.get_indexer(pd.Index(scored.responses["sample_id"]))
    counts = np.bincount(positions, minlength=len(questions))
    agreeing = agreeing_pairs(positions, scored.responses["normalized"], len(questions))
    categories = questions["category"].to_numpy(dtype=object)
    texts = questions["answer_format"].to_numpy(dtype=object) == AnswerFormat.TEXT.value
    similar = _similarities(scored, positions, texts)
    return tuple(
        _of_category(str(category), counts, agreeing, categories == category, texts, similar)
        for category in sorted(set(categories))
    )


def agreeing_pairs(
    positions: NDArray[np.int64], normalized: pd.Series, n_questions: int
) -> NDArray[np.int64]:
    """Count, for each question, the pairs of equal valid answers."""
    codes, distinct = pd.factorize(normalized.to_numpy(dtype=object), use_na_sentinel=True)
    width = max(len(distinct), 1)
    valid = codes >= 0
    cell, size = np.unique(positions[valid] * width + codes[valid], return_counts=True)
    pairs = np.zeros(n_questions, dtype=np.int64)
    np.add.at(pairs, cell // width, size * (size - 1) // 2)
    return pairs


def macro_agreement(categories: tuple[CategoryAgreement, ...]) -> Fraction | None:
    """Average the categories, each weighing the same; None when none is defined."""
    defined = [found.headline for found in categories if found.headline is not None]
    return sum(defined, Fraction(0)) / len(defined) if defined else None


def mean_pairwise_similarity(answers: list[str | None], rules: TextTable) -> Fraction:
    """Average the edit similarity of all pairs of texts; an invalid one is like no other.

    >>> str(mean_pairwise_similarity(["甲乙", "甲乙", "甲"], TextTable()))
    '2/3'
    """
    tokens = [None if answer is None else tokenize(answer, rules) for answer in answers]
    pairs = list(combinations(tokens, 2))
    total = sum(
        (edit_similarity(one, two) for one, two in pairs if one is not None and two is not None),
        Fraction(0),
    )
    return total / len(pairs)


def _similarities(
    scored: ScoredStudy, positions: NDArray[np.int64], texts: NDArray[np.bool_]
) -> dict[int, Fraction]:
    """Give the mean pairwise similarity of each text question with two answers or more."""
    answers: defaultdict[int, list[str | None]] = defaultdict(list)
    if texts.any():
        for position, answer in zip(
            positions.tolist(), scored.responses["normalized"], strict=True
        ):
            if texts[position]:
                answers[position].append(answer if isinstance(answer, str) else None)
    return {
        position: mean_pairwise_similarity(given, scored.text_rules)
        for position, given in answers.items()
        if len(given) >= 2
    }


def _of_category(
    category: str,
    counts: NDArray[np.int64],
    agreeing: NDArray[np.int64],
    member: NDArray[np.bool_],
    texts: NDArray[np.bool_],
    similar: dict[int, Fraction],
) -> CategoryAgreement:
    """Average a category's questions, equal ones counted together."""
    shared = member & (counts >= 2)
    pairs = counts[shared] * (counts[shared] - 1) // 2
    cells, sizes = np.unique(
        np.stack([agreeing[shared], pairs], axis=1), axis=0, return_counts=True
    )
    total = Fraction(0)
    for (same, every), size in zip(cells.tolist(), sizes.tolist(), strict=True):
        total += Fraction(same, every) * size
    n = int(shared.sum())
    of_texts = [similar[position] for position in np.flatnonzero(shared & texts).tolist()]
    return CategoryAgreement(
        category=category,
        n_questions=n,
        n_single=int(np.count_nonzero(member & (counts < 2))),
        exact=total / n if n else None,
        similarity=sum(of_texts, Fraction(0)) / len(of_texts) if of_texts else None,
    )
