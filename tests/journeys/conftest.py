"""Real servers over small studies, for browsers to visit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page


@pytest.fixture(scope="session")
def small_server(
    make_small_study: Callable[..., Path],
    run_server: Callable[..., Any],
    tmp_path_factory: pytest.TempPathFactory,
) -> Any:
    """A server with many participants, each with one question of every format."""
    return run_server(make_small_study(tmp_path_factory.mktemp("small") / "study", people=150))


@dataclass
class Person:
    """A participant in a browser: the questions come in the order of `ORDER`."""

    page: Page
    name: str
    link: str
    server: Any

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
def unused_people(small_server: Any) -> Iterator[tuple[str, str]]:
    """Names and links of participants nobody has been yet."""
    return iter(small_server.links.items())


@pytest.fixture
def new_person(
    unused_people: Iterator[tuple[str, str]], small_server: Any
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
