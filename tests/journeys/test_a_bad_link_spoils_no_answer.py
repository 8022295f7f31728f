"""Over a slow or broken link no answer comes before its image, and the page says what it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

pytestmark = pytest.mark.browser

# What an element says, and whether it is hidden, each time that changes.
WATCH = """id => {
  const one = document.getElementById(id);
  window.seen = [];
  new MutationObserver(() => window.seen.push(one.hidden ? "" : one.textContent.trim()))
    .observe(one, {childList: true, attributes: true, attributeFilter: ["hidden"]});
  window.addEventListener("pagehide", () => localStorage.said = window.seen.join("|"));
}"""


# Waits of five seconds and more are over ten times as fast.
HASTE = """const wait = window.setTimeout;
  window.setTimeout = (act, time) => wait(act, time < 5000 ? time : time / 10);"""


class Held:
    """Requests that are on their way until they are let go."""

    def __init__(self, page: Page, address: str, method: str = "GET") -> None:
        self.waiting: list[Route] = []
        self.is_open = False
        self.method = method
        page.route(address, self._hold)

    def _hold(self, route: Route) -> None:
        if self.is_open or route.request.method != self.method:
            route.fallback()
        else:
            self.waiting.append(route)

    def fail(self) -> None:
        while self.waiting:
            self.waiting.pop().abort()

    def let_go(self) -> None:
        self.is_open = True
        while self.waiting:
            self.waiting.pop().continue_()


@pytest.fixture
def hold(page: Page) -> Iterator[Callable[..., Held]]:
    """A function that holds the page's requests for an address, until the test ends."""
    made: list[Held] = []

    def make(address: str, method: str = "GET") -> Held:
        made.append(Held(page, address, method))
        return made[-1]

    yield make
    for held in made:
        held.let_go()


def said_until_it_was_left(page: Page) -> list[str]:
    said: str = page.evaluate("localStorage.said")
    return said.split("|")


LOST = ["participant/early.js", "participant/viewer.js", "openseadragon/*"]


def lose(page: Page, script: str) -> None:
    page.route(f"**/static/**/{script}", lambda route: route.abort())


@pytest.mark.parametrize("script", LOST)
def test_whichever_script_is_lost_the_image_comes_before_the_answer(
    person: Any, hold: Callable[..., Held], script: str
) -> None:
    page, asked = person.page, person.asked
    lose(page, script)
    image = hold("**/image/*")
    page.reload(wait_until="commit")
    page.get_by_label("Tamil").check()
    expect(page.locator("#submit")).to_be_disabled()
    expect(page.locator("#state")).to_have_text("Loading the image…")
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    assert (person.asked, person.stored()) == (asked, [])
    image.let_go()
    expect(page.locator("#submit")).to_be_enabled()
    person.save()
    person.wait_for_next(asked)
    assert person.stored() == ["Tamil"]


def test_without_any_of_its_scripts_a_page_takes_no_answer(person: Any) -> None:
    page = person.page
    lose(page, "*.js")
    page.reload()
    page.wait_for_load_state("networkidle")
    page.get_by_label("Tamil").check()
    expect(page.locator("#submit")).to_be_disabled()
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    assert person.stored() == []


def test_a_script_that_is_late_leaves_the_form_to_itself(
    person: Any, hold: Callable[..., Held]
) -> None:
    page, asked = person.page, person.asked
    late = hold("**/participant/question.js")
    page.reload(wait_until="commit")
    page.get_by_label("Tamil").check()
    expect(page.locator("#submit")).to_be_enabled()
    person.save()
    page.wait_for_function("() => document.getElementById('asked')?.innerText.includes('damage')")
    late.let_go()
    person.wait_for_image()
    assert person.asked != asked
    assert person.stored() == ["Tamil"]


def test_a_browser_without_scripts_has_one_button_and_waits_for_nothing(
    new_context: Any, person: Any
) -> None:
    page = new_context(java_script_enabled=False).new_page()
    page.goto(person.link)
    expect(page.get_by_role("button", name="Save and go on")).to_have_count(1)
    expect(page.get_by_role("button", name="Save and go on")).to_be_enabled()
    expect(page.get_by_text("Loading the image…")).to_be_hidden()
    page.get_by_label("Tamil").press("Space")
    page.keyboard.press("Enter")
    expect(page.locator("#asked")).to_contain_text("damage")
    assert person.stored() == ["Tamil"]


def test_an_image_that_failed_comes_back_by_itself_and_takes_no_focus(person: Any) -> None:
    page = person.page
    page.route("**/image/*", lambda route: route.abort())
    page.reload()
    fault = page.locator("#fault")
    expect(fault).to_contain_text("It will be tried again by itself.")
    assert page.locator("#strip img").get_attribute("src") is None
    page.evaluate(WATCH, "fault")
    page.locator("#reload-image").press("Enter")
    expect(page.locator("#state")).to_be_empty()
    # Two seconds, then four: the alert stays, and is not read out again.
    page.wait_for_timeout(2500)
    assert page.evaluate("window.seen") == []
    expect(page.locator("#reload-image")).to_be_focused()
    page.unroute("**/image/*")
    person.wait_for_image()
    expect(fault).to_be_hidden()
    expect(page.get_by_role("img", name="The image this question is about")).to_be_focused()
    expect(page.locator("#submit")).to_be_enabled()
    strip = page.locator("#strip img")
    page.wait_for_function("one => one.naturalWidth > 0", arg=strip.element_handle())


@pytest.mark.parametrize("lost", ["", "openseadragon/*"])
def test_an_image_comes_back_as_soon_as_the_network_does(person: Any, lost: str) -> None:
    page = person.page
    if lost:
        lose(page, lost)
    page.route("**/image/*", lambda route: route.abort())
    page.reload()
    expect(page.locator("#fault")).to_be_visible()
    page.unroute("**/image/*")
    page.evaluate("window.dispatchEvent(new Event('online'))")
    page.wait_for_selector("#frame[data-shown=yes]", timeout=1500)
    expect(page.locator("#fault")).to_be_hidden()


