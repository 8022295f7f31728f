"""Pausing the collection of cycles while many rows are read.

Writes a file whole or not at all: whoever interrupts it finds what was there before.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Write a text as UTF-8 beside the file, then put it in the file's place; make its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.draft")
    try:
        draft.write_text(text, encoding="utf-8", newline="")
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def collection_paused() -> Iterator[None]:
    """Pause the collection of cycles, which would go through every new row many times."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
