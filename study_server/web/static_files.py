"""Own scripts, styles and fonts: compressed once, named by their digest, kept by browsers."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from flask import Blueprint, Response, abort, request, url_for

TEXT_TYPES = ("text/", "application/javascript", "image/svg+xml", "application/json")
UNSERVED = ("stamp.txt",)
VERSION = "v-"
FOR_A_YEAR = "public, max-age=31536000, immutable"

Loaded = tuple[bytes, bytes | None, str, str]

blueprint = Blueprint("files", __name__)


@blueprint.get("/static/<path:name>")
def static_file(name: str) -> Response:
    """Serve one of the package's own files; under the release's digest, for a year.

    The digest is a folder of the address, so that files a file names by itself have it too.
    """
    version, _, rest = name.partition("/")
    versioned = version.startswith(VERSION)
    found = _load(rest if versioned else name)
    if found is None:
        abort(404)
    plain, packed, media_type, digest = found
    accepts_gzip = "gzip" in request.headers.get("Accept-Encoding", "")
    body = packed if packed is not None and accepts_gzip else plain
    response = Response(body, mimetype=media_type)
    response.set_etag(digest if body is plain else f"{digest}-gz")
    if packed is not None:
        response.headers["Vary"] = "Accept-Encoding"
        if body is packed:
            response.headers["Content-Encoding"] = "gzip"
    fresh = versioned and version == _release()
    response.headers["Cache-Control"] = FOR_A_YEAR if fresh else "public, max-age=300"
    response.make_conditional(request)
    return response


def static_address(name: str) -> str:
    """Give the address of a file, with the release's digest, for a template."""
    return url_for("files.static_file", name=f"{_release()}/{name}")


@cache
def _names() -> frozenset[str]:
    """List every file that is served, once: whatever else is asked for is not looked for."""
    found, waiting = set(), [("", resources.files("study_server") / "static")]
    while waiting:
        prefix, place = waiting.pop()
        for entry in place.iterdir():
            name = f"{prefix}{entry.name}"
            if entry.is_dir():
                waiting.append((f"{name}/", entry))
            elif entry.name not in UNSERVED and not entry.name.startswith("."):
                found.add(name)
    return frozenset(found)


@cache
def _release() -> str:
    """Digest every file that is served: its name and its bytes."""
    total = hashlib.sha256()
    for name in sorted(_names()):
        total.update(name.encode() + b"\0" + _file(name).read_bytes())
    return f"{VERSION}{total.hexdigest()[:16]}"


def _file(name: str) -> Traversable:
    return (resources.files("study_server") / "static").joinpath(*name.split("/"))


def _load(name: str) -> Loaded | None:
    """Give a file of the package, or None when it is none."""
    return _read(name) if name in _names() else None


@cache
def _read(name: str) -> Loaded:
    """Read a file of the package: its bytes, compressed where that helps, type and digest."""
    plain = _file(name).read_bytes()
    media_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
    if name.endswith(".js"):
        media_type = "text/javascript"
    packed = gzip.compress(plain, 9, mtime=0) if media_type.startswith(TEXT_TYPES) else None
    return plain, packed, media_type, hashlib.sha256(plain).hexdigest()[:16]
