"""The dashboard: live without reloading, 304 when nothing changed, no accessibility violation."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Page, Request, expect

pytestmark = pytest.mark.browser

AXE = Path(__file__).parents[2] / "vendor" / "axe.min.js"
PAGES = (
    "",
    "/questions",
    "/questions?answered=0",
    "/questions/Khmer-Material-0",
    "/people/P1",
    "/quality",
    "/exports",
    "/log",
    "/steer",
    "/steer/release?participant=P1",
    "/steer/limits",
    "/steer/add",
    "/steer/limits?limit=12",
    "/nothing",
)


def test_numbers_change_by_themselves_and_no_change_costs_a_304(
    running: Any, signed_in: Page
) -> None:
    page = signed_in
    replies: list[int] = []
    page.on("response", lambda one: replies.append(one.status) if "/live" in one.url else None)
    figure = page.locator(".figure").first
    expect(figure).to_have_text("0 of 72")
    running.answer("P1", 2)
    expect(figure).to_have_text("2 of 72", timeout=12_000)
    page.wait_for_timeout(11_000)
    assert replies.count(200) in {1, 2}
    assert 304 in replies


def test_a_lost_server_is_told(running: Any, signed_in: Page) -> None:
    page = signed_in
    page.route("**/live", lambda route: route.abort())
    expect(page.get_by_text("The server cannot be reached")).to_be_visible(timeout=12_000)
    page.unroute("**/live")
    expect(page.get_by_text("The server cannot be reached")).to_be_hidden(timeout=12_000)


@pytest.mark.skipif(not AXE.is_file(), reason="no axe-core: `npm ci` brings it")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_an_accessibility_violation(
    running: Any, browser: Chromium, signing_in: Any, scheme: Any
) -> None:
    running.answer("P1", 9)
    running.answer("P2", 3)
    running.report("P3", "image", "torn")
    context = browser.new_context(color_scheme=scheme, bypass_csp=True, locale="en-US")
    asked: list[str] = []
    page = context.new_page()
    page.on("request", lambda one: asked.append(_host(one)))
    page.goto(f"{running.address}/coordinator/sign-in")
    assert violations(page) == []
    signing_in(page, running, "maria", running.passcode)
    found: list[tuple[str, int, str]] = []
    for width in (1366, 360):
        page.set_viewport_size({"width": width, "height": 800})
        for path in PAGES:
            page.goto(f"{running.address}/coordinator{path}")
            found += [(path, width, one) for one in violations(page)]
            overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            found += [(path, width, "too wide")] if overflow > 0 else []
    context.close()
    assert found == []
    # Nothing is asked of anybody else.
    assert set(asked) == {running.address}


def test_every_page_lives_under_the_strict_policy(running: Any, signed_in: Page) -> None:
    faults: list[str] = []
    signed_in.on("console", lambda one: faults.append(one.text) if one.type == "error" else None)
    signed_in.on("pageerror", lambda one: faults.append(str(one)))
    for path in PAGES[:-1]:
        signed_in.goto(f"{running.address}/coordinator{path}")
    assert faults == []


def violations(page: Page) -> list[str]:
    """Run axe-core on a page."""
    page.add_script_tag(path=AXE)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:160]} {one['nodes'][0]['failureSummary']}"
        for one in found["violations"]
    ]


def _host(request: Request) -> str:
    return re.match(r"[a-z]+://[^/]+", request.url).group(0)  # type: ignore[union-attr]
