"""Exact means of scores that are kept as floats: each score is a ratio of small whole numbers.

Percentages as they are printed: two decimals, rounded half up, from exact fractions.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

DECIMALS = 2


def percent(fraction: Fraction, decimals: int = DECIMALS) -> str:
    """Print a fraction as a percentage, rounded half up (a tie goes away from zero).

    Binary floating point cannot do this: 29/32 is 90.625 %, which every float formatter prints
    as 90.62. Only integers are used here.

    Parameters
    ----------
    fraction : Fraction
        A share, or a difference of shares: 1 is 100 %.
    decimals : int
        Digits after the point.

    Returns
    -------
    str
        For example `"87.50"`. Nothing is printed as `-0.00`.

    Examples
    --------
    >>> percent(Fraction(29, 32)), percent(Fraction(672, 768)), percent(Fraction(1))
    ('90.63', '87.50', '100.00')
    >>> percent(Fraction(-1, 32)), percent(Fraction(-1, 1_000_000))
    ('-3.13', '0.00')
    """
    scale = 10**decimals
    scaled = abs(fraction) * 100 * scale
    units = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    sign = "-" if fraction < 0 and units else ""
    whole, rest = divmod(units, scale)
    return f"{sign}{whole}.{rest:0{decimals}d}" if decimals else f"{sign}{whole}"


def percent_or_empty(fraction: Fraction | None) -> str:
    """Print a percentage, or nothing where it does not apply.

    >>> percent_or_empty(None)
    ''
    """
    return "" if fraction is None else percent(fraction)


LARGEST_DENOMINATOR = 1_000_000


def exact_fraction(score: float) -> Fraction:
    """Give the ratio of small whole numbers that a float64 score was rounded from.

    Two different ratios with denominators up to 10^6 are at least 10^-12 apart, ten thousand
    times the rounding of a float64 in [0, 1], so the ratio is found without doubt. Scores are
    such ratios: F1 of label sets is 2|A∩B| / (|A|+|B|), Jaccard |A∩B| / |A∪B|.

    >>> exact_fraction(2 / 3), exact_fraction(1.0)
    (Fraction(2, 3), Fraction(1, 1))
    """
    return Fraction(float(score)).limit_denominator(LARGEST_DENOMINATOR)


def exact_sum(scores: ArrayLike) -> Fraction:
    """Add float64 scores as the exact fractions they stand for; NaN counts as absent.

    Equal scores are counted first, so that a million rows cost a few fractions.

    Parameters
    ----------
    scores : array_like of float, shape (n,)

    Returns
    -------
    Fraction
        0 for no scores.

    Examples
    --------
    >>> exact_sum([1 / 3, 1 / 3, 1 / 3, float("nan")])
    Fraction(1, 1)
    """
    values = np.asarray(scores, dtype=np.float64)
    distinct, counts = np.unique(values[~np.isnan(values)], return_counts=True)
    numerators: defaultdict[int, int] = defaultdict(int)
    for value, count in zip(distinct.tolist(), counts.tolist(), strict=True):
        fraction = exact_fraction(value)
        numerators[fraction.denominator] += fraction.numerator * count
    parts = (Fraction(numerator, denominator) for denominator, numerator in numerators.items())
    return sum(parts, Fraction(0))


def exact_mean(scores: ArrayLike) -> Fraction | None:
    """Average float64 scores exactly; None when there is nothing to average.

    >>> exact_mean([1.0, 0.0, 2 / 3])
    Fraction(5, 9)
    >>> exact_mean([float("nan")]) is None
    True
    """
    values = np.asarray(scores, dtype=np.float64)
    count = int(np.count_nonzero(~np.isnan(values)))
    return exact_sum(values) / count if count else None


def exact_mean_of_groups(scores: pd.Series[float], groups: pd.Series[str]) -> Fraction | None:
    """Average the groups' own averages, every group weighing the same.

    Groups without a score are left out; None when no group has one.

    >>> exact_mean_of_groups(pd.Series([1.0, 1.0, 0.0]), pd.Series(["a", "a", "b"]))
    Fraction(1, 2)
    """
    means = [exact_mean(part) for _, part in scores.groupby(groups, sort=True)]
    defined = [mean for mean in means if mean is not None]
    return sum(defined, Fraction(0)) / len(defined) if defined else None


def exact_question_means(
    scores: pd.Series[float], questions: pd.Series[str], groups: pd.Series[str]
) -> dict[str, Fraction]:
    """Average each question's scores, then the questions of each group, exactly.

    Parameters
    ----------
    scores, questions, groups : Series of the same length and index
        NaN scores count as absent.

    Returns
    -------
    dict of group to mean
        Groups without a score are left out.

    Examples
    --------
    >>> exact_question_means(
    ...     pd.Series([1.0, 0.0, 1.0]), pd.Series(["q1", "q1", "q2"]), pd.Series(["g"] * 3))
    {'g': Fraction(3, 4)}
    """
    known = scores.notna().to_numpy()
    kept, ids, names = scores[known], questions[known], groups[known]
    sizes = kept.groupby(ids).transform("size")
    totals: defaultdict[str, Fraction] = defaultdict(Fraction)
    counts: defaultdict[str, int] = defaultdict(int)
    for size in sorted(set(sizes.tolist())):
        alike = sizes == size
        for group, part in kept[alike].groupby(names[alike], sort=True):
            totals[str(group)] += exact_sum(part) / int(size)
            counts[str(group)] += len(part) // int(size)
    return {group: total / counts[group] for group, total in totals.items()}
