"""The golden numbers of the methods page: each is derived in a comment or was published."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from analysis.agreement.answer_codes import pairwise_agreement
from analysis.agreement.answer_table import answer_table
from analysis.agreement.by_format import agreement_bounds, implied_icc
from analysis.agreement.coefficients import alpha
from analysis.agreement.distances import masi_distance, nominal_distance
from analysis.agreement.package_alpha import package_alpha
from analysis.human_reference.aggregates import one_against_others
from analysis.inference.cluster import cluster_variance, response_contributions
from analysis.inference.crossed import variance_components
from analysis.inference.hypothesis_tests import sign_flip
from analysis.inference.interval import Target, mean_interval
from analysis.inference.resampling import resampled_totals
from analysis.inference.scored_responses import ScoredResponses
from analysis.scoring.exact import percent
from sampling.draw.limits import ScoredMean, detectable_gap, wilson_limits


@pytest.mark.parametrize(
    ("count", "n", "printed"),
    [(672, 768, "87.50"), (93, 96, "96.88"), (29, 32, "90.63"), (150, 256, "58.59")],
)
def test_percentages_round_half_up_from_exact_fractions(count, n, printed):
    assert percent(Fraction(count, n)) == printed


def test_neither_660_nor_661_of_768_is_86_percent():
    # 660/768 = 85.9375 and 661/768 = 86.0677 per cent.
    assert [percent(Fraction(k, 768), 1) for k in (660, 661)] == ["85.9", "86.1"]


def test_gaps_are_rounded_from_the_exact_difference():
    human = Fraction(672, 768)
    gaps = [percent(human - Fraction(k, 256)) for k in (150, 153)]
    assert gaps == ["28.91", "27.73"]  # 28.90625 and 27.734375


def test_mean_87_5_leaves_agreement_between_75_and_100():
    # 96 wrong responses alone in 96 of 256 questions: 1 - (2/3)(96/256) = 0.75.
    assert agreement_bounds(96, 256, 3) == (0.75, 1.0)


@pytest.mark.parametrize(("share", "icc"), [(0, 0.863), (0.5, 0.528), (1, 0.360)])
def test_mean_and_agreement_imply_the_correlation_within_questions(share, icc):
    assert implied_icc(0.875, 0.86, share) == pytest.approx(icc, abs=5e-4)


def test_the_clustered_variance_is_that_of_question_means():
    stream = np.random.default_rng(5)
    score = (stream.random((256, 3)) < stream.random((256, 1))).astype(float)
    question = np.repeat(np.arange(256), 3)
    people = ScoredResponses(score.ravel(), question, np.tile(np.arange(3), 256), np.arange(256))
    found = cluster_variance(response_contributions(people), np.arange(256))
    assert found.variance == pytest.approx(np.var(score.mean(axis=1), ddof=1) / 256, rel=1e-12)


def test_mean_agreement_with_the_others_is_pairwise_exact_agreement():
    stream = np.random.default_rng(6)
    question = np.repeat(np.arange(64), 3)
    answer = stream.integers(0, 4, size=192)
    alone = one_against_others(question, answer, None, 64)
    pairs = pairwise_agreement(question, answer, 64)
    assert alone.human.mean() == pytest.approx(pairs.mean(), abs=1e-12)


@pytest.mark.parametrize(("rescaled", "ratio"), [(False, 0.75), (True, 1.0)])
def test_drawing_four_of_four_loses_a_quarter_of_the_variance(rescaled, ratio):
    # Within strata of n_h = 4 the naive variance is (n_h - 1)/n_h = .75 of s²/n_h.
    stream = np.random.default_rng(7)
    values, strata = stream.random(256), np.repeat(np.arange(64), 4)
    drawn = resampled_totals(values[:, None], strata, 20_000, stream, rescaled)
    spread = np.array([np.var(values[strata == h], ddof=1) for h in range(64)])
    expected = np.sum(spread / 4) / 64**2
    assert np.var(drawn[:, 0] / 256) / expected == pytest.approx(ratio, abs=0.03)


def test_four_questions_cannot_give_a_p_value_below_one_eighth():
    found = sign_flip(np.array([1.0, 1.0, 0.5, 1.0]), np.arange(4), 10, np.random.default_rng(1))
    assert (found.p, found.exact) == (0.125, True)  # 2 of 16 patterns


def test_all_right_of_32_leaves_down_to_89_percent():
    # z²: 32 / (32 + 3.8415) = 0.8928.
    assert wilson_limits(1.0, 32, 1.959964)[0] == pytest.approx(0.8928, abs=5e-5)
    found = mean_interval(1.0, 0.0, 32, 31, 0.95, Target.T2, "by question")
    assert (round(found.low, 3), found.high) == (0.893, 1.0)


def test_alpha_with_one_deviant_among_identical_answers_is_zero():
    question = np.repeat(np.arange(10), 3)
    answer = np.zeros(30, dtype=int)
    answer[4] = 1
    table = answer_table(question, answer, ("a", "b"))
    found = alpha(table, nominal_distance(2), table.point_weights)[0]
    assert found == pytest.approx(0.0, abs=1e-12)


def test_a_label_named_nan_is_a_label():
    # Units (nan, nan), (a, a), (nan, a), (a, a): alpha = 1 - (7)(2)/(2 * 3 * 5) = 0.5333...
    question = np.repeat(np.arange(4), 2)
    answer = np.array([0, 0, 1, 1, 0, 1, 1, 1])
    table = answer_table(question, answer, ("nan", "a"))
    expected = 1 - 7 * 2 / (2 * 3 * 5)
    assert alpha(table, nominal_distance(2), table.point_weights)[0] == pytest.approx(expected)
    assert package_alpha(table, nominal_distance(2)) == pytest.approx(expected)


def test_components_are_recovered_without_bias():
    # Question .0576, participant .0009, residual .0484, in the design of 256 x 3 of 8 people.
    stream = np.random.default_rng(11)
    question = np.repeat(np.arange(256), 3)
    participant = ((np.arange(256)[:, None] + np.array([0, 1, 3])) % 8).ravel()
    found = []
    for _ in range(600):
        score = (
            stream.normal(0, 0.24, 256)[question]
            + stream.normal(0, 0.03, 8)[participant]
            + stream.normal(0, 0.22, 768)
        )
        one = variance_components(ScoredResponses(score, question, participant, np.arange(256)))
        found.append((one.question, one.participant, one.residual))
    mean = np.mean(found, axis=0)
    assert mean == pytest.approx([0.0576, 0.0009, 0.0484], rel=0.06)


def test_masi_of_a_set_and_its_double_is_two_thirds():
    sets = [frozenset({1, 2}), frozenset({1, 2, 3, 4})]
    assert masi_distance(sets)[0, 1] == pytest.approx(2 / 3)  # 1 - (1/2)(2/3)


def test_the_detectable_gap_is_2_8_standard_errors_where_variances_do_not_change():
    # About .5 with 10,000 questions each: SE = sqrt(2 * .25 / 10,000) = .7071 points, and
    # (1.95996 + 0.84162) SE = 1.981 points of gap.
    one = ScoredMean(0.51, 1.959964**2 / 10_000, 1.959964**2 / 10_000)
    found = detectable_gap(one, 0.51 * 0.49 / 10_000, one, 0.0)
    assert 100 * found == pytest.approx(1.981, abs=0.002)
