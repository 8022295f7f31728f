"""Intervals that hold together: one critical value for all categories, or all collections."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from analysis.array_types import FloatArray


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
