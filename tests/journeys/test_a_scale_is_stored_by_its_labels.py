"""A scale from 0 to 10: the key beside an option, and a click on it, store the same label."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

pytestmark = pytest.mark.browser

SCALE = [str(number) for number in range(11)]


@pytest.fixture
def scale(
    make_small_study: Callable[..., Path], run_server: Callable[..., Any], tmp_path: Path
) -> Any:
    """A study that asks two people for a number on the scale, twice."""
    folder = make_small_study(tmp_path / "study", people=2, rounds=2)
    vocabularies = folder / "benchmark" / "vocabularies.json"
    known = json.loads(vocabularies.read_text(encoding="utf-8"))
    known["Odd Labels"]["labels"] = SCALE
    vocabularies.write_text(json.dumps(known), encoding="utf-8")
    sample = folder / "sample" / "questions.jsonl"
    asked = [line for line in sample.read_text().splitlines() if "Odd Labels" in line]
    sample.write_text("".join(f"{line}\n" for line in asked))
    plan = ["participant,sample_id,response_index,session,position"]
    for index, person in enumerate(("P01", "P02"), start=1):
        for position, line in enumerate(asked, start=1):
            plan.append(f"{person},{json.loads(line)['sample_id']},{index},1,{position}")
    (folder / "plan" / "assignment.csv").write_text("".join(f"{line}\n" for line in plan))
    return run_server(folder)


def begin(page: Page, link: str) -> None:
    page.goto(link)
    page.get_by_role("button", name="English").press("Enter")
    page.get_by_role("button", name="I have read the instructions").press("Enter")
    page.wait_for_selector("#frame[data-shown=yes]")


def test_both_ends_are_stored_alike_by_key_and_by_mouse(scale: Any, page: Page) -> None:
    options = "#answer-form .option"
    for person in ("P01", "P02"):
        page.context.clear_cookies()
        begin(page, scale.links[person])
        for place in (0, 10):
            slot = page.locator("#answer-form [name=slot]").input_value()
            option = page.locator(options).nth(place)
            if person == "P01":
                page.keyboard.press(option.get_attribute("data-key") or "")
                page.keyboard.press("Enter")
            else:
                option.click()
                page.locator("#submit").click()
            page.wait_for_function(
                "slot => document.querySelector('#answer-form [name=slot]')?.value !== slot",
                arg=slot,
            )
            if place == 0:
                page.wait_for_selector("#frame[data-shown=yes]")
    stored = [(row["participant"], row["raw_response"]) for row in scale.responses()]
    assert sorted(stored) == [("P01", "0"), ("P01", "10"), ("P02", "0"), ("P02", "10")]
