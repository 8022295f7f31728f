"""Withdrawal and erasure: no answer is left in the database's files, an export or a backup."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
MARK = "blue thread in the left hole"


def holds(folder: Any, text: str) -> list[str]:
    """Name the files that hold a text anywhere, free pages and write-ahead log included."""
    return [
        path.name
        for path in sorted(folder.rglob("*"))
        if path.is_file() and text.encode() in path.read_bytes()
    ]


def test_nothing_of_an_erased_person_is_left_but_the_fact(running: Any, signed_in: Page) -> None:
    page = signed_in
    assert running.answer("P5", 6) == 6
    running.report("P5", "other", MARK)
    running.answer("P1", 2)
    database = sqlite3.connect(running.folder / "study.db")
    keys = [
        row[0]
        for row in database.execute(
            "SELECT submission_key FROM answer JOIN participant ON participant.id = participant_id"
            " WHERE pseudonym = 'P5'"
        )
    ]
    database.close()
    assert len(keys) == 6
    assert holds(running.folder, MARK)
    assert holds(running.folder, keys[0])

    page.goto(f"{running.address}/coordinator/people/P5")
    page.get_by_role("link", name="Withdraw and erase…").click()
    expect(page.get_by_text("Cannot finish")).to_be_visible()
    page.get_by_label("Reason").fill("asked to be erased")
    page.get_by_role("button", name="Erase every answer").click()
    expect(page.get_by_text("Every answer of P5 is erased")).to_be_visible()
    expect(page.get_by_text("asked to be erased")).to_be_visible()

    rows = running.export()
    assert {row["participant"] for row in rows} == {"P1"}
    copy = running.folder / "copy.db"
    running.lontar("backup", str(copy))
    for text in (MARK, *keys):
        assert holds(running.folder, text) == []
    restored = sqlite3.connect(copy)
    assert restored.execute("SELECT count(*) FROM answer").fetchone() == (2,)
    state = restored.execute("SELECT state FROM participant WHERE pseudonym = 'P5'").fetchone()
    assert state == ("erased",)
    restored.close()
    # The slots are open again: the coordinator raises limits, the others finish.
    page.goto(f"{running.address}/coordinator")
    page.get_by_role("link", name="Raise everyone’s limit to").click()
    page.get_by_label("Reason").fill("P5 has left")
    page.get_by_role("button", name="Raise limits").click()
    for number in (1, 2, 3, 4, 6, 7, 8):
        running.answer(f"P{number}")
    answered = [row for row in running.export() if row["status"] == "answered"]
    assert len({(row["sample_id"], row["participant"]) for row in answered}) == 72
