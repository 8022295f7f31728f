"""Laws of the intervals: identities, invariances, degenerate cases."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.arrays import Undefined
from analysis.inference.cluster import (
    cluster_variance,
    model_contributions,
    pigeonhole_means,
    response_contributions,
)
from analysis.inference.crossed import (
    design_precision,
    intra_question_correlation,
    participant_groups,
    variance_components,
)
from analysis.inference.interval import (
    UNBOUNDED,
    AnswerBounds,
    Interval,
    Target,
    effective_size,
    mean_interval,
    t_interval,
)
from analysis.inference.means import answer_bounds, human_intervals
from analysis.inference.resampling import (
    affordable_resamples,
    balanced_mean,
    draw_counts,
    merge_single_units,
    population_weighted_mean,
    resampled_totals,
)
from analysis.inference.scored_responses import ScoredResponses, subset
from analysis.inference.simultaneous import bonferroni_critical, max_t_critical
from sampling.draw.limits import (
    ScoredMean,
    difference_limits,
    law_for_new_people,
    wilson_limits,
)


@st.composite
def responses(draw, fewest=2):
    """Responses of up to five people to a few questions, each question answered at least once."""
    n = draw(st.integers(fewest, 10))
    people = draw(st.integers(1, 5))
    question, participant = [], []
    for one in range(n):
        who = draw(st.sets(st.integers(0, people - 1), min_size=1))
        question += [one] * len(who)
        participant += sorted(who)
    size = len(question)
    score = draw(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=size, max_size=size))
    images = draw(st.lists(st.integers(0, n - 1), min_size=n, max_size=n))
    return ScoredResponses(
        np.array(score),
        np.array(question),
        np.unique(participant, return_inverse=True)[1],
        np.unique(images, return_inverse=True)[1],
    )


@settings(max_examples=50, deadline=None)
@given(people=responses())
def test_contributions_sum_to_zero_and_scale_with_the_scores(people):
    parts = response_contributions(people)
    assert parts.sum() == pytest.approx(0, abs=1e-12)
    halved = ScoredResponses(people.score / 2, people.question, people.participant, people.image)
    assert response_contributions(halved) == pytest.approx(parts / 2)


@settings(max_examples=50, deadline=None)
@given(people=responses(), order=st.randoms(use_true_random=False))
def test_the_order_of_the_rows_changes_no_variance(people, order):
    rows = list(range(people.n_responses))
    order.shuffle(rows)
    moved = ScoredResponses(
        people.score[rows], people.question[rows], people.participant[rows], people.image
    )
    first, second = (
        cluster_variance(response_contributions(one), people.image) for one in (people, moved)
    )
    if isinstance(first, Undefined):
        assert first == second
    else:
        assert first.variance == pytest.approx(second.variance, abs=1e-15)


@settings(max_examples=50, deadline=None)
@given(people=responses(), shift=st.sampled_from([0.0, 1.0]))
def test_components_ignore_a_shift_and_participant_effects_sum_to_zero(people, shift):
    found = variance_components(people)
    moved = variance_components(
        ScoredResponses(people.score + shift, people.question, people.participant, people.image)
    )
    if isinstance(found, Undefined):
        assert isinstance(moved, Undefined)
    else:
        assert found.participant_effects.sum() == pytest.approx(0, abs=1e-9)
        assert moved.residual == pytest.approx(found.residual, abs=1e-9)
        assert found.participant_variance_of_mean >= 0


def test_equal_answers_of_three_people_are_worth_one():
    # Three identical answers a question: the interval is that of the questions, not of 96 rows.
    score = np.repeat(np.array([1.0] * 20 + [0.0] * 12), 3)
    tripled = ScoredResponses(
        score, np.repeat(np.arange(32), 3), np.tile(np.arange(3), 32), np.arange(32)
    )
    alone = ScoredResponses(score[::3], np.arange(32), np.zeros(32, dtype=int), np.arange(32))
    variances = [
        cluster_variance(response_contributions(one), np.arange(32)).variance
        for one in (tripled, alone)
    ]
    assert variances[0] == pytest.approx(variances[1], rel=1e-12)


def test_a_macro_average_weighs_its_groups_alike():
    people = ScoredResponses(
        np.array([1.0, 1.0, 1.0, 0.0]),
        np.arange(4),
        np.zeros(4, dtype=int),
        np.arange(4),
        np.array([0, 0, 0, 1]),
    )
    assert people.mean == 0.5
    assert people.weights.tolist() == pytest.approx([1 / 6, 1 / 6, 1 / 6, 1 / 2])


def test_the_three_participants_of_separate_groups_are_counted_apart():
    apart = ScoredResponses(
        np.ones(4), np.array([0, 0, 1, 1]), np.array([0, 1, 2, 3]), np.array([0, 1])
    )
    assert participant_groups(apart) == 2
    assert variance_components(apart).reason.startswith("design fault")


def test_the_law_for_new_people_is_students_where_one_part_rules():
    # Questions alone: t_255 = 1.96927 times 1 / 16. People alone, P = 3: S/W is an F-like mixture
    # whose root makes the error t_2, 4.3027; 200 quantiles of W hold it within a few per cent.
    questions = law_for_new_people(1 / 256, 255, 0.0, 1.0, 0.125, 8)
    assert questions.quantile(0.975) == pytest.approx(1.96927 / 16, rel=1e-4)
    people = law_for_new_people(1e-9, 255, 1.0, 0.0, 1.0, 3)
    assert people.quantile(0.975) == pytest.approx(4.3027, rel=0.03)


def test_a_small_estimate_of_how_people_differ_does_not_make_the_interval_narrow():
    # S = E: the estimate is zero, but three people who differ would often look so.
    law = law_for_new_people(1e-4, 255, 3e-4, 3e-4, 1 / 3, 3)
    assert law.quantile(0.975) > 1.4 * 1.96927e-2


@settings(max_examples=100, deadline=None)
@given(right=st.integers(0, 60), more=st.integers(0, 60), critical=st.floats(0.5, 4))
def test_wilson_limits_hold_the_share_and_stay_in_range(right, more, critical):
    n = max(right + more, 1)
    low, high = wilson_limits(right / n, n, critical)
    assert 0 <= low <= right / n <= high <= 1
    assert low < high


def test_the_effective_size_falls_back_to_the_units_without_variation():
    assert effective_size(0.5, 0.0, 12) == 12
    assert effective_size(0.0, 0.0, 12) == 12
    assert effective_size(2 / 3, 1e-33, 12) == 12  # rounding noise of equal scores


def test_a_few_even_questions_are_worth_no_more_than_their_answers():
    # 19 questions with 2 of 3 right, one with 1 of 3: V is tiny, p(1-p)/V = 819 from 60 answers.
    right = np.array([[1.0, 1.0, 0.0]] * 19 + [[1.0, 0.0, 0.0]])
    people = ScoredResponses(
        right.ravel(), np.repeat(np.arange(20), 3), np.tile(np.arange(3), 20), np.arange(20)
    )
    found = human_intervals(people, np.arange(20), 0.95, "by question").new_questions
    # p = 39/60; t_19 = 2.0930, t² = 4.3808; centre (0.65 + 4.3808/120) / (1 + 4.3808/60) = 0.63979,
    # half-width 2.0930/1.07301 * sqrt(0.2275/60 + 4.3808/(4*3600)) = 0.12484.
    assert found.low == pytest.approx(0.51496, abs=1e-4)
    assert found.high == pytest.approx(0.76463, abs=1e-4)
    assert answer_bounds(right.ravel() / 2, np.full(20, 3.0)) == UNBOUNDED


def test_answers_that_are_all_alike_within_questions_are_worth_the_questions():
    assert answer_bounds(np.ones(60), np.full(20, 3.0)) == AnswerBounds(20.0, 60.0)
    # One answer to each of 32 questions: nothing is estimated, and Wilson's own interval stands.
    known = mean_interval(
        0.9375, 0.05, 32, 31, 0.95, Target.T2, "by question", AnswerBounds(32, 32)
    )
    expected = wilson_limits(0.9375, 32, 1.959964)
    assert (known.low, known.high) == pytest.approx(expected, abs=1e-7)


def test_people_of_whom_nothing_can_be_promised_have_a_reason():
    stream = np.random.default_rng(1)
    question = np.repeat(np.arange(40), 2)
    two = ScoredResponses(
        stream.integers(0, 2, 80).astype(float), question, np.tile([0, 1], 40), np.arange(40)
    )
    found = human_intervals(two, np.arange(40), 0.95, "by question")
    assert isinstance(found.new_questions, Interval)
    assert found.new_people.reason.startswith("two participants")
    question, people = np.repeat(np.arange(40), 3), np.tile(np.arange(3), 40)
    perfect = ScoredResponses(np.ones(120), question, people, np.arange(40))
    found = human_intervals(perfect, np.arange(40), 0.95, "by question")
    assert found.new_questions.high == 1.0
    assert found.new_people.reason.startswith("no variation")


@settings(max_examples=60, deadline=None)
@given(
    first=st.integers(0, 32),
    second=st.integers(0, 32),
    correlation=st.floats(-0.8, 0.8),
    wider=st.floats(1, 20),
)
def test_difference_limits_hold_the_difference_and_turn_round_with_it(
    first, second, correlation, wider
):
    one = ScoredMean(first / 32, 3.84 / 32 * wider, 3.84 / 32)
    two = ScoredMean(second / 32, 3.84 / 32, 3.84 / 32)
    low, high = difference_limits(one, two, correlation)
    assert -1 <= low <= one.mean - two.mean <= high <= 1
    assert low < high
    if wider == 1:
        turned = difference_limits(two, one, correlation)
        assert turned == pytest.approx((-high, -low), abs=1e-9)


def test_a_difference_without_variation_has_no_interval():
    found = t_interval(1.0, 0.0, 10, 0.95, Target.T2, "paired")
    assert isinstance(found, Undefined)


def test_an_interval_tells_whether_it_covers_zero():
    assert Interval(0.1, -0.1, 0.3, Target.T2, "t", 0.1).covers_zero
    assert not Interval(0.1, 0.01, 0.3, Target.T2, "t", 0.1).covers_zero


def test_scores_that_differ_only_within_questions_have_a_negative_icc():
    people = ScoredResponses(
        np.array([1.0, 0.0, 1.0, 0.0]),
        np.array([0, 0, 1, 1]),
        np.array([0, 1, 0, 1]),
        np.array([0, 1]),
    )
    found = intra_question_correlation(people)
    assert found.icc == pytest.approx(-1)
    assert isinstance(found.effective_responses, Undefined)


def test_more_answers_a_question_help_less_than_more_questions():
    # Per question variance .528, residual .472 of .109375 with no participant spread: the
    # half-widths of 1, 2, 3 and 5 answers at ICC .528 are 4.05, 3.54, 3.35 and 3.19 points.
    spread = 0.875 * 0.125
    people = ScoredResponses(
        np.ones(4), np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), np.array([0, 1])
    )
    parts = variance_components(people)
    parts = type(parts)(0.528 * spread, 0.0, 0.472 * spread, np.zeros(8), 0.1, 768, 256, 8)
    found = design_precision(parts, [(8, 256, k) for k in (1, 2, 3, 5)])
    widths = [196 * one.standard_error for one in found]
    assert np.round(widths, 2).tolist() == pytest.approx([4.05, 3.54, 3.35, 3.20], abs=0.012)


@settings(max_examples=30, deadline=None)
@given(sizes=st.lists(st.integers(1, 5), min_size=1, max_size=6), seed=st.integers(0, 99))
def test_resampled_weights_keep_the_size_of_every_stratum(sizes, seed):
    strata = merge_single_units(np.repeat(np.arange(len(sizes)), sizes))
    ones = np.ones(strata.size, dtype=int)
    for weights in draw_counts(ones, strata, 7, np.random.default_rng(seed)):
        totals = weights @ np.eye(strata.max() + 1)[strata]
        assert totals == pytest.approx(np.broadcast_to(np.bincount(strata), totals.shape))


def test_merging_leaves_no_stratum_of_one_unless_it_is_the_only_one():
    assert np.bincount(merge_single_units(np.array([0, 1, 2, 2, 3, 3, 3]))).min() >= 2
    assert merge_single_units(np.array([0])).tolist() == [0]


def test_the_same_stream_draws_the_same_totals():
    rows, strata = np.arange(12.0).reshape(6, 2), np.repeat([0, 1], 3)
    drawn = [resampled_totals(rows, strata, 5, np.random.default_rng(3)).tolist() for _ in range(2)]
    assert drawn[0] == drawn[1]


def test_columns_of_resampled_totals_share_their_draws():
    values = np.random.default_rng(1).random(20)
    rows = np.column_stack([values, 2 * values])
    drawn = resampled_totals(rows, np.zeros(20, dtype=int), 50, np.random.default_rng(2))
    assert drawn[:, 1] == pytest.approx(2 * drawn[:, 0])


def test_very_many_kinds_lower_the_number_of_resamples():
    assert affordable_resamples(10_000, 1_000) == 10_000
    assert affordable_resamples(10_000, 10**9) == 200
    assert affordable_resamples(50, 10**9) == 50


def test_the_product_bootstrap_varies_more_than_the_question_bootstrap():
    stream = np.random.default_rng(4)
    score = (stream.random((64, 3)) < stream.random((64, 1))).astype(float)
    people = ScoredResponses(
        score.ravel(), np.repeat(np.arange(64), 3), np.tile(np.arange(3), 64), np.arange(64)
    )
    product = pigeonhole_means(people, 2000, stream).std()
    by_question = np.sqrt(cluster_variance(response_contributions(people), np.arange(64)).variance)
    assert product > by_question


def test_weighing_strata_by_their_own_numbers_is_the_plain_mean():
    values, strata = np.array([1.0, 0.0, 1.0, 1.0, 0.0, 1.0]), np.repeat([0, 1], 3)
    balanced = balanced_mean(values, strata)
    weighted = population_weighted_mean(values, strata, np.array([300_000, 300_000]))
    assert balanced.estimate == pytest.approx(values.mean())
    assert weighted.estimate == pytest.approx(values.mean())
    # A population this large leaves the finite correction at 1 - 1e-5.
    assert weighted.variance == pytest.approx(balanced.variance, rel=2e-5)


def test_a_census_of_a_stratum_adds_no_variance():
    found = population_weighted_mean(np.array([1.0, 0.0]), np.array([0, 0]), np.array([2]))
    assert (found.estimate, found.variance) == (0.5, 0.0)


def test_a_stratum_with_a_single_question_has_no_variance():
    assert isinstance(balanced_mean(np.array([1.0, 0.0, 1.0]), np.array([0, 0, 1])), Undefined)


def test_joint_critical_values_lie_between_one_interval_and_bonferroni():
    stream = np.random.default_rng(5)
    common = stream.normal(size=(40_000, 1))
    replicates = common + 0.5 * stream.normal(size=(40_000, 4))
    found = max_t_critical(replicates, 0.95).critical
    assert 1.96 < found < bonferroni_critical(4, 0.95).critical


def test_a_group_that_never_varies_makes_it_bonferroni():
    replicates = np.column_stack([np.random.default_rng(6).normal(size=100), np.ones(100)])
    assert max_t_critical(replicates, 0.95).method == "Bonferroni"


def test_a_subset_renumbers_questions_people_and_images():
    people = ScoredResponses(
        np.array([1.0, 0.0, 1.0]), np.array([0, 1, 2]), np.array([0, 1, 2]), np.array([2, 1, 0])
    )
    kept = subset(people, np.array([True, False, True]))
    assert (kept.question.tolist(), kept.participant.tolist(), kept.image.tolist()) == (
        [0, 1],
        [0, 1],
        [1, 0],
    )


def test_a_model_mean_of_one_value_has_no_spread():
    found = cluster_variance(model_contributions(np.ones(5)), np.arange(5))
    assert found.variance == 0
