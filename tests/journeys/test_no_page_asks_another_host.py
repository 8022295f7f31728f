"""Participants' addresses go to nobody else: with every other host blocked, every page works."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

pytestmark = pytest.mark.browser


def test_from_the_link_to_the_code_nothing_is_fetched_from_elsewhere(
    page: Page, new_person: Callable[[Page], Any]
) -> None:
    person = new_person(page)
    elsewhere: list[str] = []
    failed: list[str] = []
    own = urlsplit(person.server.address).netloc

    def watch(route: Route) -> None:
        address = urlsplit(route.request.url)
        if address.scheme in ("http", "https") and address.netloc != own:
            elsewhere.append(route.request.url)
            route.abort()
        else:
            route.continue_()

    page.context.route("**/*", watch)
    page.on("response", lambda reply: reply.status >= 400 and failed.append(reply.url))
    person.enter()
    page.keyboard.press("i")  # the instructions lie over the page
    expect(page.locator("#instructions-content > *").first).to_be_visible()
    page.keyboard.press("Escape")
    person.go_to("Which of these")
    asked = person.asked
    person.give_answer()
    person.save()
    person.wait_for_next(asked)
    expect(page.get_by_text("Thank you")).to_be_visible()
    page.evaluate("document.fonts.ready")
    assert (elsewhere, failed) == ([], [])


def test_a_picture_from_another_host_is_not_fetched_even_when_a_script_asks(
    page: Page, new_person: Callable[[Page], Any]
) -> None:
    new_person(page).enter()
    stopped_by: list[str | None] = []
    page.on("requestfailed", lambda one: stopped_by.append(one.failure))
    page.evaluate(
        "new Promise(done => { const image = new Image(); image.onerror = image.onload = done;"
        " image.src = 'http://elsewhere.invalid/x.png'; })"
    )
    # The page's own policy stops it, before any name is looked up.
    assert stopped_by == ["csp"]