def test_an_image_that_takes_long_can_be_asked_for_again(
    person: Any, hold: Callable[..., Held]
) -> None:
    page = person.page
    page.get_by_label("Tamil").check()
    page.add_init_script(HASTE)
    image = hold("**/image/*")
    page.reload(wait_until="commit")
    expect(page.locator("#state")).to_have_text("Loading the image…")
    expect(page.locator("#state")).to_have_text("Still trying: the connection is slow.")
    image.is_open = True
    with page.expect_navigation(wait_until="commit"):
        page.locator("#reload-page").click()
    image.let_go()
    person.wait_for_image()
    expect(page.locator("#reload-page")).to_be_hidden()
    expect(page.get_by_label("Tamil")).to_be_checked()


@pytest.mark.parametrize("size", [(360, 740), (1280, 720)])
def test_no_answer_moves_when_the_image_fails_and_when_it_comes(
    person: Any, hold: Callable[..., Held], size: tuple[int, int]
) -> None:
    page = person.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    image = hold("**/image/*")
    page.reload(wait_until="commit")
    page.wait_for_function("() => document.getElementById('answer-form').dataset.scripts")
    expect(page.locator("#tools")).to_be_hidden()
    expect(page.locator("#strip")).to_be_hidden()
    places = [page.locator(one).bounding_box() for one in ("#answer", "#submit")]
    image.fail()
    expect(page.locator("#fault")).to_be_visible()
    assert places == [page.locator(one).bounding_box() for one in ("#answer", "#submit")]
    image.let_go()
    person.wait_for_image()
    expect(page.locator("#tools")).to_be_visible()
    assert places == [page.locator(one).bounding_box() for one in ("#answer", "#submit")]


def test_it_is_said_that_the_image_is_loaded_or_an_entry_was_kept(person: Any) -> None:
    page = person.page
    expect(page.locator("#state")).to_have_text("The image is loaded.")
    expect(page.locator("noscript")).to_be_hidden()
    page.get_by_label("Tamil").check()
    page.reload()
    person.wait_for_image()
    expect(page.locator("#state")).to_have_text("Your earlier entry was kept.")


def test_a_slow_save_says_so_and_then_that_it_is_saved(
    person: Any, hold: Callable[..., Held]
) -> None:
    page, asked = person.page, person.asked
    page.add_init_script(HASTE)
    page.reload()
    person.wait_for_image()
    post = hold("**/question", "POST")
    page.evaluate(WATCH, "state")
    person.give_answer()
    person.save()
    expect(page.locator("#state")).to_have_text("Saving…")
    expect(page.locator("#state")).to_have_text("Still trying: the connection is slow.")
    post.let_go()
    person.wait_for_next(asked)
    # While a page is on its way, what the last one says cannot be asked for.
    assert said_until_it_was_left(page)[-1] == "Saved. The next page is on its way…"


def test_one_sentence_is_read_out_once_however_often_it_is_tried(person: Any) -> None:
    page, asked = person.page, person.asked
    failed: list[Route] = []

    def fail(route: Route) -> None:
        if route.request.method != "POST" or len(failed) == 3:
            route.fallback()
            return
        failed.append(route)
        route.fulfill(status=500)

    page.route("**/question", fail)
    page.evaluate(WATCH, "state")
    person.give_answer()
    person.save()
    person.wait_for_next(asked)
    said = said_until_it_was_left(page)
    assert len(failed) == 3
    assert sum("the server has a problem" in one for one in said) == 1


@pytest.mark.parametrize(
    ("status", "words"), [(404, "this link does not work"), (429, "too many links"), (0, "no conn")]
)
def test_a_link_that_does_not_sign_in_is_said_to(person: Any, status: int, words: str) -> None:
    page, asked = person.page, person.asked
    person.give_answer()
    page.context.clear_cookies()
    person.save()
    field = page.locator("#again-link")
    field.fill(f"{person.server.address}/p/wrong")

    def refuse(route: Route) -> None:
        route.fulfill(status=status) if status else route.abort()

    if status != 404:
        page.route("**/sign-in", refuse)
    field.press("Enter")
    expect(page.locator("#state")).to_contain_text(words)
    expect(page.locator("#state")).to_contain_text("Not saved yet")
    page.unroute_all()
    field.fill(person.link)
    field.press("Enter")
    person.wait_for_next(asked)
    assert person.stored() == ["Khmer"]


def test_instructions_on_their_way_open_at_once_and_never_unasked(
    person: Any, hold: Callable[..., Held]
) -> None:
    page = person.page
    dialog = page.locator("#instructions-dialog")
    held = hold("**/instructions")
    page.keyboard.press("i")
    expect(dialog).to_contain_text("Loading…")
    page.keyboard.press("Escape")
    held.let_go()
    page.wait_for_selector("#instructions-content > *", state="attached")
    expect(dialog).to_be_hidden()
    page.keyboard.press("i")
    expect(dialog).to_contain_text("Judge only what you can see")
    expect(dialog).not_to_contain_text("Loading…")


def test_instructions_that_do_not_come_can_be_asked_for_again(person: Any) -> None:
    page = person.page
    page.route("**/instructions", lambda route: route.abort())
    page.keyboard.press("i")
    dialog = page.locator("#instructions-dialog")
    expect(dialog).to_contain_text("This could not be loaded. Please try again.")
    page.keyboard.press("Escape")
    page.unroute("**/instructions")
    page.keyboard.press("i")
    expect(dialog).to_contain_text("Judge only what you can see")
