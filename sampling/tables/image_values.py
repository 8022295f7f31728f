"""What a table's image cell may be: a file name, base64, a data URI, or bytes with a path."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

LONGEST_NAME = 255
_MAGIC = {
    b"\xff\xd8": "jpg",
    b"\x89PNG": "png",
    b"RIFF": "webp",
    b"GIF8": "gif",
    b"II*\x00": "tif",
    b"MM\x00*": "tif",
    b"BM": "bmp",
}


def is_embedded(value: Any) -> bool:
    """Tell whether an image cell holds the image itself rather than its name.

    >>> is_embedded("leaf_0001.jpg"), is_embedded("iVBORw0KGgo" * 30)
    (False, True)
    """
    if isinstance(value, Mapping):
        return bool(value.get("bytes"))
    return isinstance(value, str) and (
        len(value) > LONGEST_NAME or value.startswith("data:image/") or _looks_encoded(value)
    )


def _looks_encoded(value: str) -> bool:
    """Tell short base64 of an image from a name by how image files begin."""
    return value.startswith(("iVBORw0KGgo", "/9j/4", "R0lGOD", "UklGR")) and "." not in value


def embedded_bytes(value: Any) -> bytes:
    """Decode an image cell that holds the image itself; empty for a name.

    Raises
    ------
    ValueError
        When what should be base64 is not.
    """
    if isinstance(value, Mapping):
        return bytes(value.get("bytes") or b"")
    if not is_embedded(value):
        return b""
    data = value.partition("base64,")[2] if value.startswith("data:") else value
    return base64.b64decode("".join(data.split()), validate=True)


def image_name_of(value: Any) -> Any:
    """Give the file name of an image cell: its own, or one made of the content's digest.

    The same content gets the same name, so that rows that share an image share its name.

    >>> image_name_of({"bytes": b"", "path": "images/leaf.jpg"})
    'leaf.jpg'
    >>> image_name_of("leaf.jpg")
    'leaf.jpg'
    """
    if isinstance(value, Mapping) and value.get("path"):
        return PurePosixPath(str(value["path"]).replace("\\", "/")).name
    if not is_embedded(value):
        return None if isinstance(value, Mapping) else value
    try:
        data = embedded_bytes(value)
    except ValueError:
        data = str(value).encode()
    ending = next((ending for magic, ending in _MAGIC.items() if data.startswith(magic)), "png")
    return f"{hashlib.sha256(data).hexdigest()[:20]}.{ending}"
