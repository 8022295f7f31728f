"""Two one-sided tests: whether a difference is small enough to call two things equal."""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy import stats

from analysis.array_types import FloatArray, IntArray
from analysis.inference.cluster import cluster_variance
from analysis.inference.interval import NEGLIGIBLE
from analysis.undefined import Undefined


@dataclass(frozen=True)
class Equivalence:
    """The outcome of two one-sided tests at α.

    `low` and `high` are the limits at 1 - 2α: equivalence is claimed where they lie within
    (-margin, margin), which is where `p` is below α.
    """

    estimate: float
    margin: float
    low: float
    high: float
    p_lower: float
    p_upper: float
    equivalent: bool

    @property
    def p(self) -> float:
        return max(self.p_lower, self.p_upper)


def equivalence_test(
    estimate: float,
    contributions: FloatArray,
    clusters: IntArray,
    margin: float,
    alpha: float,
    group: IntArray | None = None,
) -> Equivalence | Undefined:
    """Test that a paired difference lies within a margin declared beforehand.

    Rejects where (d + δ)/SE > t and (d - δ)/SE < -t, SE clustered. A difference that is not
    significant is no evidence of equality; this is.

    Parameters
    ----------
    estimate, contributions, clusters : the difference, its parts (n,) and their clusters (n,)
    margin : δ, a share: two points are 0.02
    alpha : such as 0.05
    group : int, shape (n,), where the difference is a mean of groups' means

    References
    ----------
    Schuirmann (1987), J. Pharmacokinet. Biopharm. 15(6).

    Examples
    --------
    >>> import numpy as np
    >>> spread = np.array([0.1, -0.1] * 50) / 100
    >>> found = equivalence_test(0.0, spread, np.arange(100), 0.02, 0.05)
    >>> found.equivalent, round(found.high, 4)
    (True, 0.0167)
    """
    found = cluster_variance(contributions, clusters, group)
    if isinstance(found, Undefined):
        return found
    if found.variance < NEGLIGIBLE:
        return Undefined("no variation between questions: a test has nothing to go by")
    error = math.sqrt(found.variance)
    degrees = found.degrees
    half = float(stats.t.ppf(1 - alpha, degrees)) * error
    lower = float(stats.t.sf((estimate + margin) / error, degrees))
    upper = float(stats.t.cdf((estimate - margin) / error, degrees))
    return Equivalence(
        estimate=estimate,
        margin=margin,
        low=estimate - half,
        high=estimate + half,
        p_lower=lower,
        p_upper=upper,
        equivalent=max(lower, upper) < alpha,
    )
