"""Little height, a browser that translates, a reply that is lost, a bot that looks first."""

from __future__ import annotations

import sqlite3
import urllib.request
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from sampling.study.folder import open_study

pytestmark = pytest.mark.browser

# Where the text is typed: the middle of the first line of the box, as far as it is in the window.
ON_TOP = """() => {
  const box = document.getElementById('text').getBoundingClientRect();
  const style = getComputedStyle(document.getElementById('text'));
  const line = box.top + parseFloat(style.paddingTop) + parseFloat(style.lineHeight || 20) / 2;
  const found = document.elementFromPoint(box.left + box.width / 2, line);
  return [line > 0 && line < innerHeight, found?.id];
}"""


@pytest.mark.parametrize(("width", "height"), [(640, 400), (640, 360), (360, 400), (320, 256)])
def test_what_is_typed_is_seen_where_there_is_little_height(
    new_context: Callable[..., Any],
    new_person: Callable[[Page], Any],
    width: int,
    height: int,
) -> None:
    page = new_context(viewport={"width": width, "height": height}).new_page()
    someone = new_person(page)
    someone.enter()
    someone.go_to("written")
    page.locator("#text").click()
    page.keyboard.type("abc")
    assert page.evaluate(ON_TOP) == [True, "text"]
    expect(page.locator("#text")).to_be_in_viewport(ratio=0.3)


@pytest.mark.parametrize("mark", ["translated-ltr", "translated-rtl"])
def test_a_page_that_a_browser_translates_is_noted_with_the_answer(person: Any, mark: str) -> None:
    asked = person.asked
    # As Chrome does: the root is marked, and texts that are not kept from it become others.
    person.page.evaluate("mark => document.documentElement.classList.add(mark)", mark)
    person.give_answer()
    person.save()
    person.wait_for_next(asked)
    person.wait_for_image()
    asked = person.asked
    person.give_answer()
    person.save()
    person.wait_for_next(asked)
    assert [row["adjustments"] for row in person.rows()] == [{"page_translated": 1.0}, None]
    kept = person.page.locator("#asked")
    assert (kept.get_attribute("translate"), kept.get_attribute("lang")) == ("no", "")


def test_an_answer_changed_after_a_lost_reply_is_the_one_that_counts(person: Any) -> None:
    lost: list[str] = []

    def lose_first(route: Route) -> None:
        if route.request.method != "POST" or lost:
            route.continue_()
            return
        lost.append(route.request.post_data or "")
        route.fetch()
        route.abort()

    person.page.route("**/question", lose_first)
    asked = person.asked
    options = person.page.locator("[name=answer]")
    first, second = options.nth(1), options.nth(2)
    words = [one.get_attribute("value") for one in (first, second)]
    first.check()
    person.save()
    expect(person.page.locator("#state")).to_contain_text("Not saved yet")
    second.check()
    person.save()
    person.wait_for_next(asked)
    (row,) = person.rows()
    assert row["raw_response"] != row["edits"][0]["raw_response"]
    assert len(row["edits"]) == 1
    assert len(set(words)) == 2


def test_a_bot_that_fetches_the_link_starts_nobody_and_no_clock(
    new_person: Callable[[Page], Any], page: Page
) -> None:
    someone = new_person(page)
    for method in ("GET", "GET", "GET", "HEAD"):
        bot = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor()
        )
        headers = {"User-Agent": "Slackbot-LinkExpanding 1.0"}
        with bot.open(urllib.request.Request(someone.link, headers=headers, method=method)) as got:
            assert got.status == 200
    assert traces(someone) == (None, 0)
    begun = datetime.now(UTC)
    someone.enter()
    someone.give_answer()
    asked = someone.asked
    someone.save()
    someone.wait_for_next(asked)
    (row,) = someone.rows()
    assert datetime.fromisoformat(row["shown_at"]) >= begun.replace(microsecond=0)
    seen, started = traces(someone)
    assert seen is not None
    assert started == 1


def traces(someone: Any) -> tuple[Any, int]:
    """Read when somebody was last seen, and how often the log says they started."""
    connection = sqlite3.connect(open_study(someone.server.folder).database_file)
    try:
        (seen,) = connection.execute(
            "SELECT last_seen_at FROM participant WHERE pseudonym = ?", (someone.name,)
        ).fetchone()
        (started,) = connection.execute(
            "SELECT count(*) FROM event WHERE action = 'participant.started' AND actor = ?",
            (f"participant:{someone.name}",),
        ).fetchone()
    finally:
        connection.close()
    return seen, started
