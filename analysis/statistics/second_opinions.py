"""The same numbers by other methods: within strata, by bootstrap, conservative for new people."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import FloatArray, IntArray, Undefined
from analysis.inference.cluster import pigeonhole_means, two_way_variance
from analysis.inference.interval import Interval, Target, mean_interval, t_interval
from analysis.inference.resampling import (
    StratifiedMean,
    balanced_mean,
    bootstrap_limits,
    population_weighted_mean,
    resampled_totals,
)
from analysis.inference.scored_responses import ScoredResponses, dense_codes
from analysis.statistics.context import Setting
from analysis.table11.table11 import Measure

BOOTSTRAP = "bootstrap within strata, by question"
MOST_QUESTIONS_OF_PRODUCT = 5_000


@dataclass(frozen=True)
class Opinion:
    """An estimate and its interval by one method; `estimate` None where it is the headline's."""

    target: Target
    method: str
    interval: Interval | Undefined
    estimate: float | Undefined | None = None


def conservative_for_people(
    setting: Setting, measure: Measure, responses: ScoredResponses
) -> list[Opinion]:
    """Give the two T3 intervals that cover too often rather than too seldom."""
    two_way = two_way_variance(responses)
    clustered: Interval | Undefined
    if isinstance(two_way, Undefined):
        clustered = two_way
    else:
        clustered = t_interval(
            responses.mean,
            two_way.variance,
            two_way.degrees,
            setting.level,
            Target.T3,
            "two-way clustered, t",
            (0.0, 1.0),
        )
    product: Interval | Undefined
    if responses.n_participants < 2:
        product = Undefined("one participant: nothing says how another would do")
    elif responses.n_questions < 2:
        product = Undefined("one question: nothing says how another would be answered")
    elif responses.n_questions > MOST_QUESTIONS_OF_PRODUCT or responses.group is not None:
        product = Undefined("not computed for very many questions or macro-averages")
    else:
        stream = setting.stream("product bootstrap", measure.name)
        replicates = pigeonhole_means(responses, setting.resamples, stream)
        product = _bootstrapped(
            responses.mean, replicates, setting.level, Target.T3, "product bootstrap"
        )
    return [
        Opinion(Target.T3, "two-way clustered", clustered),
        Opinion(Target.T3, "product bootstrap", product),
    ]


def within_strata(
    setting: Setting,
    evaluator: str,
    measure: Measure,
    totals: FloatArray,
    positions: IntArray,
    bounds: tuple[float, float] = (0.0, 1.0),
) -> list[Opinion]:
    """Give the mean with strata weighed equally, as the whole test set weighs them, bootstrapped.

    Parameters
    ----------
    totals : float, shape (n, 2), each question's sum of scores and number of answers
    positions : int, shape (n,), the questions' places in the study
    bounds : what the mean can be; below zero for differences
    """
    if measure.macro:
        return []
    strata = dense_codes(setting.arrays.stratum.codes[positions])
    values = totals[:, 0] / totals[:, 1]
    found: list[tuple[str, StratifiedMean | Undefined]] = [
        ("strata weighed equally, by question", balanced_mean(values, strata))
    ]
    population = _population(setting, setting.arrays.stratum.codes[positions])
    if population is not None:
        weighted = population_weighted_mean(values, strata, population)
        found.append(("weighed as the whole test set, by question", weighted))
    opinions = [_stratified(method, one, setting.level, bounds) for method, one in found]
    stream = setting.stream("bootstrap", measure.name, evaluator)
    drawn = resampled_totals(totals, strata, setting.resamples, stream)
    replicates = drawn[:, 0] / np.maximum(drawn[:, 1], 1e-12)
    estimate = float(totals[:, 0].sum() / totals[:, 1].sum())
    interval = _bootstrapped(estimate, replicates, setting.level, Target.T2, BOOTSTRAP, bounds)
    return [*opinions, Opinion(Target.T2, BOOTSTRAP, interval)]


def _stratified(
    method: str, found: StratifiedMean | Undefined, level: float, bounds: tuple[float, float]
) -> Opinion:
    if isinstance(found, Undefined):
        return Opinion(Target.T2, method, found, found)
    mean, variance, degrees = found.estimate, found.variance, found.degrees
    interval: Interval | Undefined
    if degrees == 0:
        interval = Undefined("every question of the test set was asked: nothing is left to vary")
    elif bounds[0] < 0:
        interval = t_interval(mean, variance, degrees, level, Target.T2, f"{method}, t", bounds)
    else:
        n = found.n_questions
        interval = mean_interval(mean, variance, n, degrees, level, Target.T2, method)
    return Opinion(Target.T2, method, interval, found.estimate)


def _population(setting: Setting, strata: IntArray) -> IntArray | None:
    """Give N_h for the strata that occur, or None where one is not known."""
    if setting.stratum_sizes is None:
        return None
    codes, sampled = np.unique(strata, return_counts=True)
    names = setting.arrays.stratum.names
    sizes = [setting.stratum_sizes.get(names[code], 0) for code in codes]
    if any(size < drawn for size, drawn in zip(sizes, sampled, strict=True)):
        return None
    return np.array(sizes, dtype=np.int64)


def _bootstrapped(
    estimate: float,
    replicates: FloatArray,
    level: float,
    target: Target,
    method: str,
    bounds: tuple[float, float] = (0.0, 1.0),
) -> Interval | Undefined:
    if replicates.size < 2 or np.ptp(replicates) < 1e-12:
        return Undefined("no resample differs: a bootstrap has nothing to vary")
    low, high = bootstrap_limits(estimate, replicates, level)
    low, high = max(low, bounds[0]), min(high, bounds[1])
    return Interval(estimate, low, high, target, method, float(replicates.std(ddof=1)))
