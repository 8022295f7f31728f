"""WCAG 2.2 AA on every participant page, in every mode, and room on small screens."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

AXE = Path(__file__).parents[1] / "vendor" / "axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
MODES = [
    {"color_scheme": "light"},
    {"color_scheme": "dark"},
    {"color_scheme": "light", "forced_colors": "active"},
    {"color_scheme": "dark", "forced_colors": "active"},
]
# Words in a box that hides what does not fit in it.
CUT_OFF = """() => [...document.querySelectorAll('body *')]
  .filter(one => one.childElementCount === 0 && one.textContent.trim() && one.offsetParent
    && !one.closest('.unseen, [hidden], option, .study, textarea, .skip-link'))
  .filter(one => ['hidden', 'clip'].includes(getComputedStyle(one).overflowX)
    && (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1))
  .map(one => `cut off: ${one.textContent}`)"""
EVERYTHING = """
[consent]
required = true

[server]
image_adjustments = true
confidence = true
comments = true
cannot_tell = true

[practice]
questions = "practice/questions.jsonl"
keys = "practice/keys.jsonl"
images = "practice/images"
"""


@pytest.fixture(scope="module")
def rich_server(
    make_small_study: Callable[..., Path],
    small_image: Callable[[str], bytes],
    run_server: Callable[..., Any],
    tmp_path_factory: pytest.TempPathFactory,
) -> Any:
    """A study with everything a page can offer."""
    folder = make_small_study(tmp_path_factory.mktemp("rich") / "study", people=16, toml=EVERYTHING)
    (folder / "practice" / "images").mkdir(parents=True)
    (folder / "practice" / "images" / "p.jpg").write_bytes(small_image("practice"))
    (folder / "practice" / "questions.jsonl").write_text(
        '{"sample_id": "p1", "image_name": "p.jpg", "category": "Drawings",'
        ' "question_en": "Any?"}\n'
    )
    (folder / "practice" / "keys.jsonl").write_text(
        '{"sample_id": "p1", "answer": "no", "feedback": "There is only text."}\n'
    )
    plan = folder / "plan" / "assignment.csv"
    # The second half of everybody's questions is a second session.
    plan.write_text(re.sub(r",1,([456])\n", r",2,\1\n", plan.read_text()))
    return run_server(folder)


@pytest.fixture(scope="module")
def rich_links(rich_server: Any) -> Iterator[str]:
    return iter(rich_server.links.values())


def violations(page: Page) -> list[str]:
    if not page.evaluate("'axe' in window"):
        # Not as a script element: the page's own policy forbids those.
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate(
        "tags => axe.run(document, {runOnly: tags})"
        ".then(r => r.violations.map(v => v.id + ': ' + v.nodes.map(n => n.target + ' '"
        " + n.failureSummary).join(' | ')))",
        TAGS,
    )
    return [str(one) for one in found]


def answer(page: Page) -> None:
    asked = page.locator("#asked").inner_text()
    page.wait_for_selector("#frame[data-shown=yes]")
    if "lines" in asked:
        page.locator("#count").fill("4")
    elif "written" in asked:
        page.locator("#text").fill("ក")
    else:
        page.locator("[name=answer]").first.check()
    if page.locator("[name=confidence]").count():
        page.locator("[name=confidence]").nth(3).check()
    page.locator("#submit").click()
    page.wait_for_function("w => document.getElementById('asked')?.innerText !== w", arg=asked)
    page.wait_for_load_state()


def states_of_a_question(page: Page) -> Iterator[str]:
    """What a question's page shows besides, and what lies over it."""
    page.locator("#submit").click()
    yield "a missing answer"
    page.locator("summary", has_text="Report a problem").click()
    page.locator("summary", has_text="I cannot tell").click()
    yield "open reports"
    page.keyboard.press("?")
    yield "keys"
    page.keyboard.press("Escape")
    page.keyboard.press("i")
    page.wait_for_selector("#instructions-content > *")
    yield "instructions over the page"
    page.keyboard.press("Escape")
    page.route("**/image/*", lambda route: route.fulfill(status=404))
    page.reload()
    page.wait_for_selector("#fault:not([hidden])")
    yield "a failed image"
    page.unroute("**/image/*")
    page.reload()
    page.wait_for_selector("#frame[data-shown=yes]")


