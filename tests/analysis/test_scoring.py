"""Scores of one answer against its key."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.scoring.scores import Score, score, score_sets
from sampling.answers.normalization import NormalizedAnswer, ScoringStatus
from sampling.answers.vocabularies import AnswerFormat

LABELS = st.frozensets(st.sampled_from("abcdef"))


def valid(value: object) -> NormalizedAnswer:
    return NormalizedAnswer(ScoringStatus.VALID, value)  # type: ignore[arg-type]


def test_a_subset_has_full_precision_and_partial_recall() -> None:
    found = score(valid(("a",)), valid(("a", "b", "c")), AnswerFormat.MULTI)
    # One of one given is right, one of three wanted is given: F1 = 2/4, Jaccard = 1/3.
    assert found == Score(
        Fraction(0), Fraction(1), Fraction(1, 3), Fraction(1, 2), Fraction(1, 3), None
    )


@pytest.mark.parametrize(("answer", "exact", "near"), [(5, 1, 1), (4, 0, 1), (6, 0, 1), (7, 0, 0)])
def test_a_count_is_within_one_when_it_is_off_by_one_at_most(
    answer: int, exact: int, near: int
) -> None:
    found = score(valid(answer), valid(5), AnswerFormat.COUNT)
    assert (found.exact_match, found.f1, found.within_one) == (exact, exact, near)


def test_an_invalid_answer_scores_nothing_and_within_one_only_for_counts() -> None:
    invalid = NormalizedAnswer(ScoringStatus.INVALID, None, "no answer")
    assert score(invalid, valid(5), AnswerFormat.COUNT).within_one == 0
    assert score(invalid, valid("a"), AnswerFormat.SINGLE).within_one is None
    assert score(invalid, valid("a"), AnswerFormat.SINGLE).f1 == 0


def test_two_empty_sets_agree_and_one_empty_set_does_not() -> None:
    assert score_sets(frozenset(), frozenset()).f1 == 1
    assert score_sets(frozenset(), frozenset("a")) == score_sets(frozenset("a"), frozenset())
    assert score_sets(frozenset(), frozenset("a")).jaccard == 0


@given(LABELS, LABELS)
def test_f1_lies_between_jaccard_and_one_and_exact_match_means_all(
    answer: frozenset[str], key: frozenset[str]
) -> None:
    found = score_sets(answer, key)
    assert found.exact_match <= found.jaccard <= found.f1 <= 1
    assert (found.exact_match == 1) == (answer == key)
