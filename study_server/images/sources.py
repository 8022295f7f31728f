"""Reads image files out of a folder, or out of any store that fsspec knows."""

from __future__ import annotations

from pathlib import Path

from sampling.benchmark.image_names import image_file
from study_server.images.faults import ImageUnusableError
from study_server.images.stores import is_remote, read_stored

LARGEST_BYTES = 400_000_000


def read_image(place: str, name: str, most_bytes: int = -1) -> bytes:
    """Read one image, or its first bytes; a name never leads outside its folder.

    Raises
    ------
    ImageUnusableError
        When there is no such file.
    """
    parts = name.replace("\\", "/").split("/")
    if not name or name.startswith("/") or any(part in {"", ".", ".."} for part in parts):
        raise ImageUnusableError("the image's name leads outside its folder")
    if is_remote(place):
        return read_stored(place, name, most_bytes, LARGEST_BYTES)
    # Links inside the folder are the coordinator's own: many stores of data sets are made of them.
    file = image_file(Path(place), name)
    try:
        if file.stat().st_size > LARGEST_BYTES:
            raise ImageUnusableError("the image file is too large")
        with file.open("rb") as opened:
            return opened.read(most_bytes)
    except OSError:
        raise ImageUnusableError("the image file is missing") from None


def image_version(place: str, name: str) -> str:
    """Give a text that changes when a file on disk does; stores' images never change."""
    if is_remote(place):
        return "0"
    try:
        found = image_file(Path(place), name).stat()
    except (OSError, ValueError):
        return "0"
    return f"{found.st_mtime_ns:x}-{found.st_size:x}"
