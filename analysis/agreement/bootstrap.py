"""A coefficient with its bootstrap interval, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from scipy import stats

from analysis.agreement.answer_table import AnswerTable
from analysis.arrays import FloatArray, Undefined
from analysis.inference.resampling import affordable_resamples, bootstrap_limits, draw_counts
from sampling.draw.limits import wilson_limits

Statistic: TypeAlias = Callable[[FloatArray], FloatArray]  # weights (B, U) to values (B,)

MOST_UNDEFINED = 0.05  # of the resamples, before an interval would speak of the others only


@dataclass(frozen=True)
class Coefficient:
    """A coefficient of agreement and the limits of its interval for new questions (T2)."""

    value: float | Undefined
    limits: tuple[float, float] | Undefined


@dataclass(frozen=True)
class BootstrappedAgreement:
    """Coefficients by name, and the replicates (B,) each one's interval was read from."""

    coefficients: Mapping[str, Coefficient]
    replicates: Mapping[str, FloatArray]


def bootstrap_agreement(
    table: AnswerTable,
    statistics: Mapping[str, Statistic],
    resamples: int,
    generator: np.random.Generator,
    level: float,
) -> BootstrappedAgreement:
    """Evaluate statistics and bootstrap them over questions, all from the same draws.

    n - 1 of n questions are drawn and rescaled (Rao and Wu 1988).

    Parameters
    ----------
    table : U kinds of question
    statistics : functions of question weights (B, U); NaN means not defined
    resamples : B; 0 gives values without limits
    """
    points = {name: float(found(table.point_weights)[0]) for name, found in statistics.items()}
    replicates = _replicates(table, statistics, resamples, generator)
    reason = why_undefined(table)
    coefficients = {}
    for name, point in points.items():
        if np.isnan(point):
            coefficients[name] = Coefficient(Undefined(reason), Undefined(reason))
        else:
            limits = replicate_limits(point, replicates[name], level)
            coefficients[name] = Coefficient(point, limits)
    return BootstrappedAgreement(coefficients, replicates)


def replicate_limits(
    value: float, replicates: FloatArray, level: float
) -> tuple[float, float] | Undefined:
    """Read limits off replicates, unless they never vary or are often undefined."""
    defined = replicates[~np.isnan(replicates)]
    if replicates.size == 0:
        return Undefined("no resamples were asked for")
    if defined.size < (1 - MOST_UNDEFINED) * replicates.size:
        return Undefined("not defined in more than 5 % of the resamples")
    if np.ptp(defined) < 1e-12:
        return Undefined("no variation between questions")
    return bootstrap_limits(value, defined, level)


def share_limits(
    value: float, limits: tuple[float, float] | Undefined, n_questions: int, level: float
) -> tuple[float, float] | Undefined:
    """Give Wilson's limits to a share of 0 or 1, which no resample can move.

    Other limits are kept within 0 and 1.

    >>> share_limits(1.0, Undefined("no variation between questions"), 32, 0.95)[1]
    1.0
    """
    if isinstance(limits, Undefined) and n_questions > 0 and value in {0.0, 1.0}:
        return wilson_limits(value, n_questions, float(stats.norm.ppf((1 + level) / 2)))
    if isinstance(limits, Undefined):
        return limits
    return max(limits[0], 0.0), min(limits[1], 1.0)


def why_undefined(table: AnswerTable) -> str:
    """Say why a coefficient has no value for these answers."""
    paired = table.valid >= 2
    if not paired.any():
        return "no question has two valid answers"
    used = np.count_nonzero(table.multiplicity[paired] @ table.counts[paired])
    if used < 2:
        return "every answer was the same: agreement by chance would be complete"
    return "no variation that the coefficient could measure"


def _replicates(
    table: AnswerTable,
    statistics: Mapping[str, Statistic],
    resamples: int,
    generator: np.random.Generator,
) -> dict[str, FloatArray]:
    if table.n_questions < 2 or resamples == 0:
        return {name: np.zeros(0) for name in statistics}
    one_stratum = np.zeros(table.multiplicity.size, dtype=np.int64)
    affordable = affordable_resamples(resamples, table.multiplicity.size)
    parts: dict[str, list[FloatArray]] = {name: [] for name in statistics}
    for weights in draw_counts(table.multiplicity, one_stratum, affordable, generator):
        for name, statistic in statistics.items():
            parts[name].append(statistic(weights))
    return {name: np.concatenate(found) for name, found in parts.items()}
