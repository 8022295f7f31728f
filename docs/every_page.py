"""Pictures every page a participant sees, in `screenshots/`, to be looked at.

English in three sizes, light and dark; the other languages on a telephone and a laptop.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page
from rich.console import Console

from study_server.demonstration.run import draw_and_plan, invite_and_serve
from study_server.demonstration.study import make_try_it

FOLDER = Path(__file__).parents[1] / "screenshots"
SIZES = {1366: 768, 768: 1024, 360: 740}
OTHER_LANGUAGES = ("id", "km", "ta")
FAULTS, LEAVER = "Faults", "Leaver"
PEOPLE = ("en", *OTHER_LANGUAGES, FAULTS, LEAVER)
GLIMPSE_MILLISECONDS = 250
EVERYTHING = """
[consent]
required = true

[practice]
questions = "practice/questions.jsonl"
keys = "practice/keys.jsonl"
images = "practice/images"

[server]
cannot_tell = true
confidence = true
comments = true
image_adjustments = true
"""

Picture = Callable[[Page, str], None]


def every_page(browser: Browser) -> None:
    """Walk through a study that has everything, and picture each page once."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.png"):
        old.unlink()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as servers:
        study = Path(folder) / "study"
        study.mkdir()
        make_try_it(study)
        _add_everything(study)
        console = Console(stderr=True)
        draw_and_plan(console, study)
        address, links = invite_and_serve(console, servers, study)
        for language in ("en", *OTHER_LANGUAGES):
            with _page_of(browser, language) as page:
                page.goto(links[language])
                _walk(page, language, _picture if language == "en" else _picture_in(language))
        with _page_of(browser, "en") as page:
            page.goto(links[FAULTS])
            _hasten(page)
            _faults(page, links[FAULTS])
        _without_scripts(browser, links[FAULTS])
        with _page_of(browser, "en") as page:
            _leave_the_study(page, links[LEAVER])
            _signed_out(page, address)


@contextmanager
def _page_of(browser: Browser, language: str, *, scripts: bool = True) -> Iterator[Page]:
    """Give a page of a browser of its own."""
    context = browser.new_context(locale=language, java_script_enabled=scripts)
    yield context.new_page()
    context.close()


def _add_everything(study: Path) -> None:
    """Practise on one folio that the sample leaves out, and ask for all that can be asked."""
    (study / "practice").mkdir()
    (study / "practice" / "images").symlink_to(study / "benchmark" / "images")
    rows = [json.loads(line) for line in (study / "benchmark/test.jsonl").open(encoding="utf-8")]
    spare = next(row for row in rows if isinstance(row["answer"], str))
    kept = [row for row in rows if row["image_name"] != spare["image_name"]]
    (study / "benchmark/test.jsonl").write_text("".join(json.dumps(r) + "\n" for r in kept))
    key = {
        "sample_id": spare["sample_id"],
        "answer": spare.pop("answer"),
        "feedback": "Look at the shape of the letters first, then at what lies beside the text.",
    }
    (study / "practice/questions.jsonl").write_text(json.dumps(spare) + "\n")
    (study / "practice/keys.jsonl").write_text(json.dumps(key) + "\n")
    people = "".join(f"{name},\n" for name in PEOPLE)
    (study / "participants.csv").write_text(f"participant,annotator_ids\n{people}")
    definition = (study / "study.toml").read_text(encoding="utf-8")
    for before, after in (
        ("per_stratum = 2", 'per_stratum = 1\non_shortage = "take_all"'),
        ("questions_per_session = 10", "questions_per_session = 3"),
        ("responses_per_question = 1", f"responses_per_question = {len(PEOPLE)}"),
    ):
        definition = definition.replace(before, after)
    (study / "study.toml").write_text(definition + EVERYTHING, encoding="utf-8")


def _walk(page: Page, language: str, picture: Picture) -> None:
    """Go from page to page until the thanks."""
    seen: set[str] = set()
    while True:
        name = page.evaluate("location.pathname").strip("/").split("/")[0]
        if name == "practice" and not page.locator("#answer-form").count():
            name = "feedback"
        if page.locator("#answer-form").count():
            page.wait_for_selector("#frame[data-shown=yes]")
            name = f"{name}_{page.locator('#answer-form').get_attribute('data-format')}"
            _enter(page)
        if name not in seen:
            seen.add(name)
            picture(page, name)
        if name.startswith("practice"):
            _dialogs(page, picture)
        if name == "done":
            return
        _leave(page, language)


