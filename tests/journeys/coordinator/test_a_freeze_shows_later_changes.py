"""Freeze by button: what is changed afterwards is a deviation on the dashboard."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


def test_a_changed_setting_is_a_deviation_and_a_second_freeze_after_answers_is_refused(
    running: Any, signed_in: Page
) -> None:
    page = signed_in
    page.get_by_role("link", name="Steer").click()
    page.get_by_role("link", name="Freeze the study…").click()
    page.get_by_label("Reason").fill("before the first answer")
    page.get_by_role("button", name="Freeze").click()
    expect(page.get_by_text("The study is frozen. Digest")).to_be_visible()
    assert "sample/keys.jsonl" not in (running.folder / "freeze.json").read_text()

    running.answer("P1", 1)
    toml = running.folder / "study.toml"
    toml.write_text(toml.read_text() + "[analysis]\nresamples = 99\n")
    # Another person joins: the deviations are worked out again at once.
    page.goto(f"{running.address}/coordinator/steer/add")
    page.get_by_label("Pseudonym, never a name").fill("P9")
    page.get_by_role("button", name="Show what this would do").click()
    page.get_by_label("Reason").fill("one more to be safe")
    page.get_by_role("button", name="Add participant").click()
    expect(page.get_by_text("P9 takes part, barred from 0 questions")).to_be_visible()
    assert page.locator(".link-once").inner_text().startswith(f"{running.address}/p/")

    page.goto(f"{running.address}/coordinator")
    deviations = page.get_by_role("region", name="Deviations from the frozen plan")
    expect(deviations).to_contain_text("[analysis] resamples: 10000 when frozen, now 99")
    expect(deviations).to_contain_text(
        "participant P9: joined, excluded questions: 0, quota: none (one more to be safe)"
    )
    told = running.lontar("freeze", "--check")
    assert "analysis plan: [analysis] resamples: 10000 when frozen, now 99" in told

    page.goto(f"{running.address}/coordinator/steer/freeze")
    expect(page.get_by_role("alert")).to_contain_text("people have answered since")
