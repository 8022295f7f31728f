"""The sign-flip test: whether the differences could as well have had the other sign.

McNemar's exact test, for pairs of single answers only.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from analysis.arrays import FloatArray, IntArray

MOST_ENUMERATED = 20
TOLERANCE = 1e-9  # relative: sums that differ by rounding alone are ties


@dataclass(frozen=True)
class SignFlip:
    """A two-sided p-value, how many clusters it rests on, and whether every flip was tried.

    `below` is what p is known to be smaller than where no sampled flip was as extreme, so that p
    is the smallest that so many samples can give: the next larger one. None where p is a value.
    """

    p: float
    n_clusters: int
    exact: bool
    below: float | None = None

    @property
    def upper(self) -> float:
        """Return p, or at the floor what it is below."""
        return self.p if self.below is None else self.below


def sign_flip(
    differences: FloatArray, clusters: IntArray, resamples: int, generator: np.random.Generator
) -> SignFlip:
    """Test that differences are symmetric about zero, flipping whole clusters.

    T = |Σ_c D_c| with D_c the sum of a cluster's differences. Every pattern of signs is tried
    with at most 20 clusters whose sum is not zero: p is the share of patterns with T* at least T.
    Otherwise p = (1 + #{T* >= T}) / (B + 1), which is never below 1 / (B + 1): where no sample was
    as extreme, all that is known is that p is below 2 / (B + 1). Clusters of equal |D_c| are
    flipped together by one binomial draw, so that any number of questions costs the same.

    The hypothesis is exchangeability within a question, which is stronger than equal means; the
    interval of the gap speaks of the means.

    Parameters
    ----------
    differences : float, shape (n,)
    clusters : int, shape (n,), the image of each question
    resamples : B

    Returns
    -------
    SignFlip
        p = 1 where every difference is zero.

    References
    ----------
    Fisher (1935), The Design of Experiments, section 21; Phipson and Smyth (2010), Stat. Appl.
    Genet. Mol. Biol. 9(1), for the one that is added.

    Examples
    --------
    >>> four = sign_flip(np.ones(4), np.arange(4), 100, np.random.default_rng(1))
    >>> four.p, four.exact  # sixteen patterns, two as extreme
    (0.125, True)
    >>> many = sign_flip(np.ones(64), np.arange(64), 9_999, np.random.default_rng(1))
    >>> many.p, many.below  # two patterns of 2^64 are as extreme: none was drawn
    (0.0001, 0.0002)
    """
    sums = np.bincount(clusters, weights=differences)
    magnitudes = np.abs(sums[np.abs(sums) > 1e-12])
    total = abs(float(np.sum(sums)))
    threshold = total - TOLERANCE * max(1.0, float(magnitudes.sum()))
    if magnitudes.size <= MOST_ENUMERATED:
        extreme = int(np.count_nonzero(np.abs(_all_sums(magnitudes)) >= threshold))
        return SignFlip(extreme / 2**magnitudes.size, int(sums.size), True)
    drawn = _drawn_sums(magnitudes, resamples, generator)
    extreme = int(np.count_nonzero(np.abs(drawn) >= threshold))
    below = None if extreme else 2 / (resamples + 1)
    return SignFlip((1 + extreme) / (resamples + 1), int(sums.size), False, below)


def _all_sums(magnitudes: FloatArray) -> FloatArray:
    """List Σ ±D over all 2^m patterns of signs."""
    sums = np.zeros(1)
    for magnitude in magnitudes:
        sums = np.concatenate([sums - magnitude, sums + magnitude])
    return sums


def _drawn_sums(
    magnitudes: FloatArray, resamples: int, generator: np.random.Generator
) -> FloatArray:
    """Draw Σ ±D: m clusters of one size d give d (2 Binomial(m, 1/2) - m)."""
    sizes, counts = np.unique(np.round(magnitudes, 12), return_counts=True)
    sums = np.zeros(resamples)
    for size, count in zip(sizes, counts, strict=True):
        sums += size * (2 * generator.binomial(count, 0.5, size=resamples) - count)
    return sums


def mcnemar(only_first: int, only_second: int) -> float:
    """Give the two-sided exact p-value from the questions that one of two got right alone.

    Right for one answer against one answer, such as two models; on 768 responses of three
    people to a question it would count questions twice. p = 1 without a discordant question.

    References
    ----------
    McNemar (1947), Psychometrika 12(2).

    Examples
    --------
    >>> round(mcnemar(8, 2), 4), mcnemar(0, 0)
    (0.1094, 1.0)
    """
    discordant = only_first + only_second
    return float(stats.binomtest(only_first, discordant, 0.5).pvalue) if discordant else 1.0
