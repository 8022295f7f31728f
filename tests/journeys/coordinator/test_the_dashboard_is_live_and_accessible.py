"""The dashboard: live without reloading, 304 when nothing changed, no accessibility violation."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Request, expect

from study_server.coordinator.offered import OFFERED

pytestmark = pytest.mark.browser

AXE = Path(__file__).parents[2] / "vendor" / "axe.min.js"
PAGES = (
    "",
    "/questions",
    "/questions?answered=0",
    "/people/P1",
    "/codes",
    "/notes",
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
SCHEMES: dict[str, Any] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "forced colours": {"forced_colors": "active", "color_scheme": "dark"},
}
# Milliseconds after which the dashboard has asked for news.
ASKED_AGAIN = 5_500
OF_COLOURS = ["color-contrast", "link-in-text-block"]


def test_numbers_change_by_themselves_and_no_change_costs_a_304(
    running: Any, signed_in: Page
) -> None:
    page = signed_in
    replies: list[int] = []
    page.on("response", lambda one: replies.append(one.status) if "/live" in one.url else None)
    figure = page.locator(".figure").first
    expect(figure).to_have_text("0 of 72")
    running.answer("P1", 2)
    page.clock.fast_forward(ASKED_AGAIN)
    expect(figure).to_have_text("2 of 72")
    with page.expect_response("**/live") as unchanged:
        page.clock.fast_forward(ASKED_AGAIN)
    assert unchanged.value.status == 304
    assert replies.count(200) in {1, 2}


def test_a_lost_server_is_told(running: Any, signed_in: Page) -> None:
    page = signed_in
    page.route("**/live", lambda route: route.abort())
    page.clock.fast_forward(ASKED_AGAIN)
    expect(page.get_by_text("The server cannot be reached")).to_be_visible()
    page.unroute("**/live")
    page.clock.fast_forward(ASKED_AGAIN)
    expect(page.get_by_text("The server cannot be reached")).to_be_hidden()


@pytest.mark.skipif(not AXE.is_file(), reason="no axe-core: `npm ci` brings it")
@pytest.mark.parametrize("scheme", SCHEMES)
def test_no_page_has_an_accessibility_violation(
    running: Any, new_context: Any, signing_in: Any, scheme: str
) -> None:
    running.answer("P1", 9)
    running.answer("P2", 3)
    running.report("P3", "image", "torn")
    context = new_context(bypass_csp=True, **SCHEMES[scheme])
    asked: list[str] = []
    page = context.new_page()
    page.on("request", lambda one: asked.append(_host(one)))
    found: list[tuple[str, int, str]] = []
    page.goto(f"{running.address}/coordinator/sign-in")
    page.get_by_label("Name").fill("maria")
    page.get_by_label("Passcode").fill("wrong")
    with page.expect_navigation():
        page.get_by_role("button", name="Sign in").click()
    found += faults(page, "a refused sign-in")
    signing_in(page, running, "maria", running.passcode)
    asked_first = first_question(running)
    # In other schemes only colours differ, and a confirmation has the same ones filled in or not.
    light = scheme == "light"
    for path in (
        *PAGES,
        f"/question?sample_id={asked_first}",
        *confirmations(asked_first, filled_in=light),
    ):
        page.goto(f"{running.address}/coordinator{path}")
        found += faults(page, path)
    if light:
        found += faults_after(page, running.address, asked_first)
    assert found == []
    # Nothing is asked of anybody else.
    assert set(asked) == {running.address}


def first_question(running: Any) -> str:
    """Name a question of the sample."""
    with (running.folder / "sample" / "questions.jsonl").open(encoding="utf-8") as lines:
        return str(json.loads(next(lines))["sample_id"])


def confirmations(question: str, filled_in: bool) -> list[str]:
    """Name the confirmation of everything that can be done, also after it was filled in."""
    subjects = {
        "study": "",
        "participant": "participant=P1",
        "question": f"question={question}",
        "problem": "problem=1",
    }
    filled = ("limit=10", "quota=4", "quota=12", "pseudonym=P9", "pseudonym=P1")
    empty = [f"/steer/{name}?{subjects[one.about]}" for name, one in OFFERED.items()]
    if not filled_in:
        return empty
    return empty + [
        f"/steer/{name}?{subjects[one.about]}&{value}"
        for name, one in OFFERED.items()
        for value in filled
        if any(field[0] == value.partition("=")[0] for field in one.fields)
    ]


def faults_after(page: Page, address: str, question: str) -> list[tuple[str, int, str]]:
    """Steer through everything that can be done, and look at what is shown afterwards."""
    found = []
    for path, button, shown in (
        ("freeze", "Freeze", ""),
        ("add?pseudonym=P9", "Add participant", ""),
        ("link?participant=P8", "Make the link", ""),
        ("add?pseudonym=PA", "Add participant", ""),
        ("unlink?participant=PA", "Revoke", ""),
        ("unlink?participant=P9", "Revoke", ""),
        ("invite", "Make the links", ""),
        ("pause-person?participant=P4", "Pause", ""),
        ("resolve?problem=1", "Close the problem", "/questions"),
        (f"replace?question={question}", "Replace", f"/question?sample_id={question}"),
        ("withdraw?participant=P1", "Withdraw", "/people/P1"),
        ("erase?participant=P2", "Erase every answer", "/people/P2"),
        ("limits?limit=20", "Raise limits", ""),
        ("pause", "Pause", ""),
        ("resume", "Go on", ""),
        ("close", "Close the study", "/steer"),
    ):
        page.goto(f"{address}/coordinator/steer/{path}")
        page.get_by_label("Reason").fill("to look at it")
        with page.expect_navigation():
            page.get_by_role("button", name=button, exact=True).click()
        found += faults(page, f"after {path}")
        page.goto(f"{address}/coordinator{shown}")
        found += faults(page, f"{shown} after {path}")
    return found


def faults(page: Page, place: str) -> list[tuple[str, int, str]]:
    """Name what is wrong with a page on a laptop and on a telephone.

    In another scheme only colours differ, and one width shows them.
    """
    found = []
    light = page.evaluate("matchMedia('(prefers-color-scheme: light)').matches")
    for width in (1366, 360) if light else (1366,):
        page.set_viewport_size({"width": width, "height": 800})
        found += [(place, width, one) for one in violations(page, [] if light else OF_COLOURS)]
        overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        found += [(place, width, "too wide")] if overflow > 0 else []
    return found


def test_every_page_lives_under_the_strict_policy(running: Any, signed_in: Page) -> None:
    faults: list[str] = []
    signed_in.on("console", lambda one: faults.append(one.text) if one.type == "error" else None)
    signed_in.on("pageerror", lambda one: faults.append(str(one)))
    for path in PAGES[:-1]:
        signed_in.goto(f"{running.address}/coordinator{path}")
    assert faults == []


def violations(page: Page, rules: list[str]) -> list[str]:
    """Run axe-core on a page: some rules, or all."""
    if not page.evaluate("Boolean(window.axe)"):
        page.add_script_tag(path=AXE)
    chosen = {"resultTypes": ["violations"], **({"runOnly": rules} if rules else {})}
    found = page.evaluate("chosen => axe.run(document, chosen)", chosen)
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:160]} {one['nodes'][0]['failureSummary']}"
        for one in found["violations"]
    ]


def _host(request: Request) -> str:
    return re.match(r"[a-z]+://[^/]+", request.url).group(0)  # type: ignore[union-attr]
