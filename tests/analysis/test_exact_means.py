"""Means of float scores are the exact fractions that the scores stand for."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from analysis.scoring.exact import (
    exact_fraction,
    exact_mean,
    exact_mean_of_groups,
    exact_question_means,
    exact_sum,
)

RATIOS = st.fractions(min_value=0, max_value=1, max_denominator=4000)


@given(RATIOS)
def test_a_float_gives_its_ratio_of_whole_numbers_back(ratio: Fraction) -> None:
    assert exact_fraction(float(ratio)) == ratio


@given(st.lists(RATIOS, min_size=1, max_size=30))
def test_a_sum_of_floats_is_the_sum_of_their_ratios(ratios: list[Fraction]) -> None:
    assert exact_sum([float(ratio) for ratio in ratios]) == sum(ratios)


def test_three_thirds_are_one_and_a_tie_stays_a_tie() -> None:
    # 2/3 + 2/3 + 1/2 + 0 = 11/6, over 4 = 11/24.
    assert exact_mean([2 / 3, 2 / 3, 0.5, 0.0]) == Fraction(11, 24)


def test_missing_scores_are_left_out_and_no_score_has_no_mean() -> None:
    assert exact_mean([1.0, np.nan, 0.0]) == Fraction(1, 2)
    assert exact_mean([np.nan]) is None
    assert exact_mean([]) is None


def test_groups_weigh_the_same_whatever_their_size() -> None:
    # Group a: 1, group b: (0 + 0 + 1) / 3 = 1/3; mean 2/3.
    scores, groups = pd.Series([1.0, 0.0, 0.0, 1.0]), pd.Series(["a", "b", "b", "b"])
    assert exact_mean_of_groups(scores, groups) == Fraction(2, 3)


def test_questions_weigh_the_same_whatever_their_number_of_answers() -> None:
    # q1: 1/2, q2: 1; mean 3/4, while the mean over answers is 2/3.
    scores, ids = pd.Series([1.0, 0.0, 1.0]), pd.Series(["q1", "q1", "q2"])
    means = exact_question_means(scores, ids, pd.Series(["x"] * 3))
    assert means == {"x": Fraction(3, 4)}
