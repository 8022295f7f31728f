"""Agreement so far: exact and alpha by category, undefined with a reason, never 0, 1 or NaN."""

from __future__ import annotations

import pytest

from analysis.arrays import Undefined
from analysis.human_reference.quality_flags import FlagKind, FlagRules
from study_server.coordinator.quality import (
    agreement_so_far,
    answer_traces,
    flags_so_far,
    medians_so_far,
    overall_agreement,
)
from study_server.store.steering.quality import GivenAnswer

SINGLE = {"format": "single", "labels": ["leaf", "paper", "stone"]}
MULTI = {"format": "multi", "labels": ["cracks", "stains"]}
COUNT = {"format": "count", "labels": []}


def given(person: int, question: int, category: str, response: str, seconds: float | None = 20.0):  # type: ignore[no-untyped-def]
    return GivenAnswer(person, question, category, response, seconds, open_seconds=30.0)


def test_two_of_three_pairs_apart_make_a_third_of_agreement() -> None:
    answers = [
        given(1, 1, "Material", '"leaf"'),
        given(2, 1, "Material", '"leaf"'),
        given(3, 1, "Material", '"paper"'),
    ]
    (row,) = agreement_so_far(answers, {"Material": SINGLE})
    assert row.questions == 1
    assert row.alike == pytest.approx(1 / 3)
    # D_o = 4/6 of ordered pairs differ; D_e = 2·(2·1)/(3·2) = 4/6: alpha = 0.
    assert row.alpha == pytest.approx(0.0)


def test_unanimous_answers_agree_fully_and_alpha_is_undefined() -> None:
    answers = [given(person, q, "Material", '"leaf"') for person in (1, 2, 3) for q in (1, 2)]
    (row,) = agreement_so_far(answers, {"Material": SINGLE})
    assert row.alike == 1.0
    assert row.alpha == Undefined("every answer was the same")


def test_without_a_question_that_two_answered_nothing_is_defined() -> None:
    rows = agreement_so_far(
        [given(1, 1, "Material", '"leaf"')], {"Material": SINGLE, "Lines": COUNT}
    )
    assert [row.alike for row in rows] == [Undefined("no question has two answers yet")] * 2
    assert overall_agreement(rows) == (Undefined("no question has two answers yet"), 0)


def test_sets_and_counts_are_compared_as_such() -> None:
    answers = [
        given(1, 1, "Damage", '["cracks", "stains"]'),
        given(2, 1, "Damage", '["cracks", "stains"]'),
        given(1, 2, "Lines", "7"),
        given(2, 2, "Lines", "8"),
    ]
    damage, lines = agreement_so_far(answers, {"Damage": MULTI, "Lines": COUNT})
    assert (damage.alike, lines.alike) == (1.0, 0.0)
    assert overall_agreement((damage, lines)) == (0.5, 2)


def test_texts_agree_by_how_similar_they_are_when_read_as_they_are_scored() -> None:
    answers = [
        given(1, 1, "Stele", '"山水\\n清音。"'),
        given(2, 1, "Stele", '"山水清"'),
        given(1, 2, "Stele", '"<unrecognizable>甲"'),
        given(2, 2, "Stele", '"乙甲"'),
        given(1, 3, "Stele", '"甲"'),
    ]
    (row,) = agreement_so_far(answers, {"Stele": {"format": "text", "labels": []}})
    # Line breaks and stops are not read: one sign of four is missing, one unit of two differs.
    assert (row.questions, row.texts) == (2, True)
    assert row.alike == pytest.approx((3 / 4 + 1 / 2) / 2)


def test_flags_come_with_the_participants_id() -> None:
    answers = [given(7, q, "Material", '"leaf"', seconds=0.5) for q in range(4)]
    (flag,) = flags_so_far(answer_traces(answers, {"Material": SINGLE}), {}, {}, FlagRules())
    assert (flag.participant, flag.kind) == (7, FlagKind.TOO_FAST)


def test_the_median_is_over_the_times_that_are_known() -> None:
    times = {3: [2.0, None, 9.0, 4.0], 5: [None, None], 8: [1.0, 2.0]}
    answers = [
        given(person, question, "Material", '"leaf"', seconds)
        for person, theirs in times.items()
        for question, seconds in enumerate(theirs)
    ]
    assert medians_so_far(answer_traces(answers, {"Material": SINGLE})) == {3: 4.0, 8: 1.5}
    assert medians_so_far(answer_traces([], {})) == {}
