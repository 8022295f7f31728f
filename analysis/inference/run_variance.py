"""How much a model's mean over several runs would move with other runs of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from scipy import stats

from analysis.arrays import FloatArray, IntArray, Undefined
from analysis.inference.crossed import variance_components
from analysis.inference.interval import Interval
from analysis.inference.scored_responses import ScoredResponses, dense_codes


@dataclass(frozen=True)
class RunVariance:
    """What other runs add to the variance of the mean over R runs, beyond that by question.

    `variance` is B in squared score units, `n_runs` R.
    """

    variance: float
    n_runs: int


def run_variance(runs: FloatArray, clusters: IntArray, group: IntArray | None) -> RunVariance:
    """Estimate what the runs differ by as wholes, with the questions taken off.

    Runs are to a model what people are to the human mean: they cross the questions. That the
    answers to one question differ from run to run is in the variance of the questions' means
    already; a run that is better or worse throughout (another prompt order, another seed) is not,
    and moves all questions together.

    Parameters
    ----------
    runs : float, shape (R, n), NaN where a run gave no answer; every question has one or more
    clusters : int, shape (n,)
    group : int, shape (n,), where the mean is that of groups' means

    Returns
    -------
    RunVariance
        B = max(0, σ_run² (Σ_r (n_r/N)² - 1/N)); 0 for a single run, or where the runs share no
        question and nothing can be said.

    References
    ----------
    Miller (2024), arXiv 2411.00640, section 3.1, for the variance within questions; Searle, Casella
    and McCulloch (1992), Variance Components, 5.3, for that of the runs.

    Examples
    --------
    >>> two = np.array([[1.0, 1.0, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0]])
    >>> run_variance(two, np.arange(4), None)  # σ_run² 0.5, times 1/2 - 1/8
    RunVariance(variance=0.1875, n_runs=2)
    """
    run, question = np.nonzero(~np.isnan(runs))
    if runs.shape[0] < 2 or not run.size:
        return RunVariance(0.0, runs.shape[0])
    responses = ScoredResponses(
        score=runs[run, question],
        question=dense_codes(question.astype(np.int64)),
        participant=dense_codes(run.astype(np.int64)),
        image=clusters,
        group=group,
    )
    found = variance_components(responses)
    extra = 0.0 if isinstance(found, Undefined) else found.participant_variance_of_mean
    return RunVariance(extra, runs.shape[0])


def with_runs(
    interval: Interval | Undefined,
    runs: tuple[RunVariance, ...],
    degrees: int,
    level: float,
    bounds: tuple[float, float] = (0.0, 1.0),
) -> Interval | Undefined:
    """Widen an interval by what other runs of the models in it would add.

    Both sides become longer by the ratio of √(A + B) to √A and of their t quantiles, with
    Satterthwaite's degrees of freedom for A + B: it keeps the shape of whatever interval it is.

    Parameters
    ----------
    interval : its `standard_error` is √A
    runs : one for each model with several runs
    degrees : those of A
    bounds : of what is estimated

    Examples
    --------
    >>> from analysis.inference.interval import Target
    >>> known = Interval(0.5, 0.4, 0.6, Target.T2, "t", 0.05)
    >>> wider = with_runs(known, (RunVariance(0.0025, 1001),), 1000, 0.95)
    >>> round(wider.high, 3), round(wider.standard_error, 4)  # by the root of 2
    (0.641, 0.0707)
    """
    extra = sum(one.variance for one in runs)
    if isinstance(interval, Undefined) or extra <= 0:
        return interval
    own = interval.standard_error**2
    upper = (1 + level) / 2
    fewest = min(one.n_runs for one in runs if one.variance > 0) - 1
    pooled = satterthwaite_degrees((own, extra), (degrees, fewest))
    longer = 1.0
    if own <= 0:
        half = float(stats.t.ppf(upper, pooled)) * math.sqrt(extra)
        sides = (half, half)
    else:
        longer = math.sqrt(1 + extra / own)
        longer *= float(stats.t.ppf(upper, pooled) / stats.t.ppf(upper, degrees))
        sides = (
            (interval.estimate - interval.low) * longer,
            (interval.high - interval.estimate) * longer,
        )
    compared = interval.comparison
    if compared is not None:
        compared = None if own <= 0 else replace(compared, longer=compared.longer * longer)
    return replace(
        interval,
        comparison=compared,
        low=max(bounds[0], interval.estimate - sides[0]),
        high=min(bounds[1], interval.estimate + sides[1]),
        method=f"{interval.method}, runs",
        standard_error=math.sqrt(own + extra),
    )


def satterthwaite_degrees(parts: tuple[float, float], degrees: tuple[int, int]) -> float:
    """Return the degrees of freedom of a sum of two variance estimates.

    (A+B)² / (A²/f_A + B²/f_B) (Satterthwaite 1946, Biometrics Bulletin 2(6)); those of the
    first part alone where both are zero.

    >>> satterthwaite_degrees((1.0, 1.0), (255, 7))
    27.25190839694657
    """
    total = sum(parts)
    if total <= 0:
        return float(degrees[0])
    pooled = sum(part**2 / count for part, count in zip(parts, degrees, strict=True))
    return float(total**2 / pooled)
