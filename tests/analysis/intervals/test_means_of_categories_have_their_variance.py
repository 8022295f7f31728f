"""The mean of categories' means: each category's own mean costs a degree of freedom."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.arrays import Undefined
from analysis.inference.cluster import (
    cluster_variance,
    model_contributions,
    response_contributions,
)
from analysis.inference.gap import model_difference, paired_gap
from analysis.inference.resampling import balanced_mean
from analysis.inference.scored_responses import ScoredResponses

TWO_AND_TWO = np.array([0, 0, 1, 1])


def test_two_questions_a_category_by_hand() -> None:
    # Category 0: 1 and 0, s² = 1/2; category 1: 1 and 1, s² = 0.
    # Variance of ((1+0)/2 + (1+1)/2)/2: (1/2/2 + 0)/4 = 1/16; four clusters less two means.
    values = np.array([1.0, 0.0, 1.0, 1.0])
    found = cluster_variance(model_contributions(values, TWO_AND_TWO), np.arange(4), TWO_AND_TWO)
    assert found.variance == pytest.approx(1 / 16)
    assert found.degrees == 2


def test_it_is_the_variance_of_strata_weighed_equally() -> None:
    stream = np.random.default_rng(5)
    group = np.repeat([0, 1, 2], [3, 5, 9])
    values = stream.random(17)
    found = cluster_variance(model_contributions(values, group), np.arange(17), group)
    other = balanced_mean(values, group)
    assert (found.variance, found.degrees) == (pytest.approx(other.variance), other.degrees)


def test_one_category_is_the_plain_mean() -> None:
    values = np.array([0.2, 0.9, 0.4])
    one = np.zeros(3, dtype=np.int64)
    plain = cluster_variance(model_contributions(values), np.arange(3))
    same = cluster_variance(model_contributions(values, one), np.arange(3), one)
    assert (same.variance, same.degrees) == (pytest.approx(plain.variance), plain.degrees)


def test_the_estimated_variance_is_right_on_average() -> None:
    # Eight categories of four questions, uniform scores: true variance 1/12/4/8 = 1/384.
    # Taking 32/31 for all in place of 4/3 would come to 0.77 of it.
    stream = np.random.default_rng(11)
    group = np.repeat(np.arange(8), 4)
    found = [
        cluster_variance(model_contributions(one, group), np.arange(32), group).variance
        for one in stream.random((2000, 32))
    ]
    assert float(np.mean(found)) * 384 == pytest.approx(1, abs=0.03)


def test_people_and_gaps_are_inflated_alike() -> None:
    people = ScoredResponses(
        np.array([1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]),
        np.repeat(np.arange(4), 2),
        np.tile([0, 1], 4),
        np.arange(4),
        TWO_AND_TWO,
    )
    # Question means 1, 0, 1, 1 as above; a model that is right on 0 and 1 alone: differences
    # 0, -1, 1, 1 with s² = 1/2 and 0, and so 1/16 again.
    own = cluster_variance(response_contributions(people), np.arange(4), TWO_AND_TWO)
    gap = paired_gap(people, np.array([1.0, 1.0, 0.0, 0.0]), np.arange(4), 0.95)
    assert own.variance == pytest.approx(1 / 16)
    assert gap.new_questions.standard_error == pytest.approx(1 / 4)


def test_a_category_of_a_single_question_leaves_the_interval_undefined() -> None:
    group = np.array([0, 0, 1])
    values = np.array([1.0, 0.0, 1.0])
    found = cluster_variance(model_contributions(values, group), np.arange(3), group)
    assert found == Undefined("a category with a single question: no variance within it")
    difference = model_difference(values, values * 0, np.arange(3), 0.95, group)
    assert difference.estimate == pytest.approx(0.75)
    assert isinstance(difference.interval, Undefined)
