"""What is advised when people cannot finish can help."""

from __future__ import annotations

from sampling.feasibility import check_feasibility
from sampling.plan_solver import remedy


def test_limits_are_not_blamed_where_nobody_may_answer() -> None:
    found = check_feasibility({"q1": 1}, {"P01": 5}, frozenset({("P01", "q1")}))
    assert remedy(found) == "add people, or exclude fewer roles"


def test_limits_are_named_where_somebody_may_answer() -> None:
    found = check_feasibility({"q1": 1, "q2": 1}, {"P01": 1}, frozenset())
    assert "raise quotas" in remedy(found)
