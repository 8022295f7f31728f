from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sampling.answers.vocabularies import AnswerFormat, Vocabulary
from sampling.assignment.order import options_in_order, order_faults, put_in_order
from sampling.study.definition import AssignmentTable
from sampling.study.questions import Question

RULES = AssignmentTable()


def asked(count: int = 96, categories: int = 8, images: int = 60) -> list[Question]:
    return [
        Question(f"q{n:03}", f"{n % images}.jpg", f"c{n % categories}", "?") for n in range(count)
    ]


def test_the_order_is_a_keyed_shuffle_of_every_question() -> None:
    first = put_in_order(asked(), RULES, "seed", "P01")
    assert first == put_in_order(asked()[::-1], RULES, "seed", "P01")
    assert first != put_in_order(asked(), RULES, "seed", "P02")
    assert sorted(one.question.sample_id for one in first) == [one.sample_id for one in asked()]


@given(st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_images_stay_ten_apart_and_categories_come_twice_in_a_row_at_most(seed: int) -> None:
    order = [one.question for one in put_in_order(asked(), RULES, str(seed), "P01")]
    faults = order_faults(order, 10)
    assert (faults.long_runs, faults.near_images) == (0, 0)


def test_sessions_hold_every_category_in_proportion() -> None:
    placed = put_in_order(asked(), RULES, "seed", "P01")
    counts = Counter((one.session, one.question.category) for one in placed)
    # 96 questions in 3 sessions of 32: four of each of eight categories.
    assert set(counts.values()) == {4}
    assert len(counts) == 24


def test_the_last_session_takes_what_is_left() -> None:
    placed = put_in_order(asked(70), RULES, "seed", "P01")
    assert list(Counter(one.session for one in placed).items()) == [(1, 32), (2, 32), (3, 6)]


def test_what_cannot_be_kept_apart_is_still_asked_once() -> None:
    placed = put_in_order(asked(12, categories=1, images=2), RULES, "seed", "P01")
    assert len({one.question.sample_id for one in placed}) == 12


def test_distance_counts_from_what_was_answered_before() -> None:
    before = [Question("old", "0.jpg", "c0", "?")]
    placed = put_in_order(asked(20, images=20), RULES, "seed", "P01", before=before)
    position = next(n for n, one in enumerate(placed, 1) if one.question.image_name == "0.jpg")
    assert position >= 10


def test_per_image_keeps_an_images_questions_together() -> None:
    rules = AssignmentTable(presentation="per_image", questions_per_session=8)
    placed = put_in_order(asked(24, images=8), rules, "seed", "P01")
    images = [one.question.image_name for one in placed]
    # 8 images of 3 questions: whole images in sessions of at most 8, so two images in each.
    assert [images[start : start + 3] for start in range(0, 24, 3)] == [
        [image] * 3 for image in dict.fromkeys(images)
    ]
    assert Counter(one.session for one in placed) == {1: 6, 2: 6, 3: 6, 4: 6}


DAMAGE = Vocabulary(
    "Damage", AnswerFormat.MULTI, ("none", "a", "b", "c", "d", "e"), exclusive=frozenset({"none"})
)


def test_options_come_as_given_unless_shuffled_for_each_person() -> None:
    assert options_in_order(DAMAGE, "as_given", "seed", "P01") == DAMAGE.labels
    orders = {options_in_order(DAMAGE, "per_participant", "seed", f"P{n}") for n in range(20)}
    assert len(orders) > 10
    assert {order[-1] for order in orders} == {"none"}
    assert {tuple(sorted(order)) for order in orders} == {tuple(sorted(DAMAGE.labels))}


@pytest.mark.parametrize("gap", [0, 1])
def test_a_gap_of_one_lets_an_image_come_again_at_once(gap: int) -> None:
    rules = AssignmentTable(image_gap=gap)
    order = [one.question for one in put_in_order(asked(12, images=1), rules, "s", "P")]
    assert order_faults(order, gap).near_images == 0
