"""How often the 95 % intervals cover what they speak about, in simulated studies.

256 questions answered by three of eight people, 96 answers each; people right with probability
.875, a model with .5859, both by a latent normal; answers within a question correlated as mean
and agreement imply, participants differing by 0, 2.5 or 5 points, 15 % of the model's latent
variance shared with the questions' difficulty. Exits 1 where an interval misses its mark.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import astuple, dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, stats

from analysis.comparisons.gap import paired_gap
from analysis.intervals.scored_responses import ScoredResponses
from analysis.statistics.interval_tables import human_intervals

HUMAN, MODEL = 0.875, 150 / 256
ICCS = (0.360, 0.528, 0.863)
PARTICIPANT_SPREADS = (0.0, 0.025, 0.05)
SHARED_WITH_MODEL = 0.15
LEVEL = 0.95
T2_RANGE, T3_LEAST = (0.93, 0.97), 0.92
N, K, P = 256, 3, 8
AT_ONCE = 2000
Array = NDArray[np.float64]


@dataclass(frozen=True)
class Setting:
    icc: float
    spread: float


@dataclass(frozen=True)
class Coverage:
    """Shares of replications that cover, and mean half-widths in points."""

    t2_score: float
    t2_gap: float
    t3_score: float
    t3_gap: float
    half_t2_score: float
    half_t3_score: float
    half_t2_gap: float
    half_t3_gap: float


def design() -> NDArray[np.int64]:
    """Who answers each question, shape (256, 3): all 56 triples four times, and 32 in balance."""
    triples = [(a, b, c) for a in range(P) for b in range(a + 1, P) for c in range(b + 1, P)]
    rest = [
        ((s + o) % P, (s + q) % P, s) for o, q in ((1, 3), (1, 2), (2, 5), (3, 4)) for s in range(P)
    ]
    return np.array(triples * 4 + rest)


def latent_correlation(mean: float, icc: float) -> float:
    """The correlation of latent normals whose signs have a correlation of `icc`."""
    cut = stats.norm.ppf(mean)
    target = mean**2 + icc * mean * (1 - mean)

    def miss(rho: float) -> float:
        both = stats.multivariate_normal([0, 0], [[1, rho], [rho, 1]]).cdf([cut, cut])
        return float(both) - target

    return float(optimize.brentq(miss, 1e-6, 1 - 1e-6))


def participant_scale(mean: float, spread: float) -> float:
    """The latent standard deviation of people whose true scores have this one."""
    if spread == 0:
        return 0.0
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    weights = weights / weights.sum()

    def miss(scale: float) -> float:
        scores = stats.norm.cdf(stats.norm.ppf(mean) * np.sqrt(1 + scale**2) + scale * nodes)
        return float(np.sqrt(np.sum(weights * scores**2) - np.sum(weights * scores) ** 2)) - spread

    return float(optimize.brentq(miss, 1e-4, 3))


@dataclass(frozen=True)
class Draws:
    """R simulated studies: scores (R, 256, 3), model scores (R, 256), these people's truth (R,)."""

    scores: Array
    model: Array
    truth: Array


def simulate(setting: Setting, replications: int, stream: np.random.Generator) -> Draws:
    rho = latent_correlation(HUMAN, setting.icc)
    scale = participant_scale(HUMAN, setting.spread)
    cut = stats.norm.ppf(HUMAN) * np.sqrt(1 + scale**2)
    who = design()
    people = scale * stream.standard_normal((replications, P))
    question = stream.standard_normal((replications, N))
    noise = stream.standard_normal((replications, N, K))
    latent = np.sqrt(rho) * question[:, :, None] + np.sqrt(1 - rho) * noise + people[:, who]
    shared = np.sqrt(SHARED_WITH_MODEL) * question
    own = np.sqrt(1 - SHARED_WITH_MODEL) * stream.standard_normal((replications, N))
    return Draws(
        scores=(latent > -cut).astype(np.float64),
        model=(shared + own > -stats.norm.ppf(MODEL)).astype(np.float64),
        truth=stats.norm.cdf(cut + people).mean(axis=1),
    )


@dataclass(frozen=True)
class Errors:
    """Variances and degrees of freedom of R studies at once, for scores or gaps."""

    variance: Array
    degrees: Array | float


def variances(scores: Array, values: Array) -> tuple[Errors, Errors]:
    """T2 and T3 of many studies of the design: the formulas of the package, vectorised."""
    who = design()
    indicator = np.zeros((N * K, P))
    indicator[np.arange(N * K), who.ravel()] = 1
    answered = indicator.reshape(N, K, P).sum(axis=1)
    laplacian = np.diag(answered.sum(axis=0)) - answered.T @ answered / K
    inverse = np.linalg.pinv(laplacian)
    deviations = scores - scores.mean(axis=2, keepdims=True)
    effects = deviations.reshape(-1, N * K) @ indicator @ inverse
    effects -= effects.mean(axis=1, keepdims=True)
    residuals = deviations - effects[:, who] + effects[:, who].mean(axis=2, keepdims=True)
    residual = np.sum(residuals**2, axis=(1, 2)) / (N * K - N - P + 1)
    participant = (np.sum(effects**2, axis=1) - residual * np.trace(inverse)) / (P - 1)
    by_question = values.var(axis=1, ddof=1) / N
    extra = np.maximum(participant, 0) * (1 / P - 1 / (N * K))
    total = by_question + extra
    degrees = total**2 / (by_question**2 / (N - 1) + extra**2 / (P - 1))
    return Errors(by_question, N - 1.0), Errors(total, degrees)


