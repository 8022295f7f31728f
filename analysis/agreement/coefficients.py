"""Coefficients that correct for chance by the declared vocabulary: AC1, AC2, Brennan-Prediger.

Krippendorff's alpha from counts, for many weightings of the questions at once.
"""

from __future__ import annotations

import numpy as np

from analysis.agreement.answer_table import AnswerTable, of_kinds
from analysis.agreement.exact import ratio
from analysis.arrays import FloatArray, IntArray


def observed_agreement(
    table: AnswerTable, weights: FloatArray, similarity: FloatArray | None = None
) -> FloatArray:
    """Give p_a = mean over K_i >= 2 of Σ_k r_ik (r*_ik - 1) / (K_i (K_i - 1)), shape (B,).

    r*_ik = Σ_l w_kl r_il, which is r_ik without a similarity w. Invalid answers are left out.
    """
    paired = table.valid >= 2
    counts, sizes = table.counts[paired], table.valid[paired]
    similar = counts if similarity is None else counts @ similarity
    per_question = np.sum(counts * (similar - 1), axis=1) / (sizes * (sizes - 1))
    kept = of_kinds(weights, paired)
    return ratio(kept @ per_question, kept.sum(axis=1))


def value_shares(table: AnswerTable, weights: FloatArray) -> FloatArray:
    """Give π_k = mean over questions of r_ik / K_i, shape (B, V)."""
    answered = table.valid >= 1
    shares = table.counts[answered] / table.valid[answered][:, None]
    kept = of_kinds(weights, answered)
    return ratio(kept @ shares, kept.sum(axis=1)[:, None])


def corrected(observed: FloatArray, expected: FloatArray) -> FloatArray:
    """Give (p_a - p_e) / (1 - p_e), NaN where p_e is 1."""
    return ratio(observed - expected, 1 - expected)


def fleiss_kappa(table: AnswerTable, weights: FloatArray) -> FloatArray:
    """Compute Fleiss' kappa: p_e = Σ_k π_k².

    Low or negative where one answer is nearly always given, however well people agree (the
    prevalence paradox: Feinstein and Cicchetti 1990); NaN where it always is.

    References
    ----------
    Fleiss (1971), Psychological Bulletin 76(5).
    """
    shares = value_shares(table, weights)
    return corrected(observed_agreement(table, weights), np.sum(shares**2, axis=1))


def gwet_ac1(table: AnswerTable, n_labels: int, weights: FloatArray) -> FloatArray:
    """Compute Gwet's AC1: p_e = Σ_k π_k (1 - π_k) / (q - 1).

    Parameters
    ----------
    n_labels : q, the size of the declared vocabulary, at least 2; labels nobody gave count too

    References
    ----------
    Gwet (2008), British Journal of Mathematical and Statistical Psychology 61(1), equation 6.

    Examples
    --------
    >>> from analysis.agreement.answer_table import answer_table
    >>> table = answer_table(np.array([0, 0, 1, 1, 2, 2]), np.array([0, 0, 1, 1, 0, 1]), "ab")
    >>> round(float(gwet_ac1(table, 2, table.point_weights)[0]), 4)  # (2/3 - 1/2) / (1/2)
    0.3333
    """
    shares = value_shares(table, weights)
    expected = np.sum(shares * (1 - shares), axis=1) / (n_labels - 1)
    return corrected(observed_agreement(table, weights), expected)


def gwet_ac2(
    table: AnswerTable,
    similarity: FloatArray,
    total_similarity: float,
    n_labels: int,
    weights: FloatArray,
) -> FloatArray:
    """Compute Gwet's AC2, AC1 with partial credit: p_e = T_w / (q (q-1)) Σ_k π_k (1 - π_k).

    Parameters
    ----------
    similarity : w, float, shape (V, V), of the values that were given; 1 on the diagonal
    total_similarity : T_w, the sum of w over all q x q pairs of declared values
    n_labels : q

    References
    ----------
    Gwet (2014), Handbook of Inter-Rater Reliability, 4th ed., chapter 4.
    """
    shares = value_shares(table, weights)
    scale = total_similarity / (n_labels * (n_labels - 1))
    expected = scale * np.sum(shares * (1 - shares), axis=1)
    return corrected(observed_agreement(table, weights, similarity), expected)


def quadratic_similarity(numbers: FloatArray, span: float) -> FloatArray:
    """Give 1 - (x - y)² / span², the usual weights of ordered values, shape (V, V).

    >>> quadratic_similarity(np.array([0.0, 1.0, 2.0]), 2.0)[0].tolist()
    [1.0, 0.75, 0.0]
    """
    similarity: FloatArray = 1 - (numbers[:, None] - numbers[None, :]) ** 2 / span**2
    return similarity


