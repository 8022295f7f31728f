"""The browser keeps an answer until the server has it, and says so plainly."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

pytestmark = pytest.mark.browser


def intercept(page: Page, handle: Callable[[Route], None]) -> None:
    """Handle every submission of an answer, and nothing else."""
    page.route("**/question", lambda r: handle(r) if r.request.method == "POST" else r.continue_())


def key_of(route: Route) -> str:
    found = re.search("key=([^&]+)", route.request.post_data or "")
    assert found
    return found[1]


@pytest.mark.parametrize("status", [500, 429])
def test_a_failing_server_is_tried_again_with_the_same_key(person: Any, status: int) -> None:
    keys: list[str] = []

    def fail_twice(route: Route) -> None:
        keys.append(key_of(route))
        route.fulfill(status=status) if len(keys) < 3 else route.continue_()

    intercept(person.page, fail_twice)
    asked = person.asked
    person.give_answer()
    person.save()
    expect(person.page.locator("#state")).to_contain_text("Not saved yet")
    assert person.asked == asked
    person.wait_for_next(asked)
    assert len(keys) == 3
    assert len(set(keys)) == 1
    assert person.stored() == ["Khmer"]


def test_a_reply_that_is_lost_makes_one_response(person: Any) -> None:
    lost: list[str] = []

    def lose_first(route: Route) -> None:
        if lost:
            route.continue_()
            return
        lost.append(key_of(route))
        route.fetch()
        route.abort()

    intercept(person.page, lose_first)
    asked = person.asked
    person.give_answer()
    person.save()
    person.wait_for_next(asked)
    assert person.stored() == ["Khmer"]


def test_without_a_network_the_page_stays_and_sends_when_it_is_back(person: Any) -> None:
    asked = person.asked
    person.give_answer()
    person.page.context.set_offline(True)
    person.save()
    expect(person.page.locator("#state")).to_contain_text("no connection")
    assert person.asked == asked
    assert person.stored() == []
    person.page.context.set_offline(False)
    person.wait_for_next(asked)
    assert person.stored() == ["Khmer"]


def test_an_unsaved_answer_warns_before_closing(person: Any) -> None:
    warned: list[str] = []
    intercept(person.page, lambda route: route.fulfill(status=500))
    person.give_answer()
    person.save()
    expect(person.page.locator("#state")).to_contain_text("Not saved yet")
    person.page.on("dialog", lambda dialog: (warned.append(dialog.type), dialog.accept()))
    with person.page.expect_event("close"):
        person.page.close(run_before_unload=True)
    assert warned == ["beforeunload"]


def test_an_expired_session_is_renewed_by_the_link_with_the_answer_kept(person: Any) -> None:
    asked, page = person.asked, person.page
    person.give_answer()
    page.context.clear_cookies()
    person.save()
    expect(page.locator("#state")).to_contain_text("session has ended")
    expect(page.get_by_label("Khmer")).to_be_checked()
    page.locator("#again-link").fill(person.link)
    page.get_by_role("button", name="Sign in and save").click()
    person.wait_for_next(asked)
    assert person.stored() == ["Khmer"]


def test_signing_in_again_in_another_tab_saves_the_waiting_answer(person: Any) -> None:
    asked, page = person.asked, person.page
    person.give_answer()
    page.context.clear_cookies()
    person.save()
    expect(page.locator("#again")).to_be_visible()
    other = page.context.new_page()
    other.goto(person.link)
    other.close()
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    person.wait_for_next(asked)
    assert person.stored() == ["Khmer"]


def test_without_scripts_an_expired_session_keeps_what_was_typed(
    new_context: Any, person: Any
) -> None:
    context = new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(person.link)
    page.get_by_label("Tamil").check()
    context.clear_cookies()
    page.get_by_role("button", name="Save and go on").click()
    expect(page.get_by_role("heading")).to_have_text("Not saved yet")
    page.get_by_label("Your personal link").fill(person.link)
    page.get_by_role("button", name="Sign in and save").click()
    expect(page.locator("#asked")).to_contain_text("damage")
    assert person.stored() == ["Tamil"]


def test_a_draft_outlives_the_page(person: Any) -> None:
    person.go_to("written")
    person.page.locator("#text").fill("half a line")
    person.page.goto("about:blank")
    person.page.goto(person.link)
    expect(person.page.locator("#text")).to_have_value("half a line")


def test_two_clicks_make_one_response(person: Any) -> None:
    asked = person.asked
    person.give_answer()
    person.page.locator("#submit").dblclick(delay=5)
    person.wait_for_next(asked)
    assert person.stored() == ["Khmer"]


def test_a_second_tab_answers_the_same_question_once(person: Any) -> None:
    other = person.page.context.new_page()
    other.goto(person.link)
    other.wait_for_selector("#frame[data-shown=yes]")
    other.get_by_label("Khmer").check()
    asked = person.asked
    person.give_answer()
    person.save()
    person.wait_for_next(asked)
    other.locator("#submit").click()
    expect(other.locator("#asked")).to_contain_text("damage")
    assert person.stored() == ["Khmer"]


def test_going_back_and_reloading_stay_at_the_current_question(person: Any) -> None:
    asked = person.asked
    person.give_answer()
    person.save()
    person.wait_for_next(asked)
    person.page.reload()
    expect(person.page.locator("#asked")).to_contain_text("damage")
    # One page takes the place of the other, so that Back leads to what lies before them all.
    person.page.go_back()
    expect(person.page.get_by_role("link", name="Back to the study")).to_be_visible()
    person.page.go_forward()
    expect(person.page.locator("#asked")).to_contain_text("damage")
    assert person.stored() == ["Khmer"]


def test_a_second_device_takes_up_where_the_first_is(person: Any, new_context: Any) -> None:
    person.go_to("lines")
    elsewhere = new_context()
    page = elsewhere.new_page()
    page.goto(person.link)
    expect(page.locator("#asked")).to_contain_text("lines")


def test_clicking_a_wrong_answer_first_stores_only_the_last(person: Any) -> None:
    asked, page = person.asked, person.page
    for label in ("Balinese", "Tamil", "Balinese", "Khmer"):
        page.get_by_label(label).check()
    person.save()
    person.wait_for_next(asked)
    (row,) = person.rows()
    assert (row["raw_response"], row["edits"]) == ("Khmer", None)


def test_a_slow_server_and_an_impatient_person_make_one_response(person: Any) -> None:
    held = threading.Event()
    seen: list[str] = []

    def hold(route: Route) -> None:
        seen.append(key_of(route))
        held.wait(0.5)
        route.continue_()

    intercept(person.page, hold)
    asked = person.asked
    person.give_answer()
    for _ in range(4):
        person.page.keyboard.press("Enter")
    person.wait_for_next(asked)
    assert len(seen) == 1
    assert person.stored() == ["Khmer"]


def test_enter_while_the_next_page_is_on_its_way_sends_nothing(person: Any) -> None:
    page, asked = person.page, person.asked
    sent: list[str] = []
    on_its_way: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.method == "GET":
            on_its_way.append(route)
            return
        sent.append(key_of(route))
        route.continue_()

    page.route("**/question", hold)
    person.give_answer()
    page.keyboard.press("Enter")
    while not on_its_way:
        page.wait_for_timeout(20)
    for _ in range(3):
        page.keyboard.press("Enter")
    page.wait_for_timeout(200)
    on_its_way.pop().continue_()
    person.wait_for_next(asked)
    assert len(sent) == 1
    assert person.stored() == ["Khmer"]
