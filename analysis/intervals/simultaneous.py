"""Intervals that hold together: one critical value for all categories, or all collections."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from analysis.array_types import FloatArray


@dataclass(frozen=True)
class SimultaneousCritical:
    """The largest standardised error over the groups, at a level, and how it was found."""

    critical: float
    resamples: int
    n_groups: int

    def for_degrees(self, degrees: int) -> float:
        """Carry the normal-scale critical value over to Student's t with few clusters.

        >>> round(SimultaneousCritical(1.959964, 10_000, 1).for_degrees(31), 4)
        2.0395
        """
        return float(stats.t.ppf(stats.norm.cdf(self.critical), degrees))


def max_t_critical(replicates: FloatArray, level: float) -> SimultaneousCritical:
    """Find c such that all |θ*_g - θ̄*_g| / se*_g are at most c in a share `level` of resamples.

    Groups that never vary cannot err and are left out; with no group that varies c is the
    ordinary normal quantile.

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
    moving = spread > 1e-10
    if not moving.any():
        return SimultaneousCritical(float(stats.norm.ppf((1 + level) / 2)), replicates.shape[0], 0)
    centred = replicates[:, moving] - replicates[:, moving].mean(axis=0)
    largest = np.max(np.abs(centred) / spread[moving], axis=1)
    critical = float(np.quantile(largest, level))
    return SimultaneousCritical(critical, replicates.shape[0], int(moving.sum()))