def _enter(page: Page) -> None:
    """Enter an answer that shows what a page looks like in use."""
    if page.locator("#count").count():
        page.fill("#count", "5")
    elif page.locator("#text").count():
        page.fill("#text", "ខ្មែរ □")
        page.wait_for_selector("#preview-line:not([hidden])")
    else:
        page.locator("[name=answer]").nth(1).check()
    if page.locator("[name=confidence]").count():
        page.locator("[name=confidence]").nth(3).check()


def _leave(page: Page, language: str) -> None:
    """Press what leads on."""
    if page.locator("#agree").count():
        page.check("#agree")
    forward = page.locator("#submit, main:not(.desk) form button, main:not(.desk) a.button").first
    if page.locator("[name=language]").count():
        forward = page.locator(f"[name=language][value={language}]")
    with page.expect_navigation(wait_until="networkidle"):
        forward.click()


def _hasten(page: Page) -> None:
    """Go to the first question of the study."""
    while "/question" not in page.url:
        if page.locator("#answer-form").count():
            page.wait_for_selector("#frame[data-shown=yes]")
            _enter(page)
        _leave(page, "en")
    page.wait_for_selector("#frame[data-shown=yes]")


def _dialogs(page: Page, picture: Picture) -> None:
    """Open what a key opens."""
    page.keyboard.press("?")
    picture(page, "keys")
    page.keyboard.press("Escape")
    page.keyboard.press("i")
    page.wait_for_selector("#instructions-content > *")
    picture(page, "instructions_over_the_page")
    page.keyboard.press("Escape")


def _faults(page: Page, link: str) -> None:
    """Show what a question's page says when something fails, then mend it."""
    page.locator("#submit").click()
    _picture(page, "no_answer")
    for summary in page.locator(".beside summary").all():
        summary.click()
    _picture(page, "reports")
    page.route("**/image/*", lambda route: route.fulfill(status=404))
    page.reload()
    page.wait_for_selector("#fault:not([hidden])")
    _picture(page, "image_failed")
    page.unroute("**/image/*")
    page.reload()
    page.wait_for_selector("#frame[data-shown=yes]")
    _enter(page)
    page.route("**/question", lambda route: route.abort())
    page.locator("#submit").click()
    page.wait_for_selector("#state.bad")
    _picture(page, "not_saved")
    page.unroute("**/question")
    page.context.clear_cookies()
    page.locator("#submit").click()
    page.wait_for_selector("#again:not([hidden])")
    _picture(page, "session_ended")
    page.fill("#again-link", link)
    with page.expect_navigation(wait_until="networkidle"):
        page.locator("#again-go").click()


def _without_scripts(browser: Browser, link: str) -> None:
    """Show the page that works without scripts, and what it leads to when it has grown old."""
    with _page_of(browser, "en", scripts=False) as page:
        page.goto(link)
        _picture(page, "question_without_scripts")
        page.context.clear_cookies()
        page.locator("#submit").click()
        _picture(page, "not_saved_without_scripts")


def _leave_the_study(page: Page, link: str) -> None:
    """Withdraw."""
    page.goto(link)
    _hasten(page)
    page.goto(page.url.replace("/question", "/withdraw"))
    _picture(page, "withdraw")
    page.locator(".grave").click()
    _picture(page, "withdrawn")


def _signed_out(page: Page, address: str) -> None:
    """Come without a link, with a wrong one, to no page, and too often."""
    page.context.clear_cookies()
    for name, path in (("signed_out", "/"), ("unknown_link", "/p/unknown"), ("nothing", "/no")):
        page.goto(address + path)
        _picture(page, name)
    for number in range(20):
        page.goto(f"{address}/p/wrong-{number}")
    _picture(page, "too_many")


def _picture(page: Page, name: str) -> None:
    """Take a page in every size and colour scheme."""
    for width in SIZES:
        for scheme in ("light", "dark"):
            _take(page, name, width, scheme)
    _take(page, name, 1366, "light")


def _picture_in(language: str) -> Picture:
    """Give a function that takes a page of another language."""

    def picture(page: Page, name: str) -> None:
        for width in (360, 1366):
            _take(page, f"{language}_{name}", width, "light")

    return picture


def _take(page: Page, name: str, width: int, scheme: str) -> None:
    page.set_viewport_size({"width": width, "height": SIZES[width]})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.mouse.move(0, 0)
    for sheet in page.locator(".sheet").all():
        sheet.evaluate("sheet => sheet.scrollTo(0, 0)")
    page.wait_for_timeout(GLIMPSE_MILLISECONDS)
    page.screenshot(path=FOLDER / f"{name}_{width}_{scheme}.png")
