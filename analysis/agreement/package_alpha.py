"""The `krippendorff` package as a second opinion on alpha; nothing else imports it."""

from __future__ import annotations

from typing import Any

import krippendorff
import numpy as np

from analysis.agreement.answer_table import AnswerTable
from analysis.arrays import FloatArray, Undefined

MOST_CELLS = 4_000_000  # the package holds several arrays of questions x values x values


def package_alpha(table: AnswerTable, distance: FloatArray | None) -> float | Undefined:
    """Compute alpha with the published package, through whole counts only.

    Raw labels are never passed: in an array of texts the package takes the label `nan` for a
    missing answer, and objects or booleans make it fail.

    Parameters
    ----------
    table : the answers
    distance : δ, float, shape (V, V), or None for the package's own ordinal distance

    Returns
    -------
    float, or Undefined where all answers are at distance zero or the table is too large for it

    Examples
    --------
    >>> from analysis.agreement.answer_table import answer_table
    >>> from analysis.agreement.distances import nominal_distance
    >>> table = answer_table(np.array([0, 0, 1, 1, 2, 2]), np.array([0, 0, 1, 1, 0, 1]), "ab")
    >>> round(package_alpha(table, nominal_distance(2)), 4)
    0.4444
    """
    counts = np.repeat(table.counts, table.multiplicity, axis=0).astype(np.int64)
    paired = counts[counts.sum(axis=1) >= 2]
    values = np.flatnonzero(paired.sum(axis=0))
    if values.size < 2:
        return Undefined("every answer was the same, or no question has two answers")
    if paired.shape[0] * counts.shape[1] ** 2 > MOST_CELLS:
        return Undefined("too large for the package")
    if distance is None:
        return _call(counts, "ordinal")
    if not distance[np.ix_(values, values)].any():
        return Undefined("all answers are at distance zero")

    def metric(
        v1: FloatArray,
        v2: FloatArray,
        i1: np.ndarray,
        i2: np.ndarray,
        n_v: FloatArray,
        dtype: type = np.float64,
    ) -> FloatArray:
        looked_up: FloatArray = distance[i1, i2].astype(dtype)
        return looked_up

    return _call(counts, metric)


def _call(counts: np.ndarray, level: Any) -> float:
    return float(krippendorff.alpha(value_counts=counts, level_of_measurement=level))
