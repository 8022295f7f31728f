"""How long answers took: medians and quartiles, for a few very long ones are not the rule."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.array_types import FloatArray
from analysis.undefined import Undefined


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
