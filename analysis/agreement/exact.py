"""Agreement as people understand it: the share of pairs that gave the same answer, or nearly."""

from __future__ import annotations

import numpy as np

from analysis.agreement.answer_table import AnswerTable, of_kinds
from analysis.arrays import FloatArray


def mean_pairwise(
    table: AnswerTable,
    similarity: FloatArray,
    weights: FloatArray,
    *,
    by_pair: bool = False,
    valid_only: bool = False,
) -> FloatArray:
    """Average a similarity over the pairs of people within a question, then over questions.

    With the identity matrix this is pairwise exact agreement, Σ_{r<s} 1[y_r = y_s] / C(K,2), the
    benchmark's appendix D.5. Questions with fewer than two answers are left out.

    Parameters
    ----------
    similarity : float, shape (V, V), of two valid answers
    weights : float, shape (B, U); `table.point_weights` for the estimate
    by_pair : weigh every pair the same rather than every question
    valid_only : leave invalid answers out; else a pair with one has similarity 0, so that two
        invalid answers do not agree

    Returns
    -------
    float, shape (B,), NaN where no question has two answers

    Examples
    --------
    >>> from analysis.agreement.answer_table import answer_table
    >>> table = answer_table(np.array([0, 0, 0]), np.array([1, 1, 0]), ("no", "yes"))
    >>> float(mean_pairwise(table, np.eye(2), table.point_weights)[0])
    0.3333333333333333
    """
    answers = table.valid if valid_only else table.answers
    paired = answers >= 2
    counts = table.counts[paired]
    # Σ_{r≠s}: all ordered pairs of answers less each answer with itself.
    ordered = np.sum((counts @ similarity) * counts, axis=1) - counts @ np.diag(similarity)
    pairs = answers[paired] * (answers[paired] - 1)
    kept = of_kinds(weights, paired)
    if by_pair:
        return ratio(kept @ ordered, kept @ pairs)
    return ratio(kept @ (ordered / pairs), kept.sum(axis=1))


def specific_agreement(table: AnswerTable, weights: FloatArray) -> FloatArray:
    """Give the agreement specific to each value: of those who gave it, how many others did.

    Σ_i r_ik (r_ik - 1) / Σ_i r_ik (K_i - 1). For yes and no: positive and negative agreement.

    Returns
    -------
    float, shape (B, V), NaN for a value that nobody gave

    References
    ----------
    Cicchetti and Feinstein (1990), Journal of Clinical Epidemiology 43(6); Uebersax, for several
    raters.

    Examples
    --------
    >>> from analysis.agreement.answer_table import answer_table
    >>> table = answer_table(np.array([0, 0, 1, 1]), np.array([1, 1, 1, 0]), ("no", "yes"))
    >>> specific_agreement(table, table.point_weights).round(4).tolist()
    [[0.0, 0.6667]]
    """
    paired = table.valid >= 2
    counts = table.counts[paired]
    others = table.valid[paired] - 1
    kept = of_kinds(weights, paired)
    return ratio(kept @ (counts * (counts - 1)), kept @ (counts * others[:, None]))


def mean_absolute_difference(table: AnswerTable, weights: FloatArray) -> FloatArray:
    """Average |y_r - y_s| over pairs of valid counts within a question, then over questions."""
    numbers = np.array([float(value) for value in table.values])  # type: ignore[arg-type]
    distance = np.abs(numbers[:, None] - numbers[None, :])
    return mean_pairwise(table, distance, weights, valid_only=True)


def within_one_similarity(table: AnswerTable) -> FloatArray:
    """Give 1 for two counts that differ by one at most, else 0, shape (V, V)."""
    numbers = np.array([float(value) for value in table.values])  # type: ignore[arg-type]
    near: FloatArray = (np.abs(numbers[:, None] - numbers[None, :]) <= 1).astype(np.float64)
    return near


def count_icc(table: AnswerTable, weights: FloatArray) -> FloatArray:
    """Give the one-way ICC(1) of counts within questions, shape (B,).

    (MSB - MSW) / (MSB + (K-1) MSW) with K = (N - Σ K_i²/N) / (n-1), over questions with two valid
    answers or more; NaN where every count was the same.

    References
    ----------
    Shrout and Fleiss (1979), Psychological Bulletin 86(2), case 1.
    """
    paired = table.valid >= 2
    counts, sizes, kept = table.counts[paired], table.valid[paired], of_kinds(weights, paired)
    numbers = np.array([float(value) for value in table.values])  # type: ignore[arg-type]
    sums, squares = counts @ numbers, counts @ numbers**2
    n, total = kept.sum(axis=1), kept @ sizes
    # Weights that leave one question, or none, cannot be divided by: those come out as NaN.
    mean = ratio(kept @ sums, total)
    within = ratio(kept @ (squares - sums**2 / sizes), total - n)
    between = ratio(kept @ (sums**2 / sizes) - total * mean**2, n - 1)
    usual = ratio(total - ratio(kept @ sizes**2, total), n - 1)
    return ratio(between - within, between + (usual - 1) * within)


def ratio(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """Divide, with NaN where the denominator is zero or less: not defined there."""
    result = np.full(np.broadcast_shapes(numerator.shape, denominator.shape), np.nan)
    np.divide(numerator, denominator, out=result, where=denominator > 1e-12)
    return result
