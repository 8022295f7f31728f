"""Twenty-four people answer while exports and a stop go on: no error, nothing lost or doubled."""

from __future__ import annotations

import re
import signal
import sqlite3
import threading
import time
import urllib.error
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any

from sampling.study.errors import StudyError
from study_server.demonstration.browsing import Browser, Page

ANSWERS = {
    "Which script is it?": "Khmer",
    "Which damage is visible?": "cracks",
    "Is there a drawing?": "yes",
    "How many lines are there?": "4",
    "What is written?": "ក",
    "Which of these?": "None",
}
STOPPED = (urllib.error.URLError, HTTPException, ConnectionError, TimeoutError, StudyError)


def answer_all(link: str, acknowledged: list[str], refused: list[str]) -> None:
    """Answer everything there is, and note every reply that is no success."""
    browser = Browser()
    page = browser.open(link)
    while True:
        posts: list[Any] = [form for form in page.forms if form.method == "post"]
        question = next((form for form in posts if form.named("answer")), None)
        if page.status >= 400:
            refused.append(f"{page.status} {page.address}")
            return
        if question is None and not posts:
            return
        if question is None:
            pressed = [(one.name, one.value) for one in posts[0].controls if one.name == "language"]
            page = browser.submit(page, posts[0], pressed[:1])
            continue
        value = next(answer for words, answer in ANSWERS.items() if words in page.text)
        slot = question.named("slot")[0].value
        page = _save(browser, page, question, value)
        acknowledged.append(slot)


def _save(browser: Browser, page: Page, form: Any, value: str) -> Page:
    return browser.submit(page, form, [("answer", value)])


def test_answers_and_exports_at_once_disturb_nobody(
    make_small_study: Callable[..., Path], run_process: Callable[..., Any], tmp_path: Path
) -> None:
    server = run_process(make_small_study(tmp_path / "study", people=24), "--workers", "2")
    acknowledged: list[str] = []
    refused: list[str] = []
    threads = [
        threading.Thread(target=answer_all, args=(link, acknowledged, refused))
        for link in server.links.values()
    ]
    for thread in threads:
        thread.start()
    counts = []
    while any(thread.is_alive() for thread in threads):
        rows = server.responses()
        counts.append(len(rows))
        assert len({(row["participant"], row["sample_id"]) for row in rows}) == len(rows)
    for thread in threads:
        thread.join()
    assert refused == []
    assert counts == sorted(counts)
    stored = Counter(row["sample_id"] for row in server.responses())
    assert set(stored.values()) == {24}
    assert len(acknowledged) == 24 * 6
    server.stop()
    assert not re.search(r"locked|Traceback", (server.folder / "server.log").read_text())


def test_an_answer_that_waits_for_its_turn_when_the_stop_comes_is_stored(
    make_small_study: Callable[..., Path], run_process: Callable[..., Any], tmp_path: Path
) -> None:
    server = run_process(make_small_study(tmp_path / "study"))
    browser = Browser()
    page = browser.open(server.links["P01"])
    while not page.address.endswith("/question"):
        form = next(one for one in page.forms if one.method == "post")
        page = browser.submit(page, form, [("language", "en")] if form.named("language") else [])
    form = next(one for one in page.forms if one.named("answer"))
    value = next(answer for words, answer in ANSWERS.items() if words in page.text)

    def answer() -> None:
        with suppress(*STOPPED):
            browser.submit(page, form, [("answer", value)])

    sending = threading.Thread(target=answer)
    with sqlite3.connect(server.folder / "study.db", isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        sending.start()
        time.sleep(1.0)
        server.process.send_signal(signal.SIGTERM)
        time.sleep(1.0)
        assert server.process.poll() is None
        other.execute("COMMIT")
    other.close()
    assert server.process.wait(40) == 0
    sending.join()
    assert [row["raw_response"] for row in server.responses()] == [value]


def test_a_stop_lets_running_requests_finish(
    make_small_study: Callable[..., Path], run_process: Callable[..., Any], tmp_path: Path
) -> None:
    server = run_process(make_small_study(tmp_path / "study", people=12, rounds=4))
    acknowledged: list[str] = []
    refused: list[str] = []

    def answer_until_the_end(link: str) -> None:
        try:
            answer_all(link, acknowledged, refused)
        except STOPPED:
            return

    threads = [
        threading.Thread(target=answer_until_the_end, args=(link,))
        for link in server.links.values()
    ]
    for thread in threads:
        thread.start()
    deadline = time.monotonic() + 60
    while len(acknowledged) < 10 and time.monotonic() < deadline:
        time.sleep(0.02)
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(40) == 0
    for thread in threads:
        thread.join()
    assert refused == []
    assert len(server.responses()) >= len(acknowledged) > 0