def send_as_without_scripts(page: Page) -> None:
    with page.expect_navigation():
        page.evaluate(
            "HTMLFormElement.prototype.submit.call(document.getElementById('answer-form'))"
        )


def faults_of_a_question(page: Page, link: str) -> Iterator[str]:
    """What becomes of an answer that cannot be saved; it is saved at last."""
    asked, address = page.locator("#asked").inner_text(), page.url
    page.locator("[name=slot]").first.evaluate("field => field.value = 'nobody'")
    send_as_without_scripts(page)
    yield "not taken"
    page.goto(address)
    page.locator("[name=csrf_token]").first.evaluate("field => field.value = 'old'")
    send_as_without_scripts(page)
    yield "not saved, for the page is old"
    page.goto(address)
    page.context.clear_cookies()
    send_as_without_scripts(page)
    yield "not saved, for the session has ended"
    page.goto(address)
    yield "signed out"
    page.goto(link)
    page.wait_for_selector("#frame[data-shown=yes]")
    page.locator("[name=answer]").first.check()
    page.locator("[name=confidence]").nth(3).check()
    page.route("**/question", lambda route: route.abort())
    page.locator("#submit").click()
    page.wait_for_selector("#state.bad")
    yield "not saved, without a network"
    page.context.clear_cookies()
    page.unroute("**/question")
    page.locator("#submit").click()
    page.wait_for_selector("#again:not([hidden])")
    yield "not saved, and asked for the link"
    page.locator("#again-link").fill(link)
    page.locator("#again-go").click()
    page.wait_for_function("w => document.getElementById('asked')?.innerText !== w", arg=asked)
    page.wait_for_load_state()


def follow(page: Page, role: Any, name: str) -> None:
    """Press what leads to another page, and wait until it has come."""
    with page.expect_navigation():
        page.get_by_role(role, name=name).first.click()


def pages_of_a_study(page: Page, link: str) -> Iterator[str]:
    """Walk through everything a participant sees, stopping at each page."""
    page.goto(link)
    yield "language"
    follow(page, "button", "English")
    yield "consent"
    page.get_by_role("checkbox").check()
    follow(page, "button", "Continue")
    yield "instructions"
    follow(page, "button", "I have read the instructions")
    page.wait_for_selector("#frame[data-shown=yes]")
    yield "practice"
    answer(page)
    yield "feedback"
    follow(page, "link", "Begin the study")
    for number in range(6):
        if number == 3:
            page.wait_for_url("**/break")
            yield "break"
            follow(page, "button", "Begin the next session")
        page.wait_for_selector("#frame[data-shown=yes]")
        yield f"question {number}"
        if number == 0:
            yield from states_of_a_question(page)
        if number == 1:
            yield from faults_of_a_question(page, link)
        else:
            answer(page)
    yield "done"
    follow(page, "link", "Withdraw")
    yield "withdraw"
    follow(page, "button", "Yes, withdraw")
    yield "withdrawn"
    page.goto(link.rsplit("/", 1)[0] + "/unknown")
    yield "unknown link"
    page.goto(link.split("/p/", maxsplit=1)[0] + "/nowhere")
    yield "nothing here"


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_no_page_has_an_accessibility_violation(
    new_context: Any, rich_links: Iterator[str], mode: dict[str, str]
) -> None:
    context = new_context(**mode)
    page = context.new_page()
    found = {
        name: faults
        for name in pages_of_a_study(page, next(rich_links))
        if (faults := violations(page))
    }
    assert found == {}


@pytest.mark.parametrize("language", ["id", "km", "ta"])
def test_no_language_brings_a_violation_or_cuts_words_off(
    new_context: Any,
    rich_links: Iterator[str],
    rich_server: Any,
    language: str,
) -> None:
    size = {"width": 360, "height": 740}
    context = new_context(viewport=size)
    page, link = context.new_page(), next(rich_links)
    page.goto(link)
    page.locator(f"[name=language][value={language}]").click()
    found: dict[str, list[str]] = {}
    for path in ("consent", "instructions", "practice"):
        page.wait_for_url(f"**/{path}")
        found[path] = violations(page) + page.evaluate(CUT_OFF)
        if path == "consent":
            page.locator("#agree").check()
        if path == "practice":
            page.wait_for_selector("#frame[data-shown=yes]")
            page.locator("[name=answer]").first.check()
        page.locator("#submit, form.stack button").first.click()
    page.wait_for_url("**/practice/*/1")
    page.locator("a.button").click()
    for number in range(3):
        page.wait_for_selector("#frame[data-shown=yes]")
        found[f"question {number}"] = violations(page) + page.evaluate(CUT_OFF)
        answer(page)
    assert {name: faults for name, faults in found.items() if faults} == {}


