"""Takes the documents' pictures from a demonstration, and every page's: `make screenshots`."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from every_page import FOLDER as PAGES
from every_page import every_page
from playwright.sync_api import Browser, Page, sync_playwright

IMAGES = Path(__file__).parent / "images"
ARGUMENTS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync"]


@contextmanager
def demonstration(folder: Path) -> Iterator[dict[str, str]]:
    """Run `lontar demo` and give its links by the word before each."""
    command = [str(Path(sys.executable).parent / "lontar"), "demo", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        links = {}
        for line in process.stdout or ():
            found = re.match(r"(Coordinator|Participant|Report) +(\S.*)", line)
            if found:
                links[found[1]] = found[2].strip()
            if "Report" in links:
                break
        try:
            yield links
        finally:
            process.terminate()


def question(browser: Browser, link: str) -> None:
    """Picture the first question that takes several labels, two of them chosen."""
    page = browser.new_page(viewport={"width": 1366, "height": 768}, locale="en-US")
    page.goto(link)
    for _ in range(20):
        labels = page.locator("input[type=checkbox][name=answer]")
        if labels.count() > 1:
            break
        go_on(page)
    labels.nth(1).check()
    labels.nth(2).check()
    page.wait_for_timeout(1500)
    page.screenshot(path=IMAGES / "question.png")
    page.close()


def telephone(browser: Browser, link: str) -> None:
    """Picture the same question on a telephone in the dark: the link brings one back to it."""
    page = browser.new_page(
        viewport={"width": 360, "height": 740},
        locale="en-US",
        color_scheme="dark",
        has_touch=True,
        is_mobile=True,
        device_scale_factor=2,
    )
    page.goto(link)
    page.wait_for_selector("#frame[data-shown=yes]")
    page.locator("input[type=checkbox][name=answer]").nth(1).check()
    page.wait_for_timeout(1500)
    page.screenshot(path=IMAGES / "telephone.png")
    page.close()


def go_on(page: Page) -> None:
    """Answer whatever is asked, or click what leads on."""
    if page.locator("input[type=radio][name=answer]").count():
        page.locator("input[type=radio][name=answer]").first.check(force=True)
    elif page.locator("[name=answer]").count():
        page.locator("[name=answer]").first.fill("5")
    with page.expect_navigation(wait_until="networkidle"):
        page.locator("main form[method=post] button[type=submit]").first.click()


def table11(browser: Browser, report: Path) -> None:
    """Picture the report from the heading of Table 11 on."""
    page = browser.new_page(viewport={"width": 1280, "height": 860}, locale="en-US")
    page.goto(report.resolve().as_uri())
    heading = page.get_by_role("heading", name="Table 11. Human baseline", exact=True)
    heading.evaluate("heading => window.scrollTo(0, heading.offsetTop - 24)")
    page.wait_for_timeout(500)
    page.screenshot(path=IMAGES / "table11.png")
    page.close()


def main() -> None:
    """Take every picture."""
    IMAGES.mkdir(exist_ok=True)
    chromium = os.environ.get("LONTAR_CHROMIUM") or shutil.which("chromium")
    with (
        tempfile.TemporaryDirectory() as folder,
        demonstration(Path(folder) / "demo") as links,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        question(browser, links["Participant"])
        telephone(browser, links["Participant"])
        table11(browser, Path(links["Report"]))
        every_page(browser)
        shutil.copy(PAGES / "feedback_1366_light.png", IMAGES / "practice.png")
        browser.close()


if __name__ == "__main__":
    main()
