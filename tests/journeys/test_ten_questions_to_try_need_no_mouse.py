"""The demonstration's study to try: ten questions of every format, from the link to the code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from study_server.demonstration.server import run_lontar
from study_server.demonstration.study import GUEST, make_try_it

pytestmark = pytest.mark.browser

PRESSED = {
    "single": ("3", "Enter"),
    "multi": ("2", "3", "Enter"),
    "binary": ("1", "Enter"),
    "count": ("1", "2", "Enter"),
    "text": ("a", "b", "Control+Enter"),
}


@pytest.fixture(scope="module")
def try_it(run_server: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The study that `lontar demo` leaves a participant's link for."""
    folder = tmp_path_factory.mktemp("try") / "study"
    folder.mkdir()
    make_try_it(folder)
    for command in ("sample", "assign"):
        run_lontar(folder, command)
    return run_server(folder)


def test_a_guest_answers_ten_questions_with_keys_alone(try_it: Any, page: Page) -> None:
    keys, formats = page.keyboard, []
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(try_it.links[GUEST])
    keys.press("Tab")
    while page.evaluate("document.activeElement.value") != "en":
        keys.press("Tab")
    keys.press("Enter")
    page.wait_for_url("**/instructions")
    while page.evaluate("document.activeElement.type") != "submit":
        keys.press("Tab")
    keys.press("Enter")
    for number in range(1, 11):
        page.wait_for_selector("#frame[data-shown=yes]")
        expect(page.locator(".progress span")).to_contain_text(f"{number} of 10")
        slot = page.locator("#answer-form [name=slot]").input_value()
        formats.append(page.locator("#answer-form").get_attribute("data-format"))
        while formats[-1] == "text" and page.evaluate("document.activeElement.id") != "text":
            keys.press("Tab")
        for key in PRESSED[formats[-1]]:
            keys.press(key)
        page.wait_for_function(
            "slot => document.querySelector('#answer-form [name=slot]')?.value !== slot", arg=slot
        )
    expect(page.locator(".code")).to_be_visible()
    assert Counter(formats) == dict.fromkeys(PRESSED, 2)
    stored = Counter(str(row["raw_response"]) for row in try_it.responses())
    assert (stored["12"], stored["ab"], stored["yes"]) == (2, 2, 2)
    assert sum(stored.values()) == 10
