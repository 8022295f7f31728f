"""Images ready to be served, kept on disk beside the study once they were made."""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from flask import Response, request
from werkzeug.wsgi import wrap_file

from study_server.images.opaque import opaque_image
from study_server.images.sources import image_version, read_image
from study_server.web.configuration import ServerConfiguration
from study_server.web.edge import REPLY_FILE

ENDINGS = {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp"}


@dataclass(frozen=True)
class ServedImage:
    """An image that is open to be sent, its size in bytes, its media type, and its file."""

    body: BinaryIO
    size: int
    media_type: str
    file: Path | None = None

    def response(self) -> Response:
        """Send it from where it is: a slow link takes minutes, and no memory for them."""
        if self.file is not None:
            request.environ[REPLY_FILE] = str(self.file)
        response = Response(
            wrap_file(request.environ, self.body),
            content_type=self.media_type,
            direct_passthrough=True,
        )
        response.content_length = self.size
        return response


def served_version(
    configuration: ServerConfiguration, source: str, name: str, public_id: str
) -> str:
    """Give an entity tag that changes with the file: halves of two files are never joined."""
    version = image_version(configuration.image_folders[source], name)
    return hashlib.sha256(f"{public_id}.{version}".encode()).hexdigest()[:32]


def served_image(
    configuration: ServerConfiguration, source: str, name: str, public_id: str
) -> ServedImage:
    """Open an image without metadata, from the cache or made now.

    Raises
    ------
    ImageUnusableError
        When it cannot be shown.
    """
    folder, place = configuration.image_cache, configuration.image_folders[source]
    stem = f"{public_id}.{image_version(place, name)}"
    if folder is not None:
        for media_type, ending in ENDINGS.items():
            with contextlib.suppress(OSError):
                return _opened(folder / f"{stem}.{ending}", media_type)
    made = opaque_image(read_image(place, name))
    file = None
    if folder is not None:
        file = _keep(folder / f"{stem}.{ENDINGS[made.media_type]}", made.data)
    return ServedImage(io.BytesIO(made.data), len(made.data), made.media_type, file)


def _opened(file: Path, media_type: str) -> ServedImage:
    kept = file.open("rb")
    return ServedImage(kept, os.fstat(kept.fileno()).st_size, media_type, file)


def _keep(file: Path, data: bytes) -> Path | None:
    """Write a file whole or not at all, and return it; a full disk only costs time."""
    draft = file.with_name(f".{secrets.token_hex(8)}")
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft.write_bytes(data)
        return draft.replace(file)
    except OSError:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        return None
