"""Images ready to be served, kept on disk beside the study once they were made."""

from __future__ import annotations

import contextlib
import secrets
from pathlib import Path

from study_server.configuration import ServerConfiguration
from study_server.images.opaque import OpaqueImage, opaque_image
from study_server.images.sources import image_version, read_image

ENDINGS = {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp"}


def served_image(
    configuration: ServerConfiguration, source: str, name: str, public_id: str
) -> OpaqueImage:
    """Give an image without metadata, from the cache or made now.

    Raises
    ------
    ImageUnusableError
        When it cannot be shown.
    """
    folder, place = configuration.image_cache, configuration.image_folders[source]
    stem = f"{public_id}.{image_version(place, name)}"
    if folder is not None:
        for media_type, ending in ENDINGS.items():
            file = folder / f"{stem}.{ending}"
            if file.is_file():
                return OpaqueImage(file.read_bytes(), media_type)
    made = opaque_image(read_image(place, name))
    if folder is not None:
        _keep(folder / f"{stem}.{ENDINGS[made.media_type]}", made.data)
    return made


def _keep(file: Path, data: bytes) -> None:
    """Write a file whole or not at all; a full or read-only disk only costs time."""
    draft = file.with_name(f".{secrets.token_hex(8)}")
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft.write_bytes(data)
        draft.replace(file)
    except OSError:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
