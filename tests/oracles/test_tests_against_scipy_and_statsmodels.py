"""Tests and intervals against scipy and statsmodels where those do the same thing."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from analysis.inference.cluster import (
    cluster_variance,
    model_contributions,
    two_way_variance,
)
from analysis.inference.crossed import variance_components
from analysis.inference.equivalence import equivalence_test
from analysis.inference.gap import model_difference, paired_gap
from analysis.inference.hypothesis_tests import mcnemar, sign_flip
from analysis.inference.resampling import resampled_means
from analysis.inference.run_variance import RunVariance, with_runs
from analysis.inference.scored_responses import ScoredResponses
from analysis.inference.simultaneous import benjamini_yekutieli, holm
from sampling.draw.limits import wilson_limits


def test_exact_sign_flips_are_scipys_permutation_test_of_pairs():
    stream = np.random.default_rng(1)
    first, second = stream.integers(0, 4, 12) / 3, stream.integers(0, 2, 12).astype(float)
    found = sign_flip(first - second, np.arange(12), 10, stream)
    expected = stats.permutation_test(
        (first, second),
        lambda a, b, axis: np.abs(np.sum(a - b, axis=axis)),
        permutation_type="samples",
        vectorized=True,
        n_resamples=np.inf,
        alternative="greater",
    )
    assert found.p == pytest.approx(expected.pvalue, abs=1e-12)


def test_sampled_sign_flips_come_near_the_exact_p_value():
    # 40 clusters of size 1, sum 12: P(|2 Bin(40, 1/2) - 40| >= 12).
    differences = np.array([1.0] * 26 + [-1.0] * 14)
    found = sign_flip(differences, np.arange(40), 200_000, np.random.default_rng(2))
    exact = 2 * stats.binom.sf(25, 40, 0.5)
    assert found.p == pytest.approx(exact, abs=0.002)


def test_flipping_by_image_adds_up_an_images_questions():
    differences, images = np.array([1.0, 1.0, -1.0, 1.0]), np.array([0, 0, 1, 2])
    # D = (2, -1, 1), |sum| = 2: of the eight sums 4, 2, 2, 0, 0, -2, -2, -4 six are as large.
    assert sign_flip(differences, images, 10, np.random.default_rng(1)).p == 0.75


@pytest.mark.parametrize("right", [0, 5, 29, 32])
def test_wilson_limits_are_scipys(right):
    expected = stats.binomtest(right, 32).proportion_ci(0.95, "wilson")
    found = wilson_limits(right / 32, 32, float(stats.norm.ppf(0.975)))
    assert found == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_a_gap_of_many_questions_is_scipys_paired_t_interval():
    stream = np.random.default_rng(3)
    human, model = stream.random(5000), stream.random(5000)
    people = ScoredResponses(human, np.arange(5000), np.arange(5000) % 2, np.arange(5000))
    found = paired_gap(people, model, np.arange(5000), 0.95).new_questions
    expected = stats.ttest_rel(human, model).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-5)


def test_a_model_difference_is_scipys_paired_t_interval():
    stream = np.random.default_rng(4)
    first, second = stream.random(4000), stream.random(4000)
    found = model_difference(first, second, np.arange(4000), 0.9).interval
    expected = stats.ttest_rel(first, second).confidence_interval(0.9)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-5)


def test_the_cluster_variance_is_statsmodels_for_a_mean(library):
    regression = library("statsmodels.regression.linear_model")
    stream = np.random.default_rng(5)
    values, clusters = stream.random(90), np.repeat(np.arange(30), 3)
    fit = regression.OLS(values, np.ones(90)).fit(
        cov_type="cluster", cov_kwds={"groups": clusters, "use_correction": False}
    )
    found = cluster_variance(model_contributions(values), clusters)
    assert found.variance == pytest.approx(fit.cov_params()[0, 0] * 30 / 29, rel=1e-10)


def test_the_two_way_variance_is_the_three_one_way_ones():
    stream = np.random.default_rng(6)
    score = stream.random(60)
    question, person = np.repeat(np.arange(20), 3), np.tile(np.arange(3), 20)
    people = ScoredResponses(score, question, person, np.arange(20))
    centred = (score - score.mean()) / 60
    by_question = 20 / 19 * np.sum(np.bincount(question, centred) ** 2)
    by_person = 3 / 2 * np.sum(np.bincount(person, centred) ** 2)
    by_response = 60 / 59 * np.sum(centred**2)
    expected = max(by_question + by_person - by_response, by_question, by_person)
    assert two_way_variance(people).variance == pytest.approx(expected, rel=1e-12)


def test_components_of_a_complete_crossing_are_those_of_the_two_way_analysis_of_variance():
    # n = 30 questions, P = 4 people, all crossed: mean squares give the components by hand.
    stream = np.random.default_rng(7)
    table = stream.random((30, 1)) + stream.random((1, 4)) + stream.random((30, 4))
    grand, rows, columns = table.mean(), table.mean(axis=1), table.mean(axis=0)
    ms_rows = 4 * np.sum((rows - grand) ** 2) / 29
    ms_columns = 30 * np.sum((columns - grand) ** 2) / 3
    residuals = table - rows[:, None] - columns[None, :] + grand
    ms_error = np.sum(residuals**2) / (29 * 3)
    question, person = np.repeat(np.arange(30), 4), np.tile(np.arange(4), 30)
    found = variance_components(ScoredResponses(table.ravel(), question, person, np.arange(30)))
    expected = ((ms_rows - ms_error) / 4, (ms_columns - ms_error) / 30, ms_error)
    assert (found.question, found.participant, found.residual) == pytest.approx(expected)


def test_holm_is_statsmodels(library):
    multitest = library("statsmodels.stats.multitest")
    p = [0.001, 0.04, 0.03, 0.2, 0.0499]
    assert holm(p) == pytest.approx(multitest.multipletests(p, method="holm")[1].tolist())


def test_an_undefined_test_still_counts_in_holm():
    assert holm([0.01, None, 0.02]) == [0.03, None, 0.04]


def test_benjamini_yekutieli_is_scipys():
    p = [0.001, 0.04, 0.03, 0.2, 0.0499]
    expected = stats.false_discovery_control(p, method="by").tolist()
    assert benjamini_yekutieli(p) == pytest.approx(expected)


def test_two_one_sided_tests_are_nearly_statsmodels_in_the_middle(library):
    weightstats = library("statsmodels.stats.weightstats")
    stream = np.random.default_rng(8)
    first, second = (stream.random((2, 2000)) < 0.5).astype(float)
    p, lower, upper = weightstats.ttost_paired(first, second, -0.05, 0.05)
    found = equivalence_test(
        model_difference(first, second, np.arange(2000), 0.95).interval, 0.05, 0.05
    )
    assert (found.p, found.p_lower, found.p_upper) == pytest.approx(
        (p, lower[1], upper[1]), abs=0.003
    )


def test_tests_and_intervals_never_contradict_each_other_near_one():
    stream = np.random.default_rng(12)
    decided = 0
    for _ in range(60):
        first, second = (stream.random((2, 32)) < [[0.97], [0.8]]).astype(float)
        interval = model_difference(first, second, np.arange(32), 0.95).interval
        assert (interval.comparison.p_equal() < 0.05) == (not interval.covers_zero)
        decided += not interval.covers_zero
        margin = 0.3
        found = equivalence_test(interval, margin, 0.05)
        assert found.equivalent == (found.low > -margin and found.high < margin)
        assert found.equivalent == (found.p < 0.05)
        wider = with_runs(interval, (RunVariance(0.002, 4),), 31, 0.95, (-1.0, 1.0))
        assert (wider.comparison.p_equal() < 0.05) == (not wider.covers_zero)
        assert wider.comparison.limits(0.95) == pytest.approx((wider.low, wider.high))
    assert 5 < decided < 55


def test_mcnemar_is_statsmodels(library):
    tables = library("statsmodels.stats.contingency_tables")
    expected = tables.mcnemar(np.array([[50, 9], [3, 20]]), exact=True).pvalue
    assert mcnemar(9, 3) == pytest.approx(expected)


def test_the_question_bootstrap_has_scipys_standard_error():
    stream = np.random.default_rng(9)
    values = stream.integers(0, 4, 256) / 3
    ours = resampled_means(values, 20_000, stream).std(ddof=1)
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=20_000, rng=stream, method="percentile", batch=2000
    ).standard_error
    assert ours == pytest.approx(theirs, rel=0.03)
