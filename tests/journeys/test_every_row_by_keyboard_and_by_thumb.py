"""What goes wrong elsewhere goes right here, without a mouse: by keys alone, and by touch alone."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

pytestmark = pytest.mark.browser

MOST_TABS = 80
SECRETS = re.compile(r"leaf\d{3}|gold=|collection (Khmer|Tamil|Balinese)|\.jpe?g\b", re.IGNORECASE)


@dataclass
class Hand:
    """One way to use a page: the keyboard alone, or a thumb alone."""

    name: str
    page: Page

    @property
    def is_thumb(self) -> bool:
        return self.name == "thumb"

    def use(self, target: Locator, key: str = "Enter") -> None:
        """Tap something, or go to it with Tab and press a key."""
        if self.is_thumb:
            target.tap()
            return
        for _ in range(MOST_TABS):
            if target.evaluate("one => one === document.activeElement"):
                break
            self.page.keyboard.press("Tab")
        else:
            raise AssertionError(f"Tab does not lead to {target}")
        self.page.keyboard.press(key)

    def press(self, name: str) -> None:
        """Use the button of this name."""
        self.use(self.page.get_by_role("button", name=name, exact=True))

    def choose(self, place: int) -> None:
        """Choose an answer by its place."""
        option = self.page.locator(".option").nth(place)
        if self.is_thumb:
            option.tap()
        else:
            self.page.keyboard.press(option.get_attribute("data-key") or "")

    def save(self) -> None:
        if self.is_thumb:
            self.page.locator("#submit").tap()
        else:
            self.page.keyboard.press("Enter")

    def type(self, field: Locator, words: str) -> None:
        """Write into a field."""
        self.use(field, "Control+a")
        field.press_sequentially(words)


@pytest.fixture(params=["keyboard", "thumb"])
def hand(request: pytest.FixtureRequest, new_context: Any) -> Hand:
    """A browser that is used with keys, or a telephone."""
    screen: dict[str, Any] = {"viewport": {"width": 1366, "height": 768}}
    if request.param == "thumb":
        telephone = {"width": 360, "height": 740}
        screen = {"viewport": telephone, "has_touch": True, "is_mobile": True}
    return Hand(request.param, new_context(**screen).new_page())


@pytest.fixture
def someone(hand: Hand, new_person: Callable[[Page], Any]) -> Any:
    """A participant at their first question."""
    person = new_person(hand.page)
    hand.page.goto(person.link)
    hand.press("English")
    hand.press("I have read the instructions")
    person.wait_for_image()
    return person


def intercept(page: Page, handle: Callable[[Route], None]) -> None:
    """Handle every submission of an answer, and nothing else."""
    page.route("**/question", lambda r: handle(r) if r.request.method == "POST" else r.continue_())


def go_on(someone: Any, hand: Hand, places: tuple[int, ...] = (1,)) -> None:
    """Answer, and wait for the next question."""
    asked = someone.asked
    for place in places:
        hand.choose(place)
    hand.save()
    someone.wait_for_next(asked)
    someone.wait_for_image()


def finish(someone: Any, hand: Hand) -> None:
    """Answer everything from the first question to the completion code."""
    page = hand.page
    for places in ((1,), (1, 2), (0,)):
        go_on(someone, hand, places)
    asked = someone.asked
    hand.type(page.locator("#count"), "4")
    hand.save()
    someone.wait_for_next(asked)
    someone.wait_for_image()
    asked = someone.asked
    hand.type(page.locator("#text"), "ka")
    if hand.is_thumb:
        hand.save()
    else:
        page.keyboard.press("Control+Enter")
    someone.wait_for_next(asked)
    someone.wait_for_image()
    hand.choose(2)
    hand.save()
    expect(page.locator(".code")).to_be_visible()


FINISHED = ["Khmer", ["cracks", "stains"], "yes", 4, "ka", "None"]


def test_s1_an_answer_that_is_not_saved_is_said_to_be_not_saved(someone: Any, hand: Hand) -> None:
    replies, asked = [500, 403, 503], someone.asked
    keys: list[str] = []

    def fail(route: Route) -> None:
        keys.append(re.findall("key=([^&]+)", route.request.post_data or "")[0])
        if len(keys) <= len(replies):
            route.fulfill(status=replies[len(keys) - 1])
        else:
            route.continue_()

    intercept(hand.page, fail)
    hand.choose(1)
    hand.save()
    for words in ("server has a problem", "server refused", "server has a problem"):
        expect(hand.page.locator("#state")).to_contain_text(words)
        expect(hand.page.locator("#state")).to_contain_text("Not saved")
        assert someone.asked == asked
        kept = hand.page.evaluate("Object.values(localStorage).join()")
        assert '["answer","Khmer"]' in kept
    someone.wait_for_next(asked)
    assert (len(keys), len(set(keys))) == (4, 1)
    assert someone.stored() == ["Khmer"]


def test_s1_a_session_that_ended_asks_for_the_link_and_saves(someone: Any, hand: Hand) -> None:
    asked = someone.asked
    hand.choose(1)
    hand.page.context.clear_cookies()
    hand.save()
    expect(hand.page.locator("#again")).to_be_visible()
    expect(hand.page.locator("#again-link")).to_be_focused()
    hand.type(hand.page.locator("#again-link"), someone.link)
    hand.press("Sign in and save")
    someone.wait_for_next(asked)
    assert someone.stored() == ["Khmer"]


def test_s2_without_a_network_three_tries_lose_nothing(someone: Any, hand: Hand) -> None:
    asked = someone.asked
    hand.choose(1)
    hand.page.context.set_offline(True)
    for _ in range(3):
        hand.save()
        expect(hand.page.locator("#state")).to_contain_text("no connection")
    assert someone.asked == asked
    assert someone.stored() == []
    hand.page.context.set_offline(False)
    someone.wait_for_next(asked)
    assert someone.stored() == ["Khmer"]


def test_s2_the_code_is_shown_only_when_every_answer_is_there(someone: Any, hand: Hand) -> None:
    finish(someone, hand)
    assert someone.stored() == FINISHED


def test_s3_a_form_that_grew_old_is_renewed_silently(someone: Any, hand: Hand) -> None:
    page, asked, statuses = hand.page, someone.asked, []
    page.on("response", lambda reply: statuses.append((reply.request.method, reply.status)))
    page.evaluate("document.querySelector('[name=csrf_token]').value = 'from yesterday'")
    page.evaluate("for (const f of document.querySelectorAll('[name=csrf_token]')) f.value = 'x'")
    hand.choose(1)
    hand.save()
    someone.wait_for_next(asked)
    assert [status for method, status in statuses if method == "POST"] == [400, 200]
    assert someone.stored() == ["Khmer"]


def test_s4_twice_in_a_moment_is_once(someone: Any, hand: Hand) -> None:
    asked = someone.asked
    hand.choose(1)
    # Two events in one turn: no hand is faster.
    hand.page.evaluate(
        "() => { const b = document.getElementById('submit'); b.click(); b.click(); }"
        if hand.is_thumb
        else "() => { for (let n = 0; n < 2; n++) document.activeElement.dispatchEvent("
        "new KeyboardEvent('keydown', {key: 'Enter', bubbles: true, cancelable: true})) }"
    )
    someone.wait_for_next(asked)
    expect(hand.page.locator(".progress span")).to_contain_text("2 of 6")
    assert someone.stored() == ["Khmer"]


def test_s7_an_answer_that_was_changed_has_one_value(someone: Any, hand: Hand) -> None:
    page = hand.page
    other = Hand(hand.name, page.context.new_page())
    other.page.goto(someone.link)
    other.page.wait_for_selector("#frame[data-shown=yes]")
    page.bring_to_front()
    hand.choose(0)
    go_on(someone, hand)
    other.page.bring_to_front()
    other.choose(2)
    other.save()
    expect(other.page.locator("#asked")).to_contain_text("damage")
    (row,) = someone.rows()
    assert row["raw_response"] == "Tamil"
    assert [edit["raw_response"] for edit in row["edits"]] == ["Khmer"]


def test_s8_a_reload_and_another_device_are_at_the_same_question(
    someone: Any, hand: Hand, new_context: Any
) -> None:
    go_on(someone, hand)
    go_on(someone, hand)
    hand.page.reload()
    expect(hand.page.locator("#asked")).to_contain_text("drawing")
    elsewhere = new_context()
    page = elsewhere.new_page()
    page.goto(someone.link)
    expect(page.locator("#asked")).to_contain_text("drawing")
    someone.wait_for_image()
    go_on(someone, hand, (0,))
    page.wait_for_selector("#frame[data-shown=yes]")
    page.locator("[name=answer]").first.check()
    page.locator("#submit").click()
    expect(page.locator("#asked")).to_contain_text("lines")
    assert someone.stored() == ["Khmer", ["cracks"], "yes"]


def test_s11_only_what_is_submitted_counts(someone: Any, hand: Hand) -> None:
    for place in (0, 2, 0):
        hand.choose(place)
    go_on(someone, hand)
    (row,) = someone.rows()
    assert (row["raw_response"], row["edits"]) == ("Khmer", None)


def test_s15_enter_saves_or_does_nothing_wherever_it_is_pressed(someone: Any, hand: Hand) -> None:
    page, asked = hand.page, someone.asked
    troubles: list[int] = []
    page.on("response", lambda reply: troubles.append(reply.status))
    for field in page.locator("#answer-form input:not([type=hidden]), #leaf button").all():
        field.focus()
        page.keyboard.press("Enter")
        if page.evaluate("document.querySelector('.leaf.large') !== null"):
            page.keyboard.press("f")
    assert someone.asked == asked
    assert max(troubles, default=200) < 400
    finish(someone, hand)
    code = page.locator(".code").inner_text()
    page.reload()
    assert page.locator(".code").inner_text() == code
    page.go_back()
    page.wait_for_load_state()
    page.goto(someone.server.address)
    assert page.locator(".code").inner_text() == code


def test_i1_a_failed_image_is_blank_and_cannot_be_answered(someone: Any, hand: Hand) -> None:
    page, asked = hand.page, someone.asked
    page.context.route("**/image/*", lambda route: route.fulfill(status=404))
    hand.choose(1)
    hand.save()
    someone.wait_for_next(asked)
    expect(page.locator("#fault")).to_be_visible()
    expect(page.locator("#fault")).to_contain_text("could not be loaded")
    expect(page.locator("#strip")).to_be_hidden()
    expect(page.locator("#submit")).to_be_disabled()
    assert page.evaluate("document.getElementById('frame').viewer.world.getItemCount()") == 0
    hand.choose(1)
    hand.save() if not hand.is_thumb else None
    assert someone.stored() == ["Khmer"]
    asked = someone.asked
    hand.use(page.locator("#report-image"))
    expect(page.locator("#description")).to_be_focused()
    page.context.unroute("**/image/*")
    hand.press("Report and go on")
    someone.wait_for_next(asked)
    assert [row["status"] for row in someone.rows()] == ["answered", "skipped"]
    assert someone.rows()[1]["reason"] == "problem reported: image"


def test_i5_nothing_a_browser_receives_names_the_image(someone: Any, hand: Hand) -> None:
    received: dict[str, str] = {}

    def note(route: Route) -> None:
        reply = route.fetch(max_redirects=0)
        told = f"{route.request.all_headers()} {reply.headers}"
        if "/vendor/" not in route.request.url:
            told += reply.body().decode("utf-8", errors="replace")
        received[route.request.url] = told
        route.fulfill(response=reply)

    hand.page.route("**/*", note)
    hand.page.reload()
    someone.wait_for_image()
    go_on(someone, hand)
    hand.page.unroute_all(behavior="wait")
    assert sum("/image/" in address for address in received) >= 2
    told = {url: SECRETS.search(f"{url} {text}") for url, text in received.items()}
    assert {url: found[0] for url, found in told.items() if found} == {}


def test_i6_the_next_image_is_there_before_its_question(someone: Any, hand: Hand) -> None:
    ahead = hand.page.locator("#frame").get_attribute("data-next")
    hand.page.wait_for_function(
        "part => performance.getEntriesByType('resource').some(one => one.name.endsWith(part))",
        arg=ahead,
    )
    go_on(someone, hand)
    assert hand.page.locator("#frame").get_attribute("data-image") == ahead


def test_b1_a_participants_browser_gets_nothing_of_others(someone: Any, hand: Hand) -> None:
    # Somebody else's links, pages and images answer as if they did not exist.
    go_on(someone, hand)
    for path in ("/coordinator", "/responses.jsonl", "/export", "/question/1", "/api"):
        reply = hand.page.request.get(someone.server.address + path)
        assert "Khmer" not in reply.text(), path
        assert reply.status in {403, 404}, path


def test_b2_what_is_missing_is_named_focused_and_announced(someone: Any, hand: Hand) -> None:
    hand.save()
    error = hand.page.locator("#answer-error")
    expect(error).to_contain_text("Choose an answer first.")
    expect(error).to_have_attribute("role", "alert")
    expect(hand.page.locator("[name=answer]").first).to_be_focused()
    expect(hand.page.locator("fieldset.options")).to_have_attribute("aria-invalid", "true")
    described = hand.page.locator("fieldset.options").get_attribute("aria-describedby") or ""
    assert "answer-error" in described.split()
    go_on(someone, hand)


PREPARED = """
[consent]
required = true

