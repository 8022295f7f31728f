"""Reads image files out of a folder, or out of any store that fsspec knows."""

from __future__ import annotations

import importlib
from pathlib import Path

from sampling.errors import StudyError
from study_server.images.faults import ImageUnusableError

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
    if "://" in place:
        return _read_remote(f"{place.rstrip('/')}/{name}")
    # Links inside the folder are the coordinator's own: many stores of data sets are made of them.
    file = Path(place) / name
    try:
        if file.stat().st_size > LARGEST_BYTES:
            raise ImageUnusableError("the image file is too large")
        with file.open("rb") as opened:
            return opened.read(most_bytes)
    except OSError:
        raise ImageUnusableError("the image file is missing") from None


def image_version(place: str, name: str) -> str:
    """Give a text that changes when a file on disk does; stores' images never change."""
    if "://" in place:
        return "0"
    try:
        found = (Path(place) / name).stat()
    except (OSError, ValueError):
        return "0"
    return f"{found.st_mtime_ns:x}-{found.st_size:x}"


def _read_remote(address: str) -> bytes:
    """Read from an object store."""
    try:
        fsspec = importlib.import_module("fsspec")
    except ModuleNotFoundError:
        raise StudyError(
            f"[benchmark] images: {address.split('://', maxsplit=1)[0]} addresses need the extra "
            "`remote`: pip install 'lontar[remote]'"
        ) from None
    try:
        with fsspec.open(address, "rb") as opened:
            data: bytes = opened.read(LARGEST_BYTES + 1)
    except OSError:
        raise ImageUnusableError("the image file is missing") from None
    if len(data) > LARGEST_BYTES:
        raise ImageUnusableError("the image file is too large")
    return data
