"""JPEG files without metadata: the same compressed picture, nothing before, beside or after it."""

from __future__ import annotations

from study_server.images.faults import ImageUnusableError
from study_server.images.icc import without_words

SOI, EOI, SOS, COM = 0xD8, 0xD9, 0xDA, 0xFE
APP0, APP2, APP14 = 0xE0, 0xE2, 0xEE
WITHOUT_LENGTH = {0x01, *range(0xD0, 0xD8)}
PLAIN_JFIF = b"JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"
ICC_NAME = b"ICC_PROFILE\x00"
LARGEST_PART = 65_519


def strip_jpeg(data: bytes) -> bytes:
    """Keep the segments that decoding needs, to the end of the first picture.

    Raises
    ------
    ImageUnusableError
        When the file ends before the picture does.
    """
    parts, profile = [b"\xff\xd8"], []
    position, ended = 2, False
    while not ended:
        marker, position = _next_marker(data, position)
        if marker == EOI:
            parts.append(b"\xff\xd9")
            ended = True
        elif marker in WITHOUT_LENGTH:
            parts.append(bytes([0xFF, marker]))
        else:
            end = position + int.from_bytes(data[position : position + 2], "big")
            if end > len(data) or end < position + 2:
                raise ImageUnusableError("the JPEG file is truncated")
            body = data[position + 2 : end]
            if marker == APP2 and body.startswith(ICC_NAME):
                profile.append(body)
            else:
                parts.append(_kept_segment(marker, body))
            position = end
            if marker == SOS:
                scan_end = _scan_end(data, position)
                parts.append(data[position:scan_end])
                position = scan_end
    return b"".join([parts[0], *_first(parts[1:]), *_profile_segments(profile), *_rest(parts[1:])])


def _next_marker(data: bytes, position: int) -> tuple[int, int]:
    """Give the next marker and where its segment's length stands."""
    while position < len(data) and data[position] != 0xFF:
        position += 1
    while position < len(data) and data[position] == 0xFF:
        position += 1
    if position >= len(data):
        raise ImageUnusableError("the JPEG file is truncated")
    return data[position], position + 1


def _kept_segment(marker: int, body: bytes) -> bytes:
    """Write a segment again, or nothing when it is metadata."""
    if marker == APP0 and body.startswith(b"JFIF\x00"):
        body = PLAIN_JFIF
    elif marker == APP14 and body.startswith(b"Adobe"):
        body = body[:12]
    elif APP0 <= marker <= 0xEF or marker == COM:
        return b""
    return bytes([0xFF, marker]) + (len(body) + 2).to_bytes(2, "big") + body


def _scan_end(data: bytes, position: int) -> int:
    """Find the marker that ends the compressed data of a scan."""
    while True:
        position = data.find(b"\xff", position)
        if position < 0 or position + 1 >= len(data):
            raise ImageUnusableError("the JPEG file is truncated")
        following = data[position + 1]
        if following == 0xFF:
            position += 1
        elif following == 0 or following in WITHOUT_LENGTH:
            position += 2
        else:
            return position


def _profile_segments(bodies: list[bytes]) -> list[bytes]:
    """Join a colour profile's parts in their order and write it again without its words."""
    start = len(ICC_NAME) + 2
    whole = [body for body in bodies if len(body) > start]
    ordered = sorted(whole, key=lambda body: body[start - 2])
    profile = without_words(b"".join(body[start:] for body in ordered))
    pieces = [profile[at : at + LARGEST_PART] for at in range(0, len(profile), LARGEST_PART)]
    return [
        b"\xff\xe2"
        + (len(piece) + start + 2).to_bytes(2, "big")
        + ICC_NAME
        + bytes([number, len(pieces)])
        + piece
        for number, piece in enumerate(pieces, start=1)
    ]


def _first(parts: list[bytes]) -> list[bytes]:
    """The JFIF segment stands first where there is one."""
    return [part for part in parts if part.startswith(b"\xff\xe0")]


def _rest(parts: list[bytes]) -> list[bytes]:
    return [part for part in parts if not part.startswith(b"\xff\xe0")]
