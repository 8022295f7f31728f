"""Agreement coefficients against published values and other libraries' where those are right."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from analysis.agreement.answer_table import answer_table
from analysis.agreement.coefficients import (
    alpha,
    brennan_prediger,
    fleiss_kappa,
    gwet_ac1,
    gwet_ac2,
    nominal_alpha_of_codes,
    observed_agreement,
    ordinal_alpha,
    quadratic_similarity,
)
from analysis.agreement.distances import (
    interval_distance,
    jaccard_distance,
    masi_distance,
    nominal_distance,
)
from analysis.agreement.package_alpha import package_alpha

# Twelve units, four coders (Krippendorff 2011, section C; also Gwet 2014); 0 is no answer.
FOUR_CODERS = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
        [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
    ]
)
# Fifteen units, three coders: the example of the krippendorff package's documentation.
THREE_CODERS = np.array(
    [
        [0, 0, 0, 0, 0, 3, 4, 1, 2, 1, 1, 3, 3, 0, 3],
        [1, 0, 2, 1, 3, 3, 4, 3, 0, 0, 0, 0, 0, 0, 0],
        [0, 0, 2, 1, 3, 4, 4, 0, 2, 1, 1, 3, 3, 0, 4],
    ]
)


def table_of(ratings, n_values):
    coder, unit = np.nonzero(ratings)
    answers = ratings[coder, unit] - 1
    return answer_table(unit, answers, tuple(range(1, n_values + 1)))


def test_alpha_of_the_published_example_at_every_level():
    table = table_of(FOUR_CODERS, 5)
    weights = table.point_weights
    found = (
        alpha(table, nominal_distance(5), weights)[0],
        ordinal_alpha(table, weights)[0],
        alpha(table, interval_distance([1, 2, 3, 4, 5]), weights)[0],
    )
    assert np.round(found, 3).tolist() == [0.743, 0.815, 0.849]


def test_alpha_of_the_package_documentation():
    table = table_of(THREE_CODERS, 4)
    weights = table.point_weights
    found = (
        alpha(table, nominal_distance(4), weights)[0],
        alpha(table, interval_distance([1, 2, 3, 4]), weights)[0],
    )
    assert np.round(found, 6).tolist() == [0.691358, 0.810845]


def test_chance_corrected_coefficients_of_the_published_example():
    # Gwet's own implementation prints these for the same data; BP is (.81818 - .2) / .8.
    table = table_of(FOUR_CODERS, 5)
    weights = table.point_weights
    found = (
        observed_agreement(table, weights)[0],
        gwet_ac1(table, 5, weights)[0],
        fleiss_kappa(table, weights)[0],
        brennan_prediger(table, 5, weights)[0],
    )
    assert np.round(found, 5).tolist() == [0.81818, 0.77544, 0.76117, 0.77273]


def test_ac2_with_identity_weights_is_ac1():
    table = table_of(FOUR_CODERS, 5)
    weights = table.point_weights
    found = gwet_ac2(table, np.eye(5), 5.0, 5, weights)
    assert found[0] == pytest.approx(gwet_ac1(table, 5, weights)[0], abs=1e-12)


def test_ac2_by_hand_with_quadratic_weights():
    # One question, answers 1 and 2 of 1..3: p_a = .75; pi = (.5, .5, 0), sum pi(1-pi) = .5;
    # T_w = 3 + 4(.75) = 6, p_e = 6/6 * .5 = .5; AC2 = (.75 - .5) / .5 = .5.
    table = answer_table(np.array([0, 0]), np.array([0, 1]), (1, 2, 3))
    domain = quadratic_similarity(np.array([1.0, 2.0, 3.0]), 2.0)
    given = quadratic_similarity(np.array([1.0, 2.0]), 2.0)
    assert gwet_ac2(table, given, float(domain.sum()), 3, table.point_weights)[0] == 0.5


def test_labels_that_nobody_gave_count_in_ac1():
    # p_a = 2/3; pi = (1/2, 1/2); p_e = .5/(q-1): .5 for two labels, .125 for five.
    question, answer = np.repeat(np.arange(3), 2), np.array([0, 0, 1, 1, 0, 1])
    table = answer_table(question, answer, ("a", "b"))
    found = [gwet_ac1(table, q, table.point_weights)[0] for q in (2, 5)]
    assert found == pytest.approx([1 / 3, (2 / 3 - 0.125) / 0.875])


@pytest.mark.parametrize("kind", ["nominal", "interval", "ordinal", "jaccard", "masi"])
def test_alpha_equals_the_package_through_value_counts(kind):
    stream = np.random.default_rng(3)
    question = np.repeat(np.arange(200), 3)
    truth = stream.integers(0, 6, 200)[question]
    answer = np.where(stream.random(600) < 0.7, truth, stream.integers(0, 6, 600))
    kept = stream.random(600) < 0.8  # unequal numbers of answers
    sets = [frozenset(s) for s in ("a", "ab", "abc", "bc", "c", "d")]
    values = sets if kind in {"jaccard", "masi"} else [1, 2, 4, 7, 8, 20]
    table = answer_table(question[kept], answer[kept], values)
    distance = {
        "nominal": nominal_distance(6),
        "interval": interval_distance([1, 2, 4, 7, 8, 20]),
        "ordinal": None,
        "jaccard": jaccard_distance(list(table.values)) if kind == "jaccard" else None,
        "masi": masi_distance(list(table.values)) if kind == "masi" else None,
    }[kind]
    weights = table.point_weights
    ours = ordinal_alpha(table, weights) if distance is None else alpha(table, distance, weights)
    assert package_alpha(table, distance) == pytest.approx(ours[0], abs=1e-12)


def test_the_fast_nominal_alpha_is_the_same_number():
    stream = np.random.default_rng(4)
    codes = stream.integers(-1, 5, size=(500, 4))
    unit, coder = np.nonzero(codes >= 0)
    table = answer_table(unit, codes[unit, coder], tuple("abcde"))
    slow = alpha(table, nominal_distance(5), table.point_weights)[0]
    assert nominal_alpha_of_codes(codes, 5) == pytest.approx(slow, abs=1e-12)


def test_nltk_gives_the_same_alpha_for_sets(library):
    agreement = library("nltk.metrics.agreement").AnnotationTask
    distance = library("nltk.metrics.distance")
    stream = np.random.default_rng(8)
    sets = [frozenset(s) for s in ("a", "ab", "abc", "bc", "d")]
    question, person = np.repeat(np.arange(40), 3), np.tile(np.arange(3), 40)
    answer = stream.integers(0, 5, 120)
    table = answer_table(question, answer, sets)
    data = [(p, q, sets[a]) for p, q, a in zip(person, question, answer, strict=True)]
    for theirs, ours in (
        (distance.jaccard_distance, jaccard_distance),
        (distance.masi_distance, masi_distance),
    ):
        expected = agreement(data=data, distance=theirs).alpha()
        found = alpha(table, ours(list(table.values)), table.point_weights)[0]
        assert found == pytest.approx(expected, abs=1e-9)


def test_statsmodels_gives_the_same_fleiss_kappa(library):
    inter_rater = library("statsmodels.stats.inter_rater")
    stream = np.random.default_rng(9)
    question = np.repeat(np.arange(50), 3)
    answer = stream.integers(0, 4, 150)
    table = answer_table(question, answer, tuple("abcd"))
    counts = np.zeros((50, 4))
    np.add.at(counts, (question, answer), 1)
    expected = inter_rater.fleiss_kappa(counts)
    assert fleiss_kappa(table, table.point_weights)[0] == pytest.approx(expected, abs=1e-12)


def test_scikit_learn_gives_the_same_scott_like_kappa_for_two_people(library):
    # With two people and equal margins Cohen's kappa is Fleiss' kappa.
    metrics = library("sklearn.metrics")
    first = [0, 0, 1, 1, 2, 2, 0, 1, 2]
    second = [0, 1, 1, 0, 2, 2, 0, 1, 2]
    question = np.repeat(np.arange(9), 2)
    answer = np.column_stack([first, second]).ravel()
    table = answer_table(question, answer, tuple("abc"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = metrics.cohen_kappa_score(first, second)
    assert fleiss_kappa(table, table.point_weights)[0] == pytest.approx(expected, abs=1e-12)
