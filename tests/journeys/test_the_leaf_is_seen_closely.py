"""The image: fitted at first; wheel, drag, double click, pinch, strip, full screen, no motion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

pytestmark = pytest.mark.browser

VIEWPORT = "document.getElementById('frame').viewer.viewport"


def bounds(page: Page) -> dict[str, float]:
    """The part of the leaf in view, in units of its width; what is aimed at, not yet reached."""
    found: dict[str, float] = page.evaluate(
        f"[{VIEWPORT}.getBounds()].map(b => ({{x: b.x, y: b.y, width: b.width}}))[0]"
    )
    return found


def middle(page: Page) -> tuple[float, float]:
    box = page.locator("#viewer").bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_leaf_opens_fitted_to_its_width(person: Any) -> None:
    seen = bounds(person.page)
    assert seen["x"] == pytest.approx(0, abs=0.002)
    assert seen["width"] == pytest.approx(1, abs=0.004)
    person.page.set_viewport_size({"width": 800, "height": 900})
    person.page.wait_for_timeout(300)
    assert bounds(person.page)["width"] == pytest.approx(1, abs=0.004)


def test_the_wheel_and_a_double_click_zoom_and_dragging_moves(person: Any) -> None:
    page = person.page
    page.mouse.move(*middle(page))
    page.mouse.wheel(0, -300)
    page.wait_for_function(f"() => {VIEWPORT}.getBounds().width < 0.95")
    wheeled = bounds(page)["width"]
    page.mouse.dblclick(*middle(page))
    page.wait_for_function(f"() => {VIEWPORT}.getBounds().width < {wheeled * 0.9}")
    page.wait_for_timeout(600)
    before = bounds(page)["x"]
    x, y = middle(page)
    page.mouse.down()
    page.mouse.move(x - 120, y, steps=4)
    page.mouse.up()
    assert bounds(page)["x"] > before


def test_the_strip_shows_where_one_is_and_leads_elsewhere(person: Any) -> None:
    page = person.page
    expect(page.locator("#strip")).to_have_class("strip whole")
    for _ in range(3):
        page.keyboard.press("+")
    expect(page.locator("#strip")).to_have_class("strip")
    page.wait_for_function(
        "() => parseFloat(document.querySelector('#strip span').style.width) < 50"  # percent
    )
    strip = page.locator("#strip img").bounding_box()
    assert strip
    # The leaf is 900 by 180.
    assert strip["width"] / strip["height"] == pytest.approx(5, rel=0.02)
    page.mouse.click(strip["x"] + strip["width"] * 0.9, strip["y"] + strip["height"] / 2)
    seen = bounds(page)
    assert seen["x"] + seen["width"] > 0.9


def test_who_comes_to_the_image_by_tab_is_told_and_arrows_move_it(person: Any) -> None:
    page = person.page
    image = page.get_by_role("img", name="The image this question is about")
    for _ in range(20):
        page.keyboard.press("Tab")
        if image.evaluate("one => one === document.activeElement"):
            break
    expect(image).to_be_focused()
    page.keyboard.press("+")
    before = bounds(page)["x"]
    page.keyboard.press("ArrowRight")
    assert bounds(page)["x"] > before


def test_full_screen_is_one_key_away_and_one_back(person: Any) -> None:
    page = person.page
    page.keyboard.press("2")
    page.keyboard.press("f")
    expect(page.locator(".leaf")).to_have_class("leaf large")
    expect(page.locator("[data-act=full]")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("f")
    expect(page.locator(".leaf")).to_have_class("leaf")
    expect(page.get_by_label("Khmer")).to_be_checked()


def test_two_fingers_zoom(new_context: Any, new_person: Callable[[Page], Any]) -> None:
    context = new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    person = new_person(context.new_page())
    person.enter()
    page = person.page
    x, y = middle(page)
    wire = context.new_cdp_session(page)

    def touch(kind: str, apart: float) -> None:
        points = [] if kind == "touchEnd" else [{"x": x - apart, "y": y}, {"x": x + apart, "y": y}]
        wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 20)
    for apart in (30, 45, 60, 80):
        touch("touchMove", apart)
    touch("touchEnd", 0)
    page.wait_for_function(f"() => {VIEWPORT}.getBounds().width < 0.6")
    # The page itself has not been zoomed: the answers are where they were.
    assert page.evaluate("visualViewport.scale") == 1


def test_nothing_glides_where_motion_is_unwanted(
    new_context: Any, new_person: Callable[[Page], Any]
) -> None:
    context = new_context(reduced_motion="reduce")
    person = new_person(context.new_page())
    person.enter()
    person.page.keyboard.press("+")
    # Two pictures later; `true` asks for what is shown, not for where it is going.
    assert person.page.evaluate(
        "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => "
        f"done({VIEWPORT}.getZoom(true) === {VIEWPORT}.getZoom()))))"
    )
    glides = person.page.evaluate(
        "[...document.querySelectorAll('*')].filter(one => "
        "parseFloat(getComputedStyle(one).transitionDuration) > 0).length"
    )
    assert glides == 0


def test_a_leaf_on_its_way_is_seen_as_it_comes(person: Any) -> None:
    page = person.page
    on_its_way: list[Route] = []
    arrived = False

    def hold(route: Route) -> None:
        if arrived:
            route.continue_()
        else:
            on_its_way.append(route)

    page.route("**/image/*", hold)
    page.reload(wait_until="commit")
    expect(page.locator("#state")).to_have_text("Loading the image…")
    expect(page.locator("#plain")).to_be_visible()
    expect(page.locator("#submit")).to_be_disabled()
    arrived = True
    for route in on_its_way:
        route.continue_()
    person.wait_for_image()
    expect(page.locator("#plain")).to_be_hidden()
    expect(page.locator("#submit")).to_be_enabled()
