"""Bootstrap by counting: how often each distinct kind of question is drawn, never which.

Strata weighed equally, or as the whole test set weighs them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import stats

from analysis.arrays import FloatArray, IntArray, Undefined

DRAWS_AT_ONCE = 4_000_000
MANY_KINDS = 1_000
DRAWS_OF_MANY = 1_000_000
FEWEST_RESAMPLES = 200
FEWEST_FOR_PERCENTILES = 1_000


def affordable_resamples(resamples: int, n_kinds: int) -> int:
    """Lower the number of resamples where there are very many kinds of unit to draw.

    Up to a thousand kinds all are made; beyond, a million draws' worth, and 200 at least: with so
    many questions the normal shape of the errors is beyond doubt and only their size is sought.

    >>> [affordable_resamples(10_000, kinds) for kinds in (256, 2_000, 1_000_000)]
    [10000, 500, 200]
    """
    if n_kinds <= MANY_KINDS:
        return resamples
    return min(resamples, max(FEWEST_RESAMPLES, DRAWS_OF_MANY // n_kinds))


def merge_single_units(strata: IntArray) -> IntArray:
    """Put strata of one unit together, for nothing varies within one; with others if need be.

    >>> merge_single_units(np.array([0, 0, 1, 2])).tolist()
    [0, 0, 1, 1]
    >>> merge_single_units(np.array([0, 0, 0, 1, 1, 2])).tolist()
    [0, 0, 0, 1, 1, 1]
    """
    sizes = np.bincount(strata)
    single = np.flatnonzero(sizes == 1)
    if single.size == 0:
        return strata
    merged = np.where(np.isin(strata, single), single[0], strata)
    if single.size == 1 and np.count_nonzero(sizes) > 1:
        others = np.where(sizes > 1, sizes, sizes.max() + 1)
        merged = np.where(merged == single[0], int(np.argmin(others)), merged)
    return np.unique(merged, return_inverse=True)[1].astype(np.int64)


def draw_counts(
    multiplicity: IntArray,
    strata: IntArray,
    resamples: int,
    generator: np.random.Generator,
    rescaled: bool = True,
) -> Iterator[FloatArray]:
    """Draw bootstrap weights for the distinct kinds of unit, some resamples at a time.

    With `rescaled`, n_h - 1 units of a stratum of n_h are drawn and each counts n_h/(n_h - 1)
    times (Rao and Wu 1988, JASA 83(401)): drawing n_h of n_h would understate the variance by
    1/n_h, a quarter with four questions in a cell (Bickel and Freedman 1984).

    Parameters
    ----------
    multiplicity : int, shape (U,), how many units are of each kind
    strata : int, shape (U,), the stratum of each kind; those of one unit are merged beforehand

    Yields
    ------
    float, shape (b, U)
        Weights that sum to n_h in each stratum of two units or more.

    Examples
    --------
    >>> stream = np.random.default_rng(1)
    >>> next(draw_counts(np.array([3, 1]), np.array([0, 0]), 5, stream)).sum(axis=1).tolist()
    [4.0, 4.0, 4.0, 4.0, 4.0]
    """
    order = [np.flatnonzero(strata == stratum) for stratum in np.unique(strata)]
    at_once = max(1, DRAWS_AT_ONCE // max(multiplicity.size, 1))
    for start in range(0, resamples, at_once):
        rows = min(at_once, resamples - start)
        weights = np.empty((rows, multiplicity.size))
        for kinds in order:
            sizes = multiplicity[kinds]
            total = int(sizes.sum())
            drawn = total - 1 if rescaled and total > 1 else total
            counts = generator.multinomial(drawn, sizes / total, size=rows)
            weights[:, kinds] = counts * (total / drawn)
        yield weights


def distinct_kinds(rows: FloatArray, strata: IntArray) -> tuple[FloatArray, IntArray, IntArray]:
    """Find the distinct rows within strata: (rows, how many of each, the stratum of each).

    >>> distinct_kinds(np.array([[1.0], [0.0], [1.0]]), np.zeros(3, dtype=np.int64))[1].tolist()
    [1, 2]
    """
    keyed = np.column_stack([strata.astype(np.float64), rows])
    kinds, multiplicity = np.unique(keyed, axis=0, return_counts=True)
    return kinds[:, 1:], multiplicity.astype(np.int64), kinds[:, 0].astype(np.int64)


def resampled_totals(
    rows: FloatArray,
    strata: IntArray,
    resamples: int,
    generator: np.random.Generator,
    rescaled: bool = True,
) -> FloatArray:
    """Draw units with all that belongs to them and add up their rows.

    A unit is a question, or an image with all its questions; its row holds whatever sums a
    statistic needs, such as (Σ scores, number of responses, model score). Every column shares the
    same draws, so that differences and ratios of the totals are paired.

    Parameters
    ----------
    rows : float, shape (n, d)
    strata : int, shape (n,)
    resamples : B, lowered by `affordable_resamples` for very many kinds of row
    rescaled : draw n_h - 1 and rescale (see `draw_counts`), or the naive n_h of n_h

    Returns
    -------
    float, shape (B, d)

    Examples
    --------
    >>> stream = np.random.default_rng(7)
    >>> constant = resampled_totals(np.ones((4, 1)), np.zeros(4, dtype=np.int64), 3, stream)
    >>> constant.ravel().tolist()
    [4.0, 4.0, 4.0]
    """
    kinds, multiplicity, stratum = distinct_kinds(rows, merge_single_units(strata))
    affordable = affordable_resamples(resamples, multiplicity.size)
    drawn = draw_counts(multiplicity, stratum, affordable, generator, rescaled)
    return np.concatenate([weights @ kinds for weights in drawn])


def resampled_means(
    values: FloatArray, resamples: int, generator: np.random.Generator
) -> FloatArray:
    """Draw n of n questions with replacement and average them: the plain question bootstrap.

    Exact for any n in the time of the few distinct values: the number of times each value is
    drawn is multinomial.

    Parameters
    ----------
    values : float, shape (n,), the mean score of each question

    Returns
    -------
    float, shape (B,)
    """
    distinct, multiplicity = np.unique(values, return_counts=True)
    counts = generator.multinomial(values.size, multiplicity / values.size, size=resamples)
    means: FloatArray = counts @ distinct / values.size
    return means


def bootstrap_limits(estimate: float, replicates: FloatArray, level: float) -> tuple[float, float]:
    """Give the equal-tailed percentile limits of bootstrap replicates.

    With fewer than a thousand replicates their tails are too rough to read off: then estimate
    ± z times their standard deviation.

    >>> bootstrap_limits(50.0, np.arange(1001.0) / 10, 0.5)
    (25.0, 75.0)
    >>> low, high = bootstrap_limits(0.5, np.array([0.4, 0.6]), 0.95)
    >>> round(low, 4), round(high, 4)
    (0.2228, 0.7772)
    """
    if replicates.size < FEWEST_FOR_PERCENTILES:
        half = float(stats.norm.ppf((1 + level) / 2) * replicates.std(ddof=1))
        return estimate - half, estimate + half
    tail = (1 - level) / 2
    low, high = np.quantile(replicates, [tail, 1 - tail])
    return float(low), float(high)


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
