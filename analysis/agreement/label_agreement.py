"""Agreement on sets label by label: whether an answer holds the label, all labels at once."""

from __future__ import annotations

import numpy as np

from analysis.agreement.answer_table import AnswerTable, of_kinds
from analysis.agreement.chance_corrected import corrected
from analysis.agreement.exact import ratio
from analysis.array_types import BoolArray, FloatArray


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
