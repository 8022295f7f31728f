"""Reads images out of any store that fsspec knows: `s3://bucket/folder`, `gs://`, `https://`.

Reads image files out of a folder, or out of any store that fsspec knows.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from sampling.benchmark.image_names import image_file
from sampling.study.errors import StudyError
from study_server.images.lossless import ImageAwayError, ImageUnusableError


def is_remote(place: str) -> bool:
    """Tell an address from a folder."""
    return "://" in place


def check_store(place: str) -> None:
    """Find out whether a store's software is there, before anybody waits for a picture.

    Raises
    ------
    StudyError
        When fsspec, or what it needs for this kind of address, is not installed.
    """
    _filesystem(place)


def read_stored(place: str, name: str, most_bytes: int, largest: int) -> bytes:
    """Read one image, or its first bytes; the name is never taken for an address or a pattern.

    Raises
    ------
    ImageUnusableError
        When there is no such image, or it is too large.
    ImageAwayError
        When the store cannot be reached just now.
    """
    store, root = _filesystem(place)
    path = f"{root.rstrip('/')}/{name}"
    try:
        if store.size(path) > largest:
            raise ImageUnusableError("the image file is too large")
        end = most_bytes if most_bytes >= 0 else None
        data: bytes = store.cat_file(path, start=None if end is None else 0, end=end)
    except (FileNotFoundError, IsADirectoryError):
        raise ImageUnusableError("the image file is missing") from None
    except OSError as error:
        raise ImageAwayError(
            f"[benchmark] images: the store cannot be read just now ({type(error).__name__})"
        ) from None
    return data


def _filesystem(place: str) -> tuple[Any, str]:
    """Give fsspec's file system for an address, and the folder in it."""
    scheme = place.split("://", maxsplit=1)[0]
    try:
        return importlib.import_module("fsspec.core").url_to_fs(place)  # type: ignore[no-any-return]
    except ModuleNotFoundError as error:
        raise StudyError(
            f"[benchmark] images: {scheme} addresses need {error.name}: "
            f"pip install 'lontar[remote]' {'' if error.name == 'fsspec' else error.name}".rstrip()
        ) from None
    except (ImportError, ValueError) as error:
        raise StudyError(f"[benchmark] images: {scheme}:// cannot be used: {error}") from None


LARGEST_BYTES = 400_000_000


def read_image(place: str, name: str, most_bytes: int = -1) -> bytes:
    """Read one image, or its first bytes; a name never leads outside its folder.

    Raises
    ------
    ImageUnusableError
        When there is no such file.
    """
    parts = name.removeprefix("./").replace("\\", "/").split("/")
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
