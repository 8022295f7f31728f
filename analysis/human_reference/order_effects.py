"""Whether scores drift: by position, by session, and when an image is seen again.

How long answers took: medians and quartiles, for a few very long ones are not the rule.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from analysis.arrays import BoolArray, FloatArray, IntArray, Undefined
from analysis.inference.cluster import cluster_variance
from analysis.inference.interval import NEGLIGIBLE


@dataclass(frozen=True)
class Duration:
    """The median and the quartiles of some times in seconds, and how many were known."""

    n: int
    median: float
    lower_quartile: float
    upper_quartile: float


def durations(seconds: FloatArray) -> Duration | Undefined:
    """Summarise times; unknown ones (NaN) and negative ones, which no clock gives, are left out.

    Quartiles by linear interpolation (Hyndman and Fan 1996, type 7).

    >>> durations(np.array([10.0, 20.0, 30.0, np.nan, -1.0]))
    Duration(n=3, median=20.0, lower_quartile=15.0, upper_quartile=25.0)
    """
    known = seconds[seconds >= 0]
    if known.size == 0:
        return Undefined("no times were recorded")
    low, middle, high = np.quantile(known, [0.25, 0.5, 0.75])
    return Duration(int(known.size), float(middle), float(low), float(high))


@dataclass(frozen=True)
class Effect:
    """A change of score, with the limits of its interval for new questions (T2)."""

    estimate: float
    low: float
    high: float
    n: int


def within_participant_slope(
    score: FloatArray,
    predictor: FloatArray,
    participant: IntArray,
    clusters: IntArray,
    level: float,
) -> Effect | Undefined:
    """Regress scores on a predictor within participants, with clustered errors.

    A linear probability model with an intercept for each person: β = Σ x̃ s̃ / Σ x̃², both centred
    within persons; Var(β) = G/(G-1) Σ_g (Σ_{i in g} x̃ e)² / (Σ x̃²)². Responses whose predictor
    is NaN are left out.

    Parameters
    ----------
    score, predictor : float, shape (N,)
    participant : int, shape (N,)
    clusters : int, shape (N,), the question of each response, or its image
    level : such as 0.95

    Returns
    -------
    Effect, or Undefined where the predictor does not vary within any person, nothing remains,
        or nothing varies about the slope

    References
    ----------
    Liang and Zeger (1986), Biometrika 73(1), for the clustered (sandwich) variance.

    Examples
    --------
    >>> found = within_participant_slope(
    ...     np.array([1.0, 1.0, 0.0, 0.0]), np.array([1.0, 2.0, 3.0, 4.0]),
    ...     np.zeros(4, dtype=np.int64), np.arange(4), 0.95)
    >>> round(found.estimate, 4)
    -0.4
    """
    known = ~np.isnan(predictor)
    if known.sum() < 3:
        return Undefined("fewer than three responses with a known position")
    x = _centred(predictor[known], participant[known])
    y = _centred(score[known], participant[known])
    spread = float(np.sum(x**2))
    if spread < 1e-9:
        return Undefined("it does not vary within any participant")
    slope = float(np.sum(x * y)) / spread
    codes = np.unique(clusters[known], return_inverse=True)[1].astype(np.int64)
    found = cluster_variance(x * (y - slope * x) / spread, codes)
    if isinstance(found, Undefined):
        return found
    if found.variance < NEGLIGIBLE:
        return Undefined("scores vary in no other way: an interval of width zero means nothing")
    half = float(stats.t.ppf((1 + level) / 2, found.degrees)) * math.sqrt(found.variance)
    return Effect(slope, slope - half, slope + half, int(known.sum()))


def repeated_views(participant: IntArray, image: IntArray, position: FloatArray) -> BoolArray:
    """Tell which responses are to an image that the person had seen in an earlier question.

    Parameters
    ----------
    participant, image, position : shape (N,); an unknown position is no repeat

    Examples
    --------
    >>> repeated_views(np.array([0, 0, 0]), np.array([5, 6, 5]), np.array([2.0, 1.0, 3.0])).tolist()
    [False, False, True]
    """
    frame = pd.DataFrame({"participant": participant, "image": image, "position": position})
    first = frame.groupby(["participant", "image"])["position"].transform("min")
    repeated: BoolArray = (frame["position"] > first).to_numpy()
    return repeated


def _centred(values: FloatArray, participant: IntArray) -> FloatArray:
    codes = np.unique(participant, return_inverse=True)[1]
    means = np.bincount(codes, weights=values) / np.bincount(codes)
    centred: FloatArray = values - means[codes]
    return centred
