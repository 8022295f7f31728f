"""A participant withdraws on their own page; the coordinator sees it happen and mends the plan."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


def test_the_dashboard_shows_it_live_and_after_a_new_plan_everyone_else_finishes(
    running: Any, signed_in: Page, new_page: Callable[[], Page]
) -> None:
    dashboard = signed_in
    running.answer("P4", 4)
    row = dashboard.get_by_role("row", name=re.compile("P4"))
    dashboard.clock.fast_forward(5_500)
    expect(row).to_contain_text("4 of 9")

    theirs = new_page()
    theirs.goto(running.links["P4"])
    theirs.get_by_role("link", name="Withdraw").first.click()
    theirs.get_by_role("button", name="Yes, withdraw").click()
    expect(theirs.get_by_role("heading", name="You have withdrawn")).to_be_visible()

    # Nobody loads the page again: it tells by itself. 72 answers by seven people with 9 each.
    dashboard.clock.fast_forward(5_500)
    expect(row).to_contain_text("withdrawn")
    expect(dashboard.get_by_text("Cannot finish: 9 answers short.")).to_be_visible()
    expect(dashboard.locator(".figure").first).to_have_text("0 of 72")
    # ⌈72 / 7⌉ = 11; what nobody holds is given away in the same step.
    dashboard.get_by_role("link", name="Raise everyone’s limit to 11").click()
    expect(dashboard.get_by_text("9 unanswered slots will change hands.")).to_be_visible()
    dashboard.get_by_label("Reason").fill("P4 has withdrawn")
    dashboard.get_by_role("button", name="Raise limits").click()
    expect(dashboard.get_by_text("7 people may now answer up to 11 questions.")).to_be_visible()

    theirs.goto(running.links["P4"])
    expect(theirs.get_by_role("heading", name="You have withdrawn")).to_be_visible()
    for number in (1, 2, 3, 5, 6, 7, 8):
        assert running.answer(f"P{number}") in {9, 10, 11}
    dashboard.goto(f"{running.address}/coordinator")
    expect(dashboard.get_by_text("Everything is answered.")).to_be_visible()

    rows = running.export()
    answered = [one for one in rows if one["status"] == "answered"]
    by_question = Counter(one["sample_id"] for one in answered)
    assert (len(by_question), set(by_question.values())) == (24, {3})
    assert len({(one["sample_id"], one["participant"]) for one in answered}) == 72
    withdrawn = [one for one in rows if one["status"] == "withdrawn"]
    assert [one["participant"] for one in withdrawn] == ["P4"] * 4
    assert {one["response_index"] for one in withdrawn} == {None}
    dashboard.goto(f"{running.address}/coordinator/people/P4")
    expect(dashboard.get_by_text("participant.withdrawn")).to_be_visible()
