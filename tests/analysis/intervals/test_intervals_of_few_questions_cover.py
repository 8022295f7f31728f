"""Intervals of a category of 32 questions: the effective size was estimated, and it shows."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from analysis.inference.cluster import cluster_variance, model_contributions
from analysis.inference.interval import Target, mean_interval


def of_question_means(means: np.ndarray) -> tuple[float, float]:
    n = means.size
    found = cluster_variance(model_contributions(means), np.arange(n))
    interval = mean_interval(
        float(means.mean()), found.variance, n, found.degrees, 0.95, Target.T2, "by question"
    )
    return interval.low, interval.high


def test_thirty_of_32_by_hand() -> None:
    # p = 15/16; V = p(1-p)/31, so that the effective size is 31; t_31 = 2.0395, t² = 4.1596.
    # Centre (0.9375 + 4.1596/62) / (1 + 4.1596/31) = 0.88574; half-width
    # 2.0395/1.13418 * sqrt(0.058594/31 + 4.1596/(4*961)) = 0.09803.
    low, high = of_question_means(np.repeat([1.0, 0.0], [30, 2]))
    assert (low, high) == (pytest.approx(0.7877, abs=1e-4), pytest.approx(0.9838, abs=1e-4))


@pytest.mark.parametrize("share", [0.6, 0.9])
def test_three_answers_to_32_questions_are_covered(share) -> None:
    # Correlated answers (probit, half of the latent variance is the question's). With the normal
    # quantile 92 % of the intervals would hold the true share of 0.9.
    stream = np.random.default_rng(32)
    question = stream.normal(0, np.sqrt(0.5), (1500, 32, 1))
    answers = question + stream.normal(0, np.sqrt(0.5), (1500, 32, 3)) + stats.norm.ppf(share) > 0
    limits = [of_question_means(means) for means in answers.mean(axis=2)]
    covered = np.mean([low <= share <= high for low, high in limits])
    assert 0.935 <= covered <= 0.985
