"""Turns at the write lock of a SQLite database, so that no writer waits long while others go on.

SQLite's own busy handler polls with growing sleeps: a writer that commits back to back can keep
another out for seconds. A waiter for a file lock sleeps in the kernel and is woken by the release.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar

# What a thread does before it waits for its turn: it may hold something that others could use.
before_waiting: ContextVar[Callable[[], None]] = ContextVar("before_waiting", default=lambda: None)


@contextmanager
def turn(file: str) -> Iterator[None]:
    """Hold the lock on a file: one holder among all threads and processes."""
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        if not _is_free(descriptor):
            before_waiting.get()()
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _is_free(descriptor: int) -> bool:
    """Take the lock if nobody has it."""
    with suppress(BlockingIOError):
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False
