"""Quality flags: each fires exactly at its declared threshold and says its rule."""

from __future__ import annotations

import numpy as np

from analysis.human_reference.quality_flags import AnswerTraces, FlagKind, FlagRules, quality_flags


def traces(
    *,
    participant: list[int],
    category: list[int] | None = None,
    question: list[int] | None = None,
    answer: list[int] | None = None,
    place: list[int] | None = None,
    active: list[float] | None = None,
    open_seconds: list[float] | None = None,
) -> AnswerTraces:
    n = len(participant)
    return AnswerTraces(
        np.array(participant),
        np.array(question or list(range(n))),
        np.array(category or [0] * n),
        np.array(answer or list(range(n))),
        np.array(place or [-1] * n),
        np.array(active or [20.0] * n),
        np.array(open_seconds or [20.0] * n),
    )


def kinds(found: AnswerTraces) -> list[FlagKind]:
    return [flag.kind for flag in quality_flags(found, {}, {})]


def test_nobody_answered_gives_no_flag() -> None:
    empty = traces(participant=[])
    assert quality_flags(empty, {}, {}) == ()


def test_three_fast_answers_of_thirty_are_flagged_and_two_are_not() -> None:
    three = traces(participant=[1] * 30, active=[1.0] * 3 + [20.0] * 27)
    two = traces(participant=[1] * 30, active=[1.0] * 2 + [20.0] * 28)
    (flag,) = quality_flags(three, {}, {})
    assert (flag.participant, flag.found) == (1, "3 of 30 answers under 2 s")
    assert flag.rule == ("at least 3 answers, and 10% of all, with under 2 s of active time")
    assert kinds(two) == []


def test_unknown_times_are_not_fast() -> None:
    unknown = traces(participant=[1] * 10, active=[float("nan")] * 10)
    assert kinds(unknown) == []


def test_the_same_place_eight_times_over_three_categories_is_a_straight_line() -> None:
    eight = traces(participant=[1] * 8, place=[2] * 8, category=[0, 1, 2, 0, 1, 2, 0, 1])
    (flag,) = quality_flags(eight, {}, {})
    assert (flag.kind, flag.found) == (
        FlagKind.STRAIGHT_LINE,
        "option 3 chosen 8 times in a row",
    )


def test_seven_times_or_one_category_only_is_none() -> None:
    seven = traces(participant=[1] * 7, place=[2] * 7, category=[0, 1, 2, 0, 1, 2, 0])
    one_category = traces(participant=[1] * 9, place=[2] * 9)
    assert kinds(seven) == []
    assert kinds(one_category) == []


def test_two_people_do_not_make_one_run() -> None:
    both = traces(participant=[1] * 5 + [2] * 5, place=[0] * 10, category=[0, 1, 2, 3, 4] * 2)
    assert kinds(both) == []


def test_one_answer_to_a_whole_category_is_flagged_only_where_others_differ() -> None:
    people = [1] * 10 + [2] * 10
    questions = list(range(10)) * 2
    others_differ = traces(
        participant=people, question=questions, answer=[5] * 10 + [5] * 7 + [6] * 3
    )
    others_agree = traces(
        participant=people, question=questions, answer=[5] * 10 + [5] * 8 + [6] * 2
    )
    (flag,) = quality_flags(others_differ, {}, {})
    assert (flag.participant, flag.found) == (
        1,
        "the same answer to all 10 questions of a category",
    )
    assert kinds(others_agree) == []


def test_three_questions_left_open_for_half_an_hour_are_flagged() -> None:
    idle = traces(participant=[1] * 3, open_seconds=[1801.0] * 3)
    at_work = traces(participant=[1] * 3, open_seconds=[1801.0] * 3, active=[900.0] * 3)
    assert kinds(idle) == [FlagKind.LONG_IDLE]
    assert kinds(at_work) == []


def test_five_sign_ins_within_an_hour_are_flagged_and_over_two_hours_are_not() -> None:
    nobody = traces(participant=[])
    hour = {4: np.arange(5) * 800.0}
    two_hours = {4: np.arange(5) * 1800.0}
    (flag,) = quality_flags(nobody, hour, {})
    assert (flag.participant, flag.found) == (4, "5 sign-ins within an hour")
    assert quality_flags(nobody, two_hours, {}) == ()


def test_two_wrong_attention_questions_of_five_are_flagged() -> None:
    nobody = traces(participant=[])
    (flag,) = quality_flags(nobody, {}, {3: (2, 5), 4: (2, 8), 5: (1, 1)})
    assert (flag.participant, flag.found) == (3, "2 of 5 attention questions wrong")


def test_a_study_can_declare_its_own_limit() -> None:
    slow = traces(participant=[1] * 5, active=[4.0] * 5)
    (flag,) = quality_flags(slow, {}, {}, FlagRules(too_fast_seconds=5))
    assert flag.found == "5 of 5 answers under 5 s"
