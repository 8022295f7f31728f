"""A small running study for the coordinators' journeys: 24 questions, 8 people, 9 answers each."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import Page

from study_server.demonstration.browsing import Browser

STUDY = """
[study]
name = "Small leaves"
seed = "small"
[benchmark]
questions = ["benchmark/test.jsonl"]
vocabularies = "benchmark/vocabularies.json"
images = "benchmark/images"
annotators = "benchmark/annotators.csv"
[sample]
strata = ["script_name", "category"]
per_stratum = 4
reserve_per_stratum = 2
[assignment]
questions_per_session = 9
[server]
languages = ["en"]
"""
VOCABULARIES = {
    "Material": {"format": "single", "labels": ["leaf", "paper"]},
    "Lines": {"format": "count", "min": 0, "max": 40},
}
COLLECTIONS = ("Khmer", "Sundanese", "Tamil")


LONTAR = (sys.executable, "-P", "-c", "from study_server.cli import main; main()")


def lontar(folder: Path, *arguments: str) -> str:
    """Run a command on a study and give what it printed."""
    command = [*LONTAR, "-C", str(folder), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Serve a study on a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [*LONTAR, "-C", str(folder), "serve", "--port", str(port), "--workers", "1"]
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        address = f"http://127.0.0.1:{port}"
        for _ in range(300):
            try:
                with urllib.request.urlopen(f"{address}/healthz", timeout=5):
                    break
            except OSError:
                assert process.poll() is None, (folder / "server.log").read_text()
                time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.wait(20)


@dataclass
class RunningStudy:
    """A study that is served, with everyone's links and a coordinator's passcode."""

    folder: Path
    address: str
    links: dict[str, str]
    passcode: str

    def answer(self, pseudonym: str, count: int = 1000) -> int:
        """Let somebody answer up to `count` questions in a browser without scripts."""
        browser = Browser()
        page = browser.open(self.links[pseudonym])
        answered = 0
        while answered < count:
            question = next((f for f in page.forms if f.named("answer") and f.named("slot")), None)
            if question is not None:
                first = question.named("answer")[0]
                value = first.value if first.kind == "radio" else "7"
                page = browser.submit(page, question, [("answer", value)])
                answered += 1
                continue
            onward = next((f for f in page.forms if f.method == "post"), None)
            if onward is None or "done" in page.address:
                break
            page = browser.submit(page, onward, [])
        return answered

    def lontar(self, *arguments: str) -> str:
        """Run a command on this study and give what it printed."""
        return lontar(self.folder, *arguments)

    def report(self, pseudonym: str, kind: str, description: str) -> None:
        """Let somebody report a problem with their first question."""
        browser = Browser()
        page = browser.open(self.links[pseudonym])
        while not any(form.named("answer") for form in page.forms):
            page = browser.submit(page, next(f for f in page.forms if f.method == "post"), [])
        form = next(form for form in page.forms if form.named("description"))
        browser.submit(page, form, [("kind", kind), ("description", description)])

    def events(self) -> list[dict[str, object]]:
        """Export and give the event log."""
        lontar(self.folder, "export")
        lines = (self.folder / "responses" / "events.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in lines.splitlines()]

    def export(self) -> list[dict[str, object]]:
        """Export and give the responses."""
        lontar(self.folder, "export")
        lines = (self.folder / "responses" / "responses.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in lines.splitlines()]


@pytest.fixture(scope="session")
def planned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small study, drawn and planned."""
    folder = tmp_path_factory.mktemp("planned") / "study"
    write_study(folder)
    for command in ("sample", "assign"):
        lontar(folder, command)
    return folder


@pytest.fixture
def running(planned: Path, tmp_path: Path) -> Iterator[RunningStudy]:
    """The small study, served."""
    shutil.copytree(planned, tmp_path, dirs_exist_ok=True)
    with serving(tmp_path) as address:
        told = lontar(tmp_path, "invite", "--url", address)
        links = dict(line.split() for line in told.splitlines())
        passcode = lontar(tmp_path, "coordinator", "add", "maria").split()[-1]
        yield RunningStudy(tmp_path, address, links, passcode)


@pytest.fixture
def signed_in(running: RunningStudy, page: Page) -> Page:
    """Chromium, signed in as the coordinator."""
    sign_in(page, running, "maria", running.passcode)
    return page


@pytest.fixture
def signing_in() -> Callable[[Page, RunningStudy, str, str], None]:
    """A function that signs somebody in."""
    return sign_in


@pytest.fixture
def new_page(new_context: Any) -> Callable[[], Page]:
    """A function that opens a page in a browser of its own."""
    return lambda: new_context().new_page()


def sign_in(page: Page, running: RunningStudy, name: str, passcode: str) -> None:
    page.goto(f"{running.address}/coordinator")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Passcode").fill(passcode)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("heading", name="Participants").wait_for()


def write_study(folder: Path) -> None:
    """Write a benchmark of 48 questions on 24 images, and its study."""
    (folder / "benchmark" / "images").mkdir(parents=True)
    (folder / "study.toml").write_text(STUDY, encoding="utf-8")
    people = "".join(f"P{number},A{number}\n" for number in range(1, 9))
    (folder / "participants.csv").write_text(f"participant,annotator_ids\n{people}")
    (folder / "benchmark" / "annotators.csv").write_text("sample_id,annotator,role\n")
    vocabularies = json.dumps(VOCABULARIES)
    (folder / "benchmark" / "vocabularies.json").write_text(vocabularies)
    records = []
    for collection in COLLECTIONS:
        for number in range(8):
            name = f"{collection}_{number}.png"
            draw_leaf(folder / "benchmark" / "images" / name, number)
            for category, key in (("Material", "leaf"), ("Lines", 7)):
                records.append(
                    {
                        "sample_id": f"{collection}-{category}-{number}",
                        "image_name": name,
                        "script_name": collection,
                        "category": category,
                        "question_en": f"What about the {category.lower()}?",
                        "answer": key,
                        "split": "test",
                    }
                )
    lines = "".join(json.dumps(record) + "\n" for record in records)
    (folder / "benchmark" / "test.jsonl").write_text(lines, encoding="utf-8")


def draw_leaf(path: Path, number: int) -> None:
    picture = Image.new("RGB", (400, 90), (205, 170, 110 + 5 * number))
    pen = ImageDraw.Draw(picture)
    for line in range(7):
        pen.line((15, 10 + 11 * line, 385 - 6 * number, 10 + 11 * line), (70, 45, 20), 2)
    picture.save(path)