[practice]
questions = "practice/questions.jsonl"
keys = "practice/keys.jsonl"
images = "practice/images"
"""


@pytest.fixture(scope="module")
def prepared(
    make_small_study: Callable[..., Path],
    small_image: Callable[[str], bytes],
    run_server: Callable[..., Any],
    tmp_path_factory: pytest.TempPathFactory,
) -> Any:
    """A study with consent and practice; the second leaf is missing and the third truncated."""
    folder = make_small_study(tmp_path_factory.mktemp("way") / "study", people=6, toml=PREPARED)
    practice = folder / "practice"
    (practice / "images").mkdir(parents=True)
    (practice / "images" / "p.jpg").write_bytes(small_image("practice"))
    (practice / "questions.jsonl").write_text(
        '{"sample_id": "p1", "image_name": "p.jpg", "category": "Drawings",'
        ' "question_en": "Any?"}\n'
    )
    (practice / "keys.jsonl").write_text(
        '{"sample_id": "p1", "answer": "no", "feedback": "Text only."}\n'
    )
    server = run_server(folder)
    (second,) = folder.glob("benchmark/images/*_001.jpg")
    second.unlink()
    (third,) = folder.glob("benchmark/images/*_002.jpg")
    third.write_bytes(third.read_bytes()[:2000])
    return server


@pytest.fixture(scope="module")
def prepared_links(prepared: Any) -> Iterator[str]:
    return iter(prepared.links.values())


def test_s14_and_i2_back_skips_no_step_and_a_lost_image_blocks_nobody(
    hand: Hand, prepared: Any, prepared_links: Iterator[str]
) -> None:
    page = hand.page
    page.goto(next(prepared_links))
    hand.press("English")
    page.wait_for_url("**/consent")
    page.go_back()
    page.goto(prepared.address)
    assert page.url.endswith("/consent")
    page.goto(f"{prepared.address}/question")
    assert page.url.endswith("/consent")
    hand.use(page.locator("#agree"), "Space")
    hand.press("Continue")
    page.wait_for_url("**/instructions")
    page.go_back()
    page.goto(f"{prepared.address}/practice")
    assert page.url.endswith("/instructions")
    page.route("**/image/*", lambda route: route.fulfill(status=404))
    hand.press("I have read the instructions")
    expect(page.locator("#fault")).to_be_visible()
    expect(page.locator("#submit")).to_be_disabled()
    hand.use(page.locator("#fault a"))
    page.unroute("**/image/*")
    page.wait_for_selector("#frame[data-shown=yes]")
    hand.choose(1)
    hand.save()
    expect(page.locator(".why")).to_have_text("Text only.")
    page.go_back()
    page.goto(prepared.address)
    page.wait_for_selector("#frame[data-shown=yes]")
    hand.choose(1)
    hand.save()
    for asked in ("damage", "drawing"):
        expect(page.locator("#asked")).to_contain_text(asked)
        expect(page.locator("#fault")).to_be_visible()
        expect(page.locator("#submit")).to_be_disabled()
        hand.use(page.locator("#report-image"))
        hand.press("Report and go on")
    expect(page.locator("#asked")).to_contain_text("lines")
    page.wait_for_selector("#frame[data-shown=yes]")
    with sqlite3.connect(prepared.folder / "study.db") as database:
        (broken,) = database.execute("SELECT count(broken_at) FROM image").fetchone()
        (reports,) = database.execute("SELECT count(*) FROM problem").fetchone()
    assert broken == 2
    assert reports >= 2


def test_s10_two_studies_in_one_browser_do_not_mix(
    someone: Any, hand: Hand, prepared: Any, prepared_links: Iterator[str]
) -> None:
    other = Hand(hand.name, hand.page.context.new_page())
    other.page.goto(next(prepared_links))
    other.press("English")
    hand.page.bring_to_front()
    go_on(someone, hand)
    other.page.bring_to_front()
    other.page.reload()
    assert other.page.url == f"{prepared.address}/consent"
    assert someone.stored() == ["Khmer"]


def test_a_participant_withdraws_from_a_question(someone: Any, hand: Hand) -> None:
    go_on(someone, hand)
    hand.use(hand.page.get_by_role("link", name="Withdraw").locator("visible=true").first)
    hand.use(hand.page.get_by_role("button", name="Yes, withdraw"))
    expect(hand.page.get_by_role("heading")).to_have_text("You have withdrawn")
    assert [row["status"] for row in someone.rows()] == ["withdrawn"]


def test_the_language_changes_on_the_way_and_the_draft_stays(someone: Any, hand: Hand) -> None:
    page = hand.page
    hand.choose(1)
    hand.use(page.get_by_role("link", name="Language").locator("visible=true").first)
    hand.press("Bahasa Indonesia")
    page.wait_for_selector("#frame[data-shown=yes]")
    expect(page.locator("#submit")).to_have_text("Simpan dan lanjutkan")
    expect(page.get_by_label("Khmer")).to_be_checked()
    go_on(someone, hand)
    assert someone.stored() == ["Khmer"]


@pytest.fixture(scope="module")
def long_list(
    make_small_study: Callable[..., Path],
    run_server: Callable[..., Any],
    tmp_path_factory: pytest.TempPathFactory,
) -> Any:
    """A study whose first question has 43 answers."""
    folder = make_small_study(tmp_path_factory.mktemp("long") / "study", people=2)
    file = folder / "benchmark" / "vocabularies.json"
    vocabularies = json.loads(file.read_text(encoding="utf-8"))
    vocabularies["Script Name"]["labels"] += [f"Écriture {number}" for number in range(1, 41)]
    file.write_text(json.dumps(vocabularies), encoding="utf-8")
    return run_server(folder)


def test_a_long_vocabulary_is_searched_and_typing_chooses_nothing(
    hand: Hand, long_list: Any
) -> None:
    page, name = hand.page, {"keyboard": "P01", "thumb": "P02"}[hand.name]
    page.goto(long_list.links[name])
    hand.press("English")
    hand.press("I have read the instructions")
    page.wait_for_selector("#frame[data-shown=yes]")
    filter_field = page.get_by_label("Find an answer")
    hand.type(filter_field, "ecriture 21")
    expect(page.locator(".option:visible")).to_have_count(1)
    expect(page.locator("#filter-count")).to_have_text("1 shown")
    assert page.locator("[name=answer]:checked").count() == 0
    if not hand.is_thumb:
        page.keyboard.press("Enter")
        expect(page.locator("#asked")).to_contain_text("script")
    hand.use(page.get_by_label("Écriture 21"), "Space")
    hand.save()
    expect(page.locator("#asked")).to_contain_text("damage")
    stored = {row["participant"]: row["raw_response"] for row in long_list.responses()}
    assert stored[name] == "Écriture 21"
