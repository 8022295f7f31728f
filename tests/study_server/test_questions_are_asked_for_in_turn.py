"""A worker computes so many pages of one path at once, and the others as they come."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from study_server.single_file import SingleFile
from study_server.store.turns import turn


class Application:
    """Counts who is inside at once; everybody stays until they are told to go."""

    def __init__(self) -> None:
        self.inside = self.most = 0
        self.lock, self.go = threading.Lock(), threading.Event()
        self.came = threading.Semaphore(0)

    def __call__(self, environ: dict[str, Any], _start: Any) -> list[bytes]:
        with self.lock:
            self.inside += 1
            self.most = max(self.most, self.inside)
        self.came.release()
        self.go.wait(30)
        with self.lock:
            self.inside -= 1
        if environ.get("fails"):
            raise ValueError
        return []


def ask(application: Callable[..., Any], path: str, times: int) -> list[threading.Thread]:
    threads = [
        threading.Thread(target=application, args=({"PATH_INFO": path}, None)) for _ in range(times)
    ]
    for thread in threads:
        thread.start()
    return threads


@pytest.mark.parametrize("width", [1, 2])
def test_so_many_are_inside_at_once(width: int) -> None:
    inner = Application()
    threads = ask(SingleFile(inner, "/question", width), "/question", 6)
    for _ in range(width):
        assert inner.came.acquire(timeout=30)
    assert not inner.came.acquire(timeout=0.1)
    inner.go.set()
    for thread in threads:
        thread.join(30)
    assert inner.most == width


def test_other_pages_do_not_wait_for_questions() -> None:
    inner = Application()
    outer = SingleFile(inner, "/question")
    threads = [*ask(outer, "/question", 2), *ask(outer, "/image/x", 3)]
    for _ in range(4):
        assert inner.came.acquire(timeout=30)
    inner.go.set()
    for thread in threads:
        thread.join(30)


def test_a_page_that_fails_lets_the_next_in() -> None:
    inner = Application()
    inner.go.set()
    outer = SingleFile(inner, "/question")
    for _ in range(2):
        with pytest.raises(ValueError):  # noqa: PT011 - it has no words
            outer({"PATH_INFO": "/question", "fails": True}, None)  # type: ignore[arg-type]


def test_who_waits_for_another_process_to_write_lets_the_next_in(tmp_path: Path) -> None:
    turns, inside = str(tmp_path / "turns"), threading.Semaphore(0)

    def write(_environ: Any, _start: Any) -> list[bytes]:
        inside.release()
        with turn(turns):
            return []

    outer = SingleFile(write, "/question")
    with turn(turns):
        threads = ask(outer, "/question", 2)
        for _ in threads:
            assert inside.acquire(timeout=30)
    for thread in threads:
        thread.join(30)
    # Each left its place once, or a place too many would be an error.
    outer({"PATH_INFO": "/question"}, None)  # type: ignore[arg-type]
