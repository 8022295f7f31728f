"""A participant vanishes: the coordinator is told what is short, raises limits, releases."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


def test_the_others_finish_with_exactly_three_answers_each(running: Any, signed_in: Page) -> None:
    page = signed_in
    assert running.answer("P3", 4) == 4
    page.reload()
    # Eight people × 9 are exactly the 72 answers that are needed.
    expect(page.get_by_text("Can finish, but with no slack.")).to_be_visible()
    expect(page.get_by_role("row", name=re.compile("P3"))).to_contain_text("4 of 9")

    page.get_by_role("link", name="P3", exact=True).click()
    page.get_by_role("link", name="Release unanswered…").click()
    expect(page.get_by_text("5 of the 5 answers P3 holds could be given to nobody")).to_be_visible()
    expect(page.get_by_role("button", name="Release and re-plan")).to_have_count(0)
    # 7 people have to give the 68 answers that P3 did not: ⌈68 / 7⌉ = 10.
    page.get_by_role("link", name="Raise everyone’s limit to 10").click()
    page.get_by_label("Reason").fill("P3 does not answer letters")
    page.get_by_role("button", name="Raise limits").click()
    expect(page.get_by_text("8 people may now answer up to 10 questions.")).to_be_visible()

    page.goto(f"{running.address}/coordinator/people/P3")
    page.get_by_role("link", name="Release unanswered…").click()
    expect(page.get_by_text("5 slots of P3 will be released; 5 unanswered slots")).to_be_visible()
    page.get_by_label("Reason").fill("P3 does not answer letters")
    page.get_by_role("button", name="Release and re-plan").click()
    expect(page.get_by_text("5 slots of P3 were released")).to_be_visible()

    for number in (1, 2, 4, 5, 6, 7, 8):
        assert running.answer(f"P{number}") in {9, 10}
    page.goto(f"{running.address}/coordinator")
    expect(page.get_by_text("Everything is answered.")).to_be_visible()

    rows = [row for row in running.export() if row["status"] == "answered"]
    by_question = Counter(row["sample_id"] for row in rows)
    assert len(by_question) == 24
    assert set(by_question.values()) == {3}
    assert len({(row["sample_id"], row["participant"]) for row in rows}) == 72
    assert Counter(row["participant"] for row in rows)["P3"] == 4
