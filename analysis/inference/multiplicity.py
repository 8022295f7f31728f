"""Many tests at once: adjusted p-values, the undefined ones left out and said so."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


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
