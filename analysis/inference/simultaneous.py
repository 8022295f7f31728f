"""Intervals that hold together: one critical value for all categories, or all collections.

Many tests at once: adjusted p-values, the undefined ones left out and said so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from analysis.arrays import FloatArray


@dataclass(frozen=True)
class SimultaneousCritical:
    """The critical value, on the normal scale, that holds for all groups at once."""

    critical: float
    n_groups: int
    method: str

    def level(self) -> float:
        """Give the level of a single interval with this critical value, for Student's t.

        >>> round(SimultaneousCritical(1.959964, 1, "max-t").level(), 4)
        0.95
        """
        return 2 * float(stats.norm.cdf(self.critical)) - 1


def max_t_critical(replicates: FloatArray, level: float) -> SimultaneousCritical:
    """Find c such that all |θ*_g - θ̄*_g| / se*_g are at most c in a share `level` of resamples.

    Never below the critical value of a single interval. Where some group never varies, its error
    is unknown, not zero: then c is Bonferroni's over all groups.

    Parameters
    ----------
    replicates : float, shape (B, G), the groups' estimates under shared resamples
    level : such as 0.95

    References
    ----------
    Westfall and Young (1993), Resampling-Based Multiple Testing, section 2.5.

    Examples
    --------
    >>> stream = np.random.default_rng(3)
    >>> one = max_t_critical(stream.normal(size=(100_000, 1)), 0.95).critical
    >>> eight = max_t_critical(stream.normal(size=(100_000, 8)), 0.95).critical
    >>> round(one, 1), round(eight, 1)  # independent groups: the normal quantile at .95^(1/8)
    (2.0, 2.7)
    """
    spread = replicates.std(axis=0)
    if not (spread > 1e-10).all():
        return bonferroni_critical(replicates.shape[1], level)
    largest = np.max(np.abs(replicates - replicates.mean(axis=0)) / spread, axis=1)
    single = float(stats.norm.ppf((1 + level) / 2))
    critical = max(float(np.quantile(largest, level)), single)
    return SimultaneousCritical(critical, replicates.shape[1], "max-t")


def bonferroni_critical(n_groups: int, level: float) -> SimultaneousCritical:
    """Give the normal quantile at 1 - α/(2G), safe whatever the dependence.

    >>> round(bonferroni_critical(8, 0.95).critical, 4)
    2.7344
    """
    critical = float(stats.norm.ppf(1 - (1 - level) / (2 * n_groups)))
    return SimultaneousCritical(critical, n_groups, "Bonferroni")


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Adjust p-values by Holm's step-down rule; an undefined test (None) still counts.

    p_(k) times (m - k + 1), made monotone and at most 1, with m the number of all tests that
    were planned: leaving undefined ones out of m would make the others look better.

    References
    ----------
    Holm (1979), Scandinavian Journal of Statistics 6(2).

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    >>> holm([0.01, None])
    [0.02, None]
    """
    m = len(p_values)
    adjusted: list[float | None] = [None] * m
    defined = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    largest = 0.0
    for rank, (p, place) in enumerate(defined):
        largest = max(largest, min(1.0, p * (m - rank)))
        adjusted[place] = largest
    return adjusted


def benjamini_yekutieli(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values for the false discovery rate under any dependence.

    References
    ----------
    Benjamini and Yekutieli (2001), Annals of Statistics 29(4), theorem 1.3.

    Examples
    --------
    >>> [round(p, 4) for p in benjamini_yekutieli([0.01, 0.04, 0.03])]  # times 1 + 1/2 + 1/3
    [0.055, 0.0733, 0.0733]
    """
    p = np.asarray(p_values, dtype=np.float64)
    m = p.size
    harmonic = float(np.sum(1 / np.arange(1, m + 1)))
    order = np.argsort(p, kind="stable")
    stepped = p[order] * m * harmonic / np.arange(1, m + 1)
    monotone = np.minimum(1.0, np.minimum.accumulate(stepped[::-1])[::-1])
    adjusted = np.empty(m)
    adjusted[order] = monotone
    return [float(value) for value in adjusted]
