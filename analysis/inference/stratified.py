"""Strata weighed equally, or as the whole test set weighs them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.array_types import FloatArray, IntArray
from analysis.undefined import Undefined


@dataclass(frozen=True)
class StratifiedMean:
    """A weighted mean over strata with its variance and degrees of freedom.

    A stratum of n_h questions brings n_h - 1 degrees, and none where all its questions were asked:
    with none at all nothing is left to vary.
    """

    estimate: float
    variance: float
    degrees: int
    n_questions: int


def balanced_mean(values: FloatArray, strata: IntArray) -> StratifiedMean | Undefined:
    """Average the strata's means, each weighing the same: θ = Σ_h ȳ_h / H.

    Variance Σ_h s_h² / (n_h H²): the target is a benchmark of infinitely many questions with the
    same number in each stratum.

    Parameters
    ----------
    values : float, shape (n,), a value for each question: its mean score, or a difference
    strata : int, shape (n,)

    Returns
    -------
    StratifiedMean, or Undefined when a stratum has a single question.

    References
    ----------
    Cochran (1977), Sampling Techniques, 5.3-5.6.

    Examples
    --------
    >>> found = balanced_mean(np.array([1.0, 0.0, 1.0, 1.0]), np.array([0, 0, 1, 1]))
    >>> found.estimate, found.variance
    (0.75, 0.0625)
    """
    names = np.unique(strata)
    return _weighted(values, strata, np.full(names.size, 1 / names.size), np.zeros(names.size))


def population_weighted_mean(
    values: FloatArray, strata: IntArray, population: IntArray
) -> StratifiedMean | Undefined:
    """Average the strata's means weighed as in the whole test set: θ = Σ_h (N_h/N) ȳ_h.

    Variance Σ_h W_h² (1 - n_h/N_h) s_h²/n_h: the target is this test set itself, of which the
    sample already is a part.

    Parameters
    ----------
    values, strata : float and int, shape (n,)
    population : int, shape (H,), N_h for the strata in ascending order, each at least n_h

    Examples
    --------
    >>> found = population_weighted_mean(
    ...     np.array([1.0, 0.0, 1.0, 1.0]), np.array([0, 0, 1, 1]), np.array([2, 6]))
    >>> found.estimate, found.variance
    (0.875, 0.0)
    """
    sizes = np.unique(strata, return_counts=True)[1]
    return _weighted(values, strata, population / population.sum(), sizes / population)


def _weighted(
    values: FloatArray, strata: IntArray, weights: FloatArray, sampled: FloatArray
) -> StratifiedMean | Undefined:
    codes = np.unique(strata, return_inverse=True)[1]
    sizes = np.bincount(codes)
    open_strata = (sizes == 1) & (sampled < 1)
    if open_strata.any():
        count = int(open_strata.sum())
        return Undefined(f"{count} strata with a single question: no variance within them")
    means = np.bincount(codes, weights=values) / sizes
    squares = np.bincount(codes, weights=(values - means[codes]) ** 2)
    spread = squares / np.maximum(sizes - 1, 1)
    variance = float(np.sum(weights**2 * (1 - sampled) * spread / sizes))
    degrees = int(np.sum((sizes - 1)[sampled < 1]))
    return StratifiedMean(float(np.sum(weights * means)), variance, degrees, int(values.size))