MISSING = """async address => {
  const { missingGlyphs } = await import(address);
  return missingGlyphs(document.body.innerText, getComputedStyle(document.body).fontFamily);
}"""


@pytest.mark.parametrize(("language", "letter"), [("km", "ក"), ("ta", "அ")])
def test_every_letter_of_a_language_has_a_shape(person: Any, language: str, letter: str) -> None:
    page = person.page
    page.goto(f"{person.server.address}/language")
    page.locator(f"[name=language][value={language}]").click()
    person.wait_for_image()
    glyphs = page.evaluate(
        "() => performance.getEntriesByType('resource').map(one => one.name)"
        ".find(name => name.includes('glyphs'))"
    )
    for path in ("question", "instructions", "withdraw"):
        page.goto(f"{person.server.address}/{path}")
        assert letter in page.inner_text("body")
        # Marks for Chinese texts, which the device's own fonts have or have not.
        assert set(page.evaluate(MISSING, glyphs)) <= {"〇", "（", "）"}


def test_a_paused_study_and_too_many_wrong_links_are_told_to_everyone(
    make_small_study: Callable[..., Path],
    run_server: Callable[..., Any],
    new_context: Any,
    tmp_path: Path,
) -> None:
    server = run_server(make_small_study(tmp_path / "study", people=1))
    context = new_context(color_scheme="dark")
    page, found = context.new_page(), {}
    page.goto(server.links["P01"])
    page.get_by_role("button", name="English").click()
    page.get_by_role("button", name="I have read the instructions").click()
    page.wait_for_selector("#asked")
    with sqlite3.connect(server.folder / "study.db") as database:
        database.execute("UPDATE study SET state = 'paused'")
    page.goto(server.address)
    assert page.url.endswith("/paused")
    found["paused"] = violations(page)
    for number in range(21):
        page.goto(f"{server.address}/p/wrong-{number}")
    expect(page.get_by_role("heading")).to_have_text("Please wait a little")
    found["too many"] = violations(page)
    server.stop()
    assert found == {"paused": [], "too many": []}


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (360, 740), (768, 1024)])
def test_image_and_answers_are_visible_together(
    new_context: Any, rich_links: Iterator[str], width: int, height: int
) -> None:
    context = new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    for name in pages_of_a_study(page, next(rich_links)):
        if not name.startswith("question"):
            continue
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), name
        leaf, save = page.locator("#frame").bounding_box(), page.locator("#submit").bounding_box()
        first = page.locator("#answer input, #answer textarea").first.bounding_box()
        assert leaf
        assert save
        assert first
        assert leaf["height"] >= 130
        assert first["y"] + first["height"] <= height
        assert save["y"] + save["height"] <= height


@pytest.mark.parametrize(("width", "height"), [(320, 640), (683, 384), (640, 360)])
def test_nothing_is_cut_off_when_narrow_or_zoomed(
    new_context: Any, rich_links: Iterator[str], width: int, height: int
) -> None:
    # 683 x 384 is a 1366 x 768 screen at 200 %.
    context = new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    for name in pages_of_a_study(page, next(rich_links)):
        wide = page.locator("html").evaluate("root => root.scrollWidth")  # waits for a page
        assert wide <= width, f"{name}: {wide} px"


def test_a_missing_answer_is_announced_and_focused(new_context: Any, rich_links: Any) -> None:
    context = new_context()
    page = context.new_page()
    for name in pages_of_a_study(page, next(rich_links)):
        if name == "a missing answer":
            expect(page.locator("#answer-error")).to_have_attribute("role", "alert")
            expect(page.locator("[name=answer]").first).to_be_focused()
            break
