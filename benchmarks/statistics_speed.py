"""Our statistics against the libraries', in one run: nominal alpha and the question bootstrap.

Exits 1 where ours is the slower, or where two exact results differ by more than 1e-12.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import krippendorff
import numpy as np
from scipy import stats

from analysis.agreement.coefficients import nominal_alpha_of_codes
from analysis.inference.resampling import resampled_means, resampled_totals

REPEATS = 5


def fastest(work: Callable[[], object]) -> float:
    """The least of a few timings, in seconds."""
    found = []
    for _ in range(REPEATS):
        before = time.perf_counter()
        work()
        found.append(time.perf_counter() - before)
    return min(found)


def report(name: str, ours: float, theirs: float, library: str) -> bool:
    print(
        f"{name}: ours {1000 * ours:.1f} ms, {library} {1000 * theirs:.1f} ms, "
        f"{theirs / ours:.1f} times as fast"
    )
    return ours < theirs


def nominal_alpha(stream: np.random.Generator) -> bool:
    """A million ratings: 333,334 questions, three people, eight labels, some answers absent."""
    truth = stream.integers(0, 8, 333_334)
    wrong = stream.random((333_334, 3)) < 0.15
    codes = np.where(wrong, stream.integers(0, 8, (333_334, 3)), truth[:, None])
    codes[stream.random(codes.shape) < 0.02] = -1
    ratings = np.where(codes < 0, np.nan, codes).T.copy()  # the package wants coders x units

    def ours() -> float:
        return nominal_alpha_of_codes(codes, 8)

    def theirs() -> float:
        return float(
            krippendorff.alpha(
                reliability_data=ratings, level_of_measurement="nominal", value_domain=range(8)
            )
        )

    difference = abs(ours() - theirs())
    print(f"nominal alpha: {ours():.12f}, difference {difference:.1e}")
    faster = report(
        "nominal alpha of 1,000,000 ratings", fastest(ours), fastest(theirs), "krippendorff"
    )
    return faster and difference <= 1e-12


def question_bootstrap(stream: np.random.Generator) -> bool:
    """10,000 resamples of the mean of 256 questions' means of three answers."""
    values = stream.integers(0, 4, 256) / 3

    def ours() -> object:
        return resampled_means(values, 10_000, stream)

    def theirs() -> object:
        return stats.bootstrap(
            (values,), np.mean, n_resamples=10_000, method="percentile", rng=stream
        )

    faster = report(
        "question bootstrap, 10,000 x 256", fastest(ours), fastest(theirs), "scipy.stats.bootstrap"
    )
    return faster and same_means(values, stream)


def same_means(values: np.ndarray, stream: np.random.Generator) -> bool:
    """The mean of drawn questions is the same from their counts as from a list of them."""
    drawn = stream.integers(0, values.size, size=(1000, values.size))
    distinct, kind = np.unique(values, return_inverse=True)
    counts = np.apply_along_axis(np.bincount, 1, kind[drawn], minlength=distinct.size)
    difference = float(np.max(np.abs(counts @ distinct / values.size - values[drawn].mean(axis=1))))
    print(f"question bootstrap: means from counts and from lists differ by {difference:.1e}")
    return difference <= 1e-12


def stratified_bootstrap(stream: np.random.Generator) -> None:
    """Rao-Wu within 64 cells, scores and a model's together: no library has it."""
    rows = np.column_stack([stream.integers(0, 4, 256) / 3, stream.integers(0, 2, 256)])
    cells = np.repeat(np.arange(64), 4)
    seconds = fastest(lambda: resampled_totals(rows, cells, 10_000, stream))
    print(f"bootstrap within 64 cells, 10,000 x 256: {1000 * seconds:.1f} ms")


def main() -> int:
    stream = np.random.Generator(np.random.PCG64(1))
    faster = [nominal_alpha(stream), question_bootstrap(stream)]
    stratified_bootstrap(stream)
    return 0 if all(faster) else 1


if __name__ == "__main__":
    sys.exit(main())
