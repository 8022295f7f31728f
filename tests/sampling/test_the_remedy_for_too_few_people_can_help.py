"""What is advised when people cannot finish can help."""

from __future__ import annotations

from sampling.assignment.feasibility import check_feasibility
from sampling.plan.solver import remedy


def test_limits_are_not_blamed_where_nobody_may_answer() -> None:
    found = check_feasibility({"q1": 1}, {"P01": 5}, frozenset({("P01", "q1")}))
    assert remedy(found, 1, 1) == "add people, or exclude fewer roles"


def test_limits_are_named_where_somebody_may_answer() -> None:
    found = check_feasibility({"q1": 1, "q2": 1}, {"P01": 1}, frozenset())
    assert "raise quotas" in remedy(found, 1, 1)


def test_limits_are_not_blamed_where_a_question_needs_more_people_than_there_are() -> None:
    found = check_feasibility({"q1": 3}, {"P01": 5, "P02": 5}, frozenset())
    assert remedy(found, 3, 2) == (
        "3 different people are needed for each question, and there are 2: add people, or lower "
        "[assignment] responses_per_question"
    )
