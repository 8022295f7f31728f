"""Real servers over small studies, for browsers to visit."""

from __future__ import annotations

import csv
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

LONTAR = (sys.executable, "-P", "-c", "from study_server.cli import main; main()")
START_SECONDS = 60.0


@dataclass
class RunningServer:
    """`lontar serve` over one study; it can be killed and started again."""

    folder: Path
    port: int
    links: dict[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def run(self, *arguments: str) -> str:
        done = subprocess.run(
            [*LONTAR, "-C", str(self.folder), *arguments],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def start(self, *arguments: str) -> None:
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                [*LONTAR, "-C", str(self.folder), "serve", "--port", str(self.port), *arguments],
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.address}/healthz", None, 5):
                    return
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                time.sleep(0.05)
        raise AssertionError((self.folder / "server.log").read_text())

    def invite(self) -> None:
        file = self.folder / "links.csv"
        self.run("invite", "--csv", str(file), "--url", self.address)
        with file.open(newline="", encoding="utf-8") as rows:
            self.links = {row["participant"]: row["link"] for row in csv.DictReader(rows)}

    def responses(self) -> list[dict[str, Any]]:
        """Export and read what the server holds."""
        self.run("export")
        text = (self.folder / "responses" / "responses.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]

    def kill(self) -> None:
        """End it like a power cut would: every process at once."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()


@pytest.fixture(scope="session")
def run_server() -> Iterator[Callable[..., RunningServer]]:
    """A function that serves a study's folder until the tests end."""
    servers: list[RunningServer] = []

    def run(folder: Path, *arguments: str) -> RunningServer:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            server = RunningServer(folder, probe.getsockname()[1])
        servers.append(server)
        server.invite()
        server.start(*arguments)
        return server

    yield run
    for server in servers:
        server.stop()


@pytest.fixture(scope="session")
def small_server(
    make_small_study: Callable[..., Path],
    run_server: Callable[..., RunningServer],
    tmp_path_factory: pytest.TempPathFactory,
) -> RunningServer:
    """A server with many participants, each with one question of every format."""
    return run_server(make_small_study(tmp_path_factory.mktemp("small") / "study", people=150))


@dataclass
class Person:
    """A participant in a browser: the questions come in the order of `ORDER`."""

    page: Page
    name: str
    link: str
    server: RunningServer

    def enter(self) -> None:
        """Open the link and click through to the first question."""
        self.page.goto(self.link)
        self.page.get_by_role("button", name="English").click()
        self.page.get_by_role("button", name="I have read the instructions").click()
        self.wait_for_image()

    def wait_for_image(self) -> None:
        """Wait until the leaf is shown and answers are taken."""
        self.page.wait_for_selector("#frame[data-shown=yes]")

    @property
    def asked(self) -> str:
        return self.page.locator("#asked").inner_text()

    def save(self) -> None:
        self.page.locator("#submit").click()

    def wait_for_next(self, asked: str) -> None:
        """Wait until another question, or another page, has taken the place of this one."""
        self.page.wait_for_function(
            "words => document.getElementById('asked')?.innerText !== words", arg=asked
        )

    def go_to(self, words: str) -> None:
        """Answer until the question with these words."""
        while words not in self.asked:
            asked = self.asked
            self.give_answer()
            self.save()
            self.wait_for_next(asked)
            self.wait_for_image()

    def give_answer(self) -> None:
        """Enter a valid answer, without saving."""
        page, asked = self.page, self.asked
        if "lines" in asked:
            page.locator("#count").fill("4")
        elif "written" in asked:
            page.locator("#text").fill("ក")
        else:
            page.locator("[name=answer]").nth(1).check()

    def stored(self) -> list[Any]:
        """Give what the server holds of this person: raw responses in the order of questions."""
        return [row["raw_response"] for row in self.rows() if row["status"] == "answered"]

    def rows(self) -> list[dict[str, Any]]:
        return [row for row in self.server.responses() if row["participant"] == self.name]


ORDER = ("script", "damage", "drawing", "lines", "written", "Which of these")


@pytest.fixture(scope="session")
def unused_people(small_server: RunningServer) -> Iterator[tuple[str, str]]:
    """Names and links of participants nobody has been yet."""
    return iter(small_server.links.items())


@pytest.fixture
def new_person(
    unused_people: Iterator[tuple[str, str]], small_server: RunningServer
) -> Callable[[Page], Person]:
    """A function that gives a fresh participant a page, before they open their link."""

    def make(page: Page) -> Person:
        return Person(page, *next(unused_people), small_server)

    return make


@pytest.fixture
def person(page: Page, new_person: Callable[[Page], Person]) -> Person:
    """A fresh participant at their first question."""
    fresh = new_person(page)
    fresh.enter()
    return fresh