def half_widths(errors: Errors) -> Array:
    widths: Array = stats.t.ppf((1 + LEVEL) / 2, errors.degrees) * np.sqrt(errors.variance)
    return widths


def coverage(setting: Setting, replications: int, stream: np.random.Generator) -> Coverage:
    """Simulate studies, some thousand at a time, and average how often each interval covers."""
    sizes = [min(AT_ONCE, replications - start) for start in range(0, replications, AT_ONCE)]
    parts = [astuple(cover_some(setting, size, stream)) for size in sizes]
    return Coverage(*(float(x) for x in np.average(parts, axis=0, weights=sizes)))


def cover_some(setting: Setting, replications: int, stream: np.random.Generator) -> Coverage:
    """Simulate studies and count how often each interval covers its own truth."""
    draws = simulate(setting, replications, stream)
    check_against_package(draws)
    means = draws.scores.mean(axis=(1, 2))
    differences = draws.scores.mean(axis=2) - draws.model
    gaps = differences.mean(axis=1)
    score_t2, score_t3 = (
        half_widths(e) for e in variances(draws.scores, draws.scores.mean(axis=2))
    )
    gap_t2, gap_t3 = (half_widths(e) for e in variances(draws.scores, differences))
    return Coverage(
        t2_score=float(np.mean(np.abs(means - draws.truth) <= score_t2)),
        t2_gap=float(np.mean(np.abs(gaps - (draws.truth - MODEL)) <= gap_t2)),
        t3_score=float(np.mean(np.abs(means - HUMAN) <= score_t3)),
        t3_gap=float(np.mean(np.abs(gaps - (HUMAN - MODEL)) <= gap_t3)),
        half_t2_score=100 * float(score_t2.mean()),
        half_t3_score=100 * float(score_t3.mean()),
        half_t2_gap=100 * float(gap_t2.mean()),
        half_t3_gap=100 * float(gap_t3.mean()),
    )


def check_against_package(draws: Draws) -> None:
    """The vectorised formulas must be the package's: three studies are computed by both."""
    question = np.repeat(np.arange(N), K)
    for study in range(3):
        scores, model = draws.scores[study], draws.model[study]
        people = ScoredResponses(scores.ravel(), question, design().ravel(), np.arange(N))
        score = human_intervals(people, np.arange(N), LEVEL, "by question")
        gap = paired_gap(people, model, np.arange(N), LEVEL)
        means = scores.mean(axis=1)
        ours = [
            *variances(scores[None], means[None]),
            *variances(scores[None], (means - model)[None]),
        ]
        theirs = (score.new_questions, score.new_people, gap.new_questions, gap.new_people)
        for errors, interval in zip(ours, theirs, strict=True):
            width = (interval.high - interval.low) / 2
            np.testing.assert_allclose(half_widths(errors)[0], width, rtol=0, atol=1e-12)


def shared_images(replications: int, stream: np.random.Generator) -> tuple[float, float]:
    """Coverage by question and by image where 32 images of eight questions each vary (ICC .1)."""
    images = np.repeat(np.arange(32), 8)
    covered = np.zeros(2)
    for _ in range(replications):
        image = np.sqrt(0.1) * stream.standard_normal(32)[images]
        values = image + np.sqrt(0.9) * stream.standard_normal(256)
        error = values - values.mean()
        by_question = 256 / 255 * np.sum((error / 256) ** 2)
        by_image = 32 / 31 * np.sum(np.bincount(images, error / 256) ** 2)
        for place, (variance, degrees) in enumerate(((by_question, 255), (by_image, 31))):
            half = stats.t.ppf(0.975, degrees) * np.sqrt(variance)
            covered[place] += abs(values.mean()) <= half
    return covered[0] / replications, covered[1] / replications


def misses(found: Coverage) -> list[str]:
    """Name the intervals whose coverage is off its mark."""
    low, high = T2_RANGE
    off = [name for name in ("t2_score", "t2_gap") if not low <= getattr(found, name) <= high]
    return off + [name for name in ("t3_score", "t3_gap") if getattr(found, name) < T3_LEAST]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replications", type=int, default=20_000)
    replications = parser.parse_args().replications
    stream = np.random.Generator(np.random.PCG64(20260901))
    before, failed = time.perf_counter(), False
    print("ICC   SD    | T2 score   T2 gap     T3 score   T3 gap  (coverage %, ± half-width)")
    for icc in ICCS:
        for spread in PARTICIPANT_SPREADS:
            found = coverage(Setting(icc, spread), replications, stream)
            off = misses(found)
            failed = failed or bool(off)
            cells = (
                (found.t2_score, found.half_t2_score),
                (found.t2_gap, found.half_t2_gap),
                (found.t3_score, found.half_t3_score),
                (found.t3_gap, found.half_t3_gap),
            )
            texts = "  ".join(f"{100 * share:4.1f} ±{half:4.2f}" for share, half in cells)
            print(f"{icc:.3f} {100 * spread:3.1f}  | {texts}  {' '.join(off)}")
    by_question, by_image = shared_images(min(replications, 4000), stream)
    print(f"32 shared images: by question {by_question:.1%}, by image {by_image:.1%}")
    failed = failed or not T2_RANGE[0] <= by_image <= T2_RANGE[1]
    print(f"{replications} replications each, {time.perf_counter() - before:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