def brennan_prediger(table: AnswerTable, n_labels: int, weights: FloatArray) -> FloatArray:
    """Compute Brennan and Prediger's coefficient: p_e = 1 / q with q the declared size.

    References
    ----------
    Brennan and Prediger (1981), Educational and Psychological Measurement 41(3).
    """
    observed = observed_agreement(table, weights)
    return corrected(observed, np.full(observed.shape, 1 / n_labels))


def alpha(table: AnswerTable, distance: FloatArray, weights: FloatArray) -> FloatArray:
    """Compute 1 - D_o / D_e for each weighting of the questions.

    D_o = n⁻¹ Σ_i Σ_{r≠s} δ(y_ir, y_is) / (K_i - 1) over questions with two valid answers or more,
    D_e = Σ_{c,k} n_c n_k δ(c,k) / (n (n-1)); n counts their valid answers.

    Parameters
    ----------
    table : U kinds of question, V values
    distance : δ, float, shape (V, V), zero on the diagonal, passed as it is (not squared)
    weights : float, shape (B, U); `table.point_weights` for the estimate

    Returns
    -------
    float, shape (B,)
        NaN where D_e is 0, that is where all values were at distance 0: not defined.

    References
    ----------
    Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, University of Pennsylvania;
    Krippendorff (2004), Content Analysis, 2nd ed., chapter 11.

    Examples
    --------
    >>> from analysis.agreement.answer_table import answer_table
    >>> from analysis.agreement.distances import nominal_distance
    >>> table = answer_table(np.array([0, 0, 1, 1, 2, 2]), np.array([0, 0, 1, 1, 0, 1]), "ab")
    >>> round(float(alpha(table, nominal_distance(2), table.point_weights)[0]), 4)
    0.4444
    """
    paired = table.valid >= 2
    counts = table.counts[paired]
    valid = counts.sum(axis=1)
    observed = np.sum((counts @ distance) * counts, axis=1) / (valid - 1)
    kept = of_kinds(weights, paired)
    total = kept @ valid
    values = kept @ counts
    expected = np.sum((values @ distance) * values, axis=1)
    return _one_minus_ratio(kept @ observed, expected, total)


def ordinal_alpha(table: AnswerTable, weights: FloatArray) -> FloatArray:
    """Compute alpha with Krippendorff's ordinal distance; the values are in ascending order.

    δ(c,k) = (Σ_{g=c..k} n_g - (n_c+n_k)/2)² is the squared difference of the values' mean ranks,
    so that alpha is the interval alpha of the ranks. The ranks follow each weighting.

    Returns
    -------
    float, shape (B,), NaN where not defined
    """
    paired = table.valid >= 2
    counts = table.counts[paired]
    valid = counts.sum(axis=1)
    kept = of_kinds(weights, paired)
    total = kept @ valid
    values = kept @ counts
    ranks = np.cumsum(values, axis=1) - values / 2
    sums = ranks @ counts.T
    squares = ranks**2 @ counts.T
    observed = np.sum(kept * (2 * (valid * squares - sums**2) / (valid - 1)), axis=1)
    spread = total * np.sum(values * ranks**2, axis=1) - np.sum(values * ranks, axis=1) ** 2
    return _one_minus_ratio(observed, 2 * spread, total)


def nominal_alpha_of_codes(codes: IntArray, n_values: int) -> float:
    """Compute the nominal alpha of a matrix of codes, the fast way for very many ratings.

    Parameters
    ----------
    codes : int, shape (n, K), one row a question; negative where there is no answer
    n_values : V

    Returns
    -------
    float, NaN where every value was the same or nothing was answered twice

    Examples
    --------
    >>> round(nominal_alpha_of_codes(np.array([[0, 0], [1, 1], [0, 1]]), 2), 4)
    0.4444
    """
    n = codes.shape[0]
    counts = np.zeros(n * n_values, dtype=np.int64)
    first = np.arange(0, n * n_values, n_values)
    for column in codes.T:
        answered = column >= 0
        # No question repeats within a column, so that plain indexing adds up correctly.
        counts[first[answered] + column[answered]] += 1
    table = counts.reshape(n, n_values)
    valid = table.sum(axis=1)
    # Unpairable rows weigh nothing; an integer square sum needs no distance matrix.
    differing = valid**2 - np.einsum("ij,ij->i", table, table)
    paired = valid >= 2
    observed = float(np.sum(differing[paired] / (valid[paired] - 1)))
    values = paired.astype(np.int64) @ table
    total = int(values.sum())
    expected = total**2 - int(values @ values)
    return 1 - observed * (total - 1) / expected if expected else float("nan")


def _one_minus_ratio(observed: FloatArray, expected: FloatArray, total: FloatArray) -> FloatArray:
    """Give 1 - (observed / n) / (expected / (n (n-1))), NaN where nothing was expected."""
    defined = expected > 1e-9 * np.maximum(total, 1)
    result = np.full(expected.shape, np.nan)
    ratio = observed[defined] * (total[defined] - 1) / expected[defined]
    result[defined] = 1 - ratio
    return result
