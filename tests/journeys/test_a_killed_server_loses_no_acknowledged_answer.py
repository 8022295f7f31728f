"""Killed like by a power cut, at random moments, while many people answer."""

from __future__ import annotations

import random
import re
import threading
import time
import urllib.error
from collections import Counter
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from typing import Any

import pytest

from sampling.study.errors import StudyError
from study_server.demonstration.browsing import Browser, Page

ROUNDS = 3
ANSWERS = {
    "Which script is it?": "Khmer",
    "Which damage is visible?": "cracks",
    "Is there a drawing?": "yes",
    "How many lines are there?": "4",
    "What is written?": "ក",
    "Which of these?": "None",
}


def answer_to(text: str) -> str:
    return next(answer for words, answer in ANSWERS.items() if words in text)


def question_form(page: Page) -> Any:
    return next((form for form in page.forms if form.named("answer")), None)


def work(
    server: Any, name: str, stop: threading.Event, acknowledged: list[tuple[str, str]]
) -> None:
    """Answer until told to stop; a reply that never comes is no acknowledgement."""
    browser = Browser()
    try:
        page = browser.open(server.links[name])
        while not stop.is_set():
            form = question_form(page)
            if form is None:
                posts = [one for one in page.forms if one.method == "post"]
                if not posts:
                    return
                pressed = [(c.name, c.value) for c in posts[0].controls if c.name == "language"]
                page = browser.submit(page, posts[0], pressed[:1])
                continue
            slot = form.named("slot")[0].value
            page = browser.submit(page, form, [("answer", answer_to(page.text))])
            if page.status < 400:
                acknowledged.append((name, slot))
    except (urllib.error.URLError, HTTPException, ConnectionError, TimeoutError, StudyError):
        return


@pytest.mark.parametrize("workers", ["1", "3"])
def test_every_acknowledged_answer_is_there_after_each_restart(
    make_small_study: Callable[..., Path],
    run_process: Callable[..., Any],
    tmp_path: Path,
    workers: str,
) -> None:
    folder = make_small_study(tmp_path / "study", people=8, rounds=8)
    server = run_process(folder, "--workers", workers)
    chance = random.Random(7)
    acknowledged: list[tuple[str, str]] = []
    for _ in range(ROUNDS):
        stop = threading.Event()
        threads = [
            threading.Thread(target=work, args=(server, name, stop, acknowledged))
            for name in server.links
        ]
        for thread in threads:
            thread.start()
        before = len(acknowledged)
        while len(acknowledged) < before + 5 and any(thread.is_alive() for thread in threads):
            time.sleep(0.02)
        time.sleep(chance.uniform(0.0, 1.0))
        server.kill()
        stop.set()
        for thread in threads:
            thread.join()
        server.start("--workers", workers)
        stored = Counter((row["participant"], row["sample_id"]) for row in server.responses())
        assert max(stored.values(), default=0) <= 1
        by_person = Counter(person for person, _ in stored)
        for person, given in Counter(person for person, _ in acknowledged).items():
            assert by_person[person] >= given
    server.stop()
    assert len(acknowledged) > 20
    log = (folder / "server.log").read_text()
    assert not re.search(r"Traceback|locked|Internal", log)
