"""Laws of agreement: bounds, orders of answers and people, what is undefined."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.agreement.answer_table import answer_table, label_table, membership
from analysis.agreement.bootstrap import bootstrap_agreement
from analysis.agreement.by_format import Declared, label_ac1s, label_alphas, statistics_for
from analysis.agreement.coefficients import alpha, gwet_ac1
from analysis.agreement.distances import (
    edit_distance,
    hamming_distance,
    jaccard_distance,
    masi_distance,
    nominal_distance,
)
from analysis.agreement.exact import (
    count_icc,
    mean_absolute_difference,
    mean_pairwise,
    specific_agreement,
    within_one_similarity,
)
from analysis.agreement.package_alpha import package_alpha
from analysis.arrays import Undefined
from sampling.answers.vocabularies import AnswerFormat

ratings = st.lists(st.lists(st.integers(-1, 3), min_size=1, max_size=4), min_size=1, max_size=10)


def table_of(rows, values=("a", "b", "c", "d")):
    question = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    answer = np.array(
        [code if code >= 0 else -2 - place for row in rows for place, code in enumerate(row)]
    )
    return answer_table(question, answer, values)


@settings(max_examples=80, deadline=None)
@given(rows=ratings)
def test_coefficients_are_at_most_one_and_exact_agreement_is_a_share(rows):
    table = table_of(rows)
    weights = table.point_weights
    exact = mean_pairwise(table, np.eye(len(table.values)), weights)[0]
    assert np.isnan(exact) or 0 <= exact <= 1 + 1e-12
    for value in (
        alpha(table, nominal_distance(len(table.values)), weights)[0],
        gwet_ac1(table, 4, weights)[0],
    ):
        assert np.isnan(value) or value <= 1 + 1e-12


@settings(max_examples=50, deadline=None)
@given(rows=ratings, order=st.randoms(use_true_random=False))
def test_neither_the_order_of_people_nor_of_questions_matters(rows, order):
    moved = [order.sample(row, len(row)) for row in order.sample(rows, len(rows))]
    first, second = table_of(rows), table_of(moved)
    assert first.values == second.values
    assert first.counts.tolist() == second.counts.tolist()
    assert first.multiplicity.tolist() == second.multiplicity.tolist()


@settings(max_examples=50, deadline=None)
@given(rows=ratings)
def test_questions_of_one_kind_together_count_as_they_do_apart(rows):
    table = table_of(rows)
    weights = table.point_weights
    doubled = table_of(rows + rows)
    same = np.eye(len(table.values))
    first = mean_pairwise(table, same, weights)[0]
    second = mean_pairwise(doubled, same, doubled.point_weights)[0]
    assert first == pytest.approx(second, nan_ok=True)


def test_invalid_answers_agree_with_nothing_not_even_each_other():
    table = table_of([[-1, -1], [0, 0], [0, -1]])
    weights = table.point_weights
    assert mean_pairwise(table, np.eye(1), weights)[0] == pytest.approx(1 / 3)
    assert (table.n_invalid, table.n_questions, table.n_paired) == (3, 3, 3)


def test_weighing_pairs_or_questions_differs_with_unequal_numbers():
    # Three people disagree wholly (0 of 3 pairs), two agree (1 of 1).
    table = table_of([[0, 1, 2], [3, 3]])
    same, weights = np.eye(4), table.point_weights
    assert mean_pairwise(table, same, weights)[0] == 0.5
    assert mean_pairwise(table, same, weights, by_pair=True)[0] == 0.25


def test_a_label_table_counts_who_gave_a_label():
    sets = [frozenset("ab"), frozenset("b"), frozenset()]
    table = answer_table(np.array([0, 0, 0]), np.array([0, 1, 2]), sets)
    holds = membership(table, ["a", "b"])
    found = label_table(table, holds[:, 1])
    assert found.counts.tolist() == [[1.0, 2.0]]


def test_label_by_label_is_each_label_as_a_question_of_its_own():
    stream = np.random.default_rng(5)
    sets = [frozenset(s) for s in ("a", "ab", "abc", "bc", "")]
    question = np.sort(stream.integers(0, 30, 80))
    answer = stream.integers(-1, 5, 80)
    table = answer_table(question, np.where(answer < 0, -2 - np.arange(80), answer), sets)
    holds, weights = membership(table, ["a", "b", "c"]), table.point_weights
    alphas, ac1s = label_alphas(table, holds, weights), label_ac1s(table, holds, weights)
    for place in range(3):
        alone = label_table(table, holds[:, place])
        assert alphas[0, place] == pytest.approx(alpha(alone, nominal_distance(2), weights)[0])
        assert ac1s[0, place] == pytest.approx(gwet_ac1(alone, 2, weights)[0])


def test_a_label_that_everyone_or_nobody_gave_has_no_alpha():
    sets = [frozenset("a"), frozenset("ab")]
    table = answer_table(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]), sets)
    found = label_alphas(table, membership(table, ["a", "b", "c"]), table.point_weights)
    assert np.isnan(found[0]).tolist() == [True, False, True]


def test_distances_between_sets_are_symmetric_and_zero_on_the_diagonal():
    sets = [frozenset(s) for s in ("", "a", "ab", "bc", "abc")]
    for distance in (jaccard_distance(sets), masi_distance(sets), hamming_distance(sets)):
        assert np.array_equal(distance, distance.T)
        assert not np.diag(distance).any()
    assert jaccard_distance(sets)[0, 1] == masi_distance(sets)[0, 1] == 1.0
    # J = 1/3 overlapping: 1 - (1/3)(1/3).
    assert masi_distance(sets)[2, 3] == pytest.approx(8 / 9)


def test_specific_agreement_by_hand():
    # Pairs: (yes, yes), (yes, no), (no, no): yes 2 of 3 answers' partners agree, no likewise.
    table = table_of([[1, 1], [1, 0], [0, 0]], ("no", "yes"))
    assert specific_agreement(table, table.point_weights)[0] == pytest.approx([2 / 3, 2 / 3])


def test_counts_within_one_and_their_mean_difference():
    table = answer_table(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 2]), (4, 5, 9))
    weights = table.point_weights
    assert mean_pairwise(table, within_one_similarity(table), weights)[0] == 0.5
    assert mean_absolute_difference(table, weights)[0] == 3.0  # (1 + 5) / 2


def test_the_icc_of_counts_by_hand():
    # Means 1 and 5; MSB = 2 * (4 + 4) / 1 = 16, MSW = (2 + 0) / 2 = 1; (16 - 1) / (16 + 1).
    table = answer_table(np.array([0, 0, 1, 1]), np.array([0, 1, 2, 2]), (0, 2, 5))
    assert count_icc(table, table.point_weights)[0] == pytest.approx(15 / 17)


@pytest.mark.parametrize("answer_format", list(AnswerFormat))
def test_no_question_with_two_answers_leaves_everything_undefined(answer_format):
    values = {"count": (3, 4), "multi": (frozenset("a"), frozenset("b"))}
    table = answer_table(
        np.array([0, 1]), np.array([0, 1]), values.get(answer_format.value, ("yes", "no"))
    )
    found = bootstrap_agreement(
        table, statistics_for(table, answer_format, Declared(2)), 20, np.random.default_rng(1), 0.95
    )
    assert all(isinstance(one.value, Undefined) for one in found.coefficients.values())
    assert found.coefficients["exact_agreement"].value.reason.startswith("no question has two")


def test_the_package_is_not_asked_for_what_is_undefined():
    table = table_of([[0, 0], [0, 0]])
    assert isinstance(package_alpha(table, nominal_distance(1)), Undefined)


def test_an_interval_is_withheld_where_resamples_are_often_undefined():
    # One dissenting question of three: a third of the draws has no variation at all.
    table = table_of([[0, 0], [0, 0], [0, 1]])
    statistics = statistics_for(table, AnswerFormat.SINGLE, Declared(4))
    found = bootstrap_agreement(table, statistics, 500, np.random.default_rng(1), 0.95)
    assert not isinstance(found.coefficients["alpha"].value, Undefined)
    assert isinstance(found.coefficients["alpha"].limits, Undefined)


def test_bootstrap_intervals_hold_their_value_in_an_ordinary_case():
    stream = np.random.default_rng(2)
    truth = stream.integers(0, 4, 40)
    rows = [
        [int(t) if stream.random() < 0.8 else int(stream.integers(0, 4)) for _ in range(3)]
        for t in truth
    ]
    table = table_of(rows)
    statistics = statistics_for(table, AnswerFormat.SINGLE, Declared(4))
    found = bootstrap_agreement(table, statistics, 500, stream, 0.95)
    for name in ("exact_agreement", "alpha", "ac1", "fleiss_kappa", "brennan_prediger"):
        coefficient = found.coefficients[name]
        assert coefficient.limits[0] < coefficient.value < coefficient.limits[1]


def test_a_special_token_of_a_text_is_one_unit():
    table = answer_table(np.array([0, 0]), np.array([0, 1]), ("甲<unrecognizable>", "甲乙"))
    statistics = statistics_for(table, AnswerFormat.TEXT, Declared())
    assert statistics["text_similarity"](table.point_weights)[0] == 0.5  # one unit of two


def test_texts_agree_by_edit_distance():
    distance = edit_distance(["abcd", "abed", "abcd"])
    assert distance[0].tolist() == [0.0, 0.25, 0.0]
    table = answer_table(np.array([0, 0]), np.array([0, 1]), ("abcd", "abed"))
    statistics = statistics_for(table, AnswerFormat.TEXT, Declared())
    assert statistics["text_similarity"](table.point_weights)[0] == 0.75
