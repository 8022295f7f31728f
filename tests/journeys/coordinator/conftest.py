"""A small running study for the coordinators' journeys: 24 questions, 8 people, 9 answers each."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
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


@dataclass
class RunningStudy:
    """A study that is served, with everyone's links and a coordinator's passcode."""

    server: Any
    links: dict[str, str]
    passcode: str

    @property
    def folder(self) -> Path:
        folder: Path = self.server.folder
        return folder

    @property
    def address(self) -> str:
        return str(self.server.address)

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
        return str(self.server.run(*arguments))

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
        self.lontar("export")
        lines = (self.folder / "responses" / "events.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in lines.splitlines()]

    def export(self) -> list[dict[str, object]]:
        """Give the responses as an export writes them."""
        rows: list[dict[str, object]] = self.server.responses()
        return rows


@dataclass(frozen=True)
class Prepared:
    """The small study before anybody answers: copied for each journey, never served itself."""

    folder: Path
    tokens: dict[str, str]
    passcode: str


@pytest.fixture(scope="session")
def prepared(
    tmp_path_factory: pytest.TempPathFactory, lontar_command: Callable[..., str]
) -> Prepared:
    """The small study, drawn and planned, everyone invited, with a coordinator."""
    folder = tmp_path_factory.mktemp("prepared") / "study"
    write_study(folder)
    for command in ("sample", "assign"):
        lontar_command(folder, command)
    told = lontar_command(folder, "invite", "--url", "http://here")
    tokens = {name: link.rpartition("/")[2] for name, link in map(str.split, told.splitlines())}
    passcode = lontar_command(folder, "coordinator", "add", "maria").split()[-1]
    return Prepared(folder, tokens, passcode)


@pytest.fixture
def running(
    prepared: Prepared, run_server: Callable[..., Any], tmp_path: Path
) -> Iterator[RunningStudy]:
    """The small study, served."""
    shutil.copytree(prepared.folder, tmp_path, dirs_exist_ok=True)
    server = run_server(tmp_path)
    links = {name: f"{server.address}/p/{token}" for name, token in prepared.tokens.items()}
    yield RunningStudy(server, links, prepared.passcode)
    server.stop()


@pytest.fixture
def signed_in(running: RunningStudy, page: Page) -> Page:
    """Chromium, signed in as the coordinator; `page.clock` can move its timers on."""
    page.clock.install()
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
