"""How much a model's mean over several runs would move with other runs of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np
from scipy import stats

from analysis.arrays import FloatArray, IntArray, Undefined
from analysis.inference.crossed import variance_components
from analysis.inference.interval import Interval
from analysis.inference.scored_responses import ScoredResponses, dense_codes
from sampling.draw.limits import ErrorLaw, law_for_new_people

LEAST_VARIANCE = 1e-12  # of questions that do not vary, where a law needs some


@dataclass(frozen=True)
class RunVariance:
    """What other runs add to the variance of the mean over R runs, beyond that by question.

    `variance` is B in squared score units, `n_runs` R; `spread` S is the runs' mean square, which
    estimates σ_run² + E with R - 1 degrees of freedom, `error` E, and `share` what σ_run² adds.
    """

    variance: float
    n_runs: int
    spread: float = 0.0
    error: float = 0.0
    share: float = 0.0


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
    RunVariance(variance=0.1875, n_runs=2, spread=0.5, error=0.0, share=0.375)
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
    if isinstance(found, Undefined):
        return RunVariance(0.0, runs.shape[0])
    return RunVariance(
        found.participant_variance_of_mean,
        found.n_participants,
        found.participant_spread,
        found.participant_error,
        max(0.0, found.participant_share),
    )


def with_runs(
    interval: Interval | Undefined,
    runs: tuple[RunVariance, ...],
    degrees: int,
    level: float,
    bounds: tuple[float, float] = (0.0, 1.0),
) -> Interval | Undefined:
    """Widen an interval by what other runs of the models in it would add.

    Both sides become longer by one ratio, so that it keeps the shape of whatever interval it is:
    that of two half-widths, the quantile of the error's law with the runs' part to √A times its t
    quantile. What B can be, given few runs, is its generalized distribution, as for new people: a
    B that is estimated as zero from two or three runs says little, and the interval widens too.

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
    >>> many = RunVariance(0.0025, 1001, 0.0025, 0.0, 1.0)
    >>> wider = with_runs(known, (many,), 1000, 0.95)
    >>> round(wider.high, 2), round(wider.standard_error, 4)  # by the root of 2
    (0.64, 0.0707)

    References
    ----------
    Weerahandi (1993), JASA 88(423); Hannig, Iyer and Patterson (2006), JASA 101(473).
    """
    told = [one for one in runs if one.share > 0 and one.spread > 0]
    if isinstance(interval, Undefined) or not told:
        return interval
    own = interval.standard_error**2
    upper = (1 + level) / 2
    questions = max(own, LEAST_VARIANCE)
    first, *others = (
        law_for_new_people(questions, degrees, one.spread, one.error, one.share, one.n_runs)
        for one in told
    )
    half = reduce(_both, others, first).quantile(upper)
    longer = 1.0
    if own <= 0:
        sides = (half, half)
    else:
        longer = max(1.0, half / (float(stats.t.ppf(upper, degrees)) * math.sqrt(own)))
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
        standard_error=math.sqrt(own + sum(one.variance for one in told)),
    )


def _both(first: ErrorLaw, second: ErrorLaw) -> ErrorLaw:
    """Put the runs' parts of two models together: every pair of what the two can be."""
    a, b = first.people[:, None], second.people[None, :]
    spread = a**2 / first.people_degrees[:, None] + b**2 / second.people_degrees[None, :]
    total = a + b
    degrees = np.full(total.shape, np.inf)
    np.divide(total**2, spread, out=degrees, where=spread > 0)
    weights = first.weights[:, None] * second.weights[None, :]
    return replace(
        first, people=total.ravel(), weights=weights.ravel(), people_degrees=degrees.ravel()
    )
