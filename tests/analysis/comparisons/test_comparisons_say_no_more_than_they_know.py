"""Gaps and differences: pairing, targets, ties, statements."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.arrays import Undefined
from analysis.inference.cluster import cluster_variance, response_contributions
from analysis.inference.equivalence import difference_statement, gap_statement
from analysis.inference.gap import model_difference, paired_gap
from analysis.inference.hypothesis_tests import sign_flip
from analysis.inference.interval import Interval, Target
from analysis.inference.scored_responses import ScoredResponses
from analysis.inference.simultaneous import benjamini_yekutieli, holm


@pytest.fixture
def people():
    stream = np.random.default_rng(1)
    score = (stream.random((60, 3)) < 0.5 + 0.5 * stream.random((60, 1))).astype(float)
    participant = ((np.arange(60)[:, None] + np.array([0, 1, 3])) % 8).ravel()
    return ScoredResponses(score.ravel(), np.repeat(np.arange(60), 3), participant, np.arange(60))


def test_the_gap_is_paired_within_questions(people):
    model = (people.question_means > 0.7).astype(float)
    found = paired_gap(people, model, np.arange(60), 0.95)
    expected = np.std(people.question_means - model, ddof=1) / np.sqrt(60)
    assert found.new_questions.standard_error == pytest.approx(expected, rel=1e-12)
    assert found.estimate == pytest.approx(np.mean(people.question_means - model))


def test_a_model_that_is_the_people_has_no_gap_but_is_not_known_to_be_them(people):
    found = paired_gap(people, people.question_means, np.arange(60), 0.95)
    assert found.estimate == pytest.approx(0, abs=1e-12)
    assert found.new_questions.low < -0.01
    assert found.new_questions.high > 0.01


def test_new_people_never_narrow_a_gap(people):
    model = np.random.default_rng(2).integers(0, 2, 60).astype(float)
    found = paired_gap(people, model, people.image, 0.95)
    assert found.new_people.target is Target.T3
    assert found.new_people.standard_error >= found.new_questions.standard_error


def test_people_who_differ_widen_the_interval_for_new_people(people):
    better = people.score.copy()
    better[people.participant == 0] = 0.0  # one person gets nothing right
    uneven = ScoredResponses(better, people.question, people.participant, people.image)
    model = np.random.default_rng(2).integers(0, 2, 60).astype(float)
    found = paired_gap(uneven, model, people.image, 0.95)
    assert found.new_people.standard_error > 1.2 * found.new_questions.standard_error


def test_swapping_two_models_changes_the_sign_alone():
    stream = np.random.default_rng(3)
    first, second = stream.integers(0, 2, (2, 40)).astype(float)
    one = model_difference(first, second, np.arange(40), 0.95)
    other = model_difference(second, first, np.arange(40), 0.95)
    assert one.estimate == -other.estimate
    assert (one.interval.low, one.interval.high) == pytest.approx(
        (-other.interval.high, -other.interval.low)
    )
    assert (one.only_first, one.only_second) == (other.only_second, other.only_first)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sampled_from([-1.0, -2 / 3, 0.0, 1 / 3, 1.0]), min_size=1, max_size=12))
def test_sign_flips_give_the_same_p_for_either_sign(values):
    differences = np.array(values)
    clusters = np.arange(differences.size)
    stream = np.random.default_rng(1)
    first = sign_flip(differences, clusters, 10, stream).p
    assert first == sign_flip(-differences, clusters, 10, stream).p
    assert 0 < first <= 1


def test_no_difference_at_all_has_p_one():
    assert sign_flip(np.zeros(30), np.arange(30), 100, np.random.default_rng(1)).p == 1.0


def test_rounding_noise_does_not_break_ties():
    # Thirds that add up in another order differ in the last bit; all eight patterns tie or not.
    differences = np.array([1 / 3, 1 / 3, -2 / 3])
    assert sign_flip(differences, np.arange(3), 10, np.random.default_rng(1)).p == 1.0


def test_sampled_p_values_are_never_zero():
    found = sign_flip(np.ones(100), np.arange(100), 999, np.random.default_rng(1))
    assert (found.p, found.exact) == (1 / 1000, False)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_adjusted_p_values_are_no_smaller_and_keep_their_order(values):
    for adjusted in (holm(values), benjamini_yekutieli(values)):
        assert all(after >= before - 1e-15 for before, after in zip(values, adjusted, strict=True))
        ranked = [adjusted[place] for place in np.argsort(values, kind="stable")]
        assert ranked == sorted(ranked)


def interval(estimate, low, high, target=Target.T2):
    return Interval(estimate, low, high, target, "t", 0.1)


@pytest.mark.parametrize(
    ("questions", "people", "said"),
    [
        (
            interval(0.3, 0.2, 0.4),
            interval(0.3, 0.1, 0.5),
            "Human scores higher than A for new questions and new people",
        ),
        (
            interval(-0.3, -0.4, -0.2),
            interval(-0.3, -0.7, 0.1),
            "A scores higher than Human for these people; for new people the interval covers zero",
        ),
        (
            interval(0.03, -0.07, 0.13),
            interval(0.03, -0.1, 0.2),
            "no difference shown between Human and A: the interval covers zero",
        ),
        (
            interval(0.3, 0.2, 0.4),
            Undefined("one participant"),
            "Human scores higher than A for new questions and these people (one participant)",
        ),
    ],
)
def test_statements_follow_the_intervals(questions, people, said):
    assert gap_statement("Human", "A", questions, people) == said


def test_an_undefined_difference_claims_nothing():
    assert difference_statement("A", "B", Undefined("one question")) == "no claim: one question"


def test_the_human_part_of_a_gap_is_the_clustered_variance_of_the_mean(people):
    constant = np.full(60, 0.5)
    gap = paired_gap(people, constant, people.image, 0.95).new_questions
    own = cluster_variance(response_contributions(people), people.image)
    assert gap.standard_error**2 == pytest.approx(own.variance, rel=1e-12)


def test_no_hit_among_samples_is_a_bound_and_a_hit_is_a_value():
    # 64 clusters that all lean one way: 2 of 2^64 patterns are as extreme, so none is drawn.
    decisive = sign_flip(np.ones(64), np.arange(64), 9_999, np.random.default_rng(1))
    assert (decisive.p, decisive.upper) == (1 / 10_000, 2 / 10_000)
    even = sign_flip(np.tile([1.0, -1.0], 32), np.arange(64), 99, np.random.default_rng(1))
    assert even.below is None
    assert even.upper == even.p


def test_an_exact_p_is_a_value_at_its_smallest_too():
    # 16 patterns of four clusters, two of them as extreme.
    assert sign_flip(np.ones(4), np.arange(4), 99, np.random.default_rng(1)).upper == 2 / 16
