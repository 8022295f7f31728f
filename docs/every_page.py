"""Pictures every page a participant sees, small and large, light and dark, in `screenshots/`."""

from __future__ import annotations

import json
import tempfile
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Browser, Page
from rich.console import Console

from study_server.demonstration.run import draw_and_plan, invite_and_serve
from study_server.demonstration.study import GUEST, make_try_it

FOLDER = Path(__file__).parents[1] / "screenshots"
SIZES = ((1366, 768), (768, 1024), (360, 740))
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


def every_page(browser: Browser) -> None:
    """Walk through a study that has everything, and picture each page once."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as servers:
        study = Path(folder) / "study"
        study.mkdir()
        make_try_it(study)
        _add_everything(study)
        console = Console(stderr=True)
        draw_and_plan(console, study)
        _address, links = invite_and_serve(console, servers, study)
        page = browser.new_page(locale="en-US")
        page.goto(links[GUEST])
        _walk(page)
        page.goto(links[GUEST].rsplit("/", 1)[0] + "/unknown")
        _picture(page, "unknown_link")
        page.close()


def _add_everything(study: Path) -> None:
    """Practise on one folio that the sample leaves out, and ask for all that can be asked."""
    (study / "practice").mkdir()
    (study / "practice" / "images").symlink_to(study / "benchmark" / "images")
    rows = [json.loads(line) for line in (study / "benchmark/test.jsonl").open(encoding="utf-8")]
    spare = next(row for row in rows if isinstance(row["answer"], str))
    kept = [row for row in rows if row["image_name"] != spare["image_name"]]
    (study / "benchmark/test.jsonl").write_text("".join(json.dumps(r) + "\n" for r in kept))
    key = {"sample_id": spare["sample_id"], "answer": spare.pop("answer")}
    (study / "practice/questions.jsonl").write_text(json.dumps(spare) + "\n")
    (study / "practice/keys.jsonl").write_text(json.dumps(key) + "\n")
    definition = (study / "study.toml").read_text(encoding="utf-8")
    definition = definition.replace("per_stratum = 2", 'per_stratum = 1\non_shortage = "take_all"')
    definition = definition.replace("questions_per_session = 10", "questions_per_session = 3")
    (study / "study.toml").write_text(definition + EVERYTHING, encoding="utf-8")


def _walk(page: Page) -> None:
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
            _picture(page, name)
        if name == "done":
            return
        _leave(page)


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


def _leave(page: Page) -> None:
    """Press what leads on."""
    if page.locator("#agree").count():
        page.check("#agree")
    forward = page.locator("#submit, main:not(.desk) form button, main:not(.desk) a.button").first
    with page.expect_navigation(wait_until="networkidle"):
        forward.click()


def _picture(page: Page, name: str) -> None:
    """Take a page in every size and colour scheme."""
    for width, height in SIZES:
        for scheme in ("light", "dark"):
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme=scheme)
            page.wait_for_timeout(400)
            page.screenshot(path=FOLDER / f"{name}_{width}_{scheme}.png")
    page.set_viewport_size({"width": 1366, "height": 768})
    page.emulate_media(color_scheme="light")
