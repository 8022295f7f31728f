"""A failed image leaves a blank, an explanation and no way to answer."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("fault", ["missing", "broken"])
def test_the_previous_image_is_never_left_on_the_screen(person: Any, fault: str) -> None:
    page, asked = person.page, person.asked

    def spoil(route: Any) -> None:
        if fault == "missing":
            route.fulfill(status=404)
        else:
            route.fulfill(status=200, content_type="image/jpeg", body=b"\xff\xd8\xff\xe0 no image")

    page.context.route("**/image/*", spoil)
    person.give_answer()
    person.save()
    person.wait_for_next(asked)
    expect(page.locator("#fault")).to_be_visible()
    expect(page.locator("#fault")).to_contain_text("could not be loaded")
    expect(page.locator("#submit")).to_be_disabled()
    assert page.evaluate("document.getElementById('frame').viewer.world.getItemCount()") == 0
    page.context.unroute("**/image/*")
    page.get_by_role("button", name="Load it again").click()
    person.wait_for_image()
    expect(page.locator("#fault")).to_be_hidden()


def test_reporting_a_problem_frees_the_slot_and_goes_on(person: Any) -> None:
    page, asked = person.page, person.asked
    page.locator("#problem summary").click()
    page.get_by_label("In a few words").fill("only grey")
    page.get_by_role("button", name="Report and go on").click()
    person.wait_for_next(asked)
    (row,) = person.rows()
    assert (row["status"], row["reason"]) == ("skipped", "problem reported: image")


def test_the_next_image_is_loaded_ahead(person: Any) -> None:
    ahead = person.page.locator("#frame").get_attribute("data-next")
    person.page.wait_for_function(
        "part => performance.getEntriesByType('resource').some(one => one.name.endsWith(part))",
        arg=ahead,
    )
