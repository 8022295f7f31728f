"""A faulty image is reported and replaced mid-study: the new question gets its three answers."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


def test_the_replacement_is_asked_scored_and_shown_as_a_deviation(
    running: Any, signed_in: Page
) -> None:
    page = signed_in
    digest = running.lontar("freeze", "--reason", "before the first answer").strip()
    assert len(digest) == 64
    running.answer("P1", 3)
    running.report("P2", "image", "only half of it loads")

    page.goto(f"{running.address}/coordinator")
    problem = page.get_by_role("listitem").filter(has_text="only half of it loads")
    expect(problem).to_contain_text("image at")
    faulty = problem.get_by_role("link").inner_text()
    problem.get_by_role("link").click()
    page.get_by_role("link", name="Replace this question…").click()
    page.get_by_label("Reason").fill("half of the image is missing")
    page.get_by_role("button", name="Replace").click()
    expect(page.get_by_text(f"{faulty} is replaced by")).to_be_visible()

    for number in range(1, 9):
        running.answer(f"P{number}")
    page.goto(f"{running.address}/coordinator")
    expect(page.get_by_text("Everything is answered.")).to_be_visible()
    expect(page.get_by_text("No reported problems, skips or comments.")).to_be_visible()
    deviations = page.get_by_role("region", name="Deviations from the frozen plan")
    expect(deviations).to_contain_text(f"question {faulty}: replaced, replacement: ")
    expect(deviations).to_contain_text("(half of the image is missing)")

    running.lontar("export")
    answered = [row for row in running.export() if row["status"] == "answered"]
    ids = {row["sample_id"] for row in answered}
    assert (len(answered), len(ids)) == (72, 24)
    assert faulty not in ids
    for name in ("questions", "keys"):
        lines = (running.folder / "sample" / f"{name}.jsonl").read_text(encoding="utf-8")
        assert {json.loads(line)["sample_id"] for line in lines.splitlines()} == ids
