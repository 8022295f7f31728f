"""PNG and WebP files without metadata: the chunks that decoding needs, byte for byte."""

from __future__ import annotations

import zlib

from study_server.images.faults import ImageUnusableError
from study_server.images.icc import without_words

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
PNG_KEPT = {b"IHDR", b"PLTE", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"sBIT", b"IDAT", b"IEND"}
WEBP_KEPT = {b"VP8 ", b"VP8L", b"ALPH", b"ANIM", b"ANMF"}
# Bits of the extended header that announce an Exif or an XMP chunk.
WEBP_METADATA = 0x08 | 0x04
LARGEST_PROFILE = 4_000_000


def strip_png(data: bytes) -> bytes:
    """Keep what shows the picture; the colour profile loses its words and its name.

    Raises
    ------
    ImageUnusableError
        When the file ends before its end chunk.
    """
    parts, position = [PNG_SIGNATURE], len(PNG_SIGNATURE)
    while True:
        kind = data[position + 4 : position + 8]
        length = int.from_bytes(data[position : position + 4], "big")
        end = position + 12 + length
        if len(kind) < 4 or end > len(data):
            raise ImageUnusableError("the PNG file is truncated")
        if kind in PNG_KEPT:
            parts.append(data[position:end])
        elif kind == b"iCCP":
            parts.append(_png_profile(data[position + 8 : position + 8 + length]))
        if kind == b"IEND":
            return b"".join(parts)
        position = end


def _png_profile(body: bytes) -> bytes:
    """Write a colour profile chunk again, under no name."""
    _name, _separator, packed = body.partition(b"\x00")
    try:
        profile = zlib.decompressobj().decompress(packed[1:], LARGEST_PROFILE)
    except zlib.error:
        return b""
    profile = without_words(profile)
    if not profile:
        return b""
    fresh = b"iCCP" + b"icc\x00\x00" + zlib.compress(profile, 9)
    return (len(fresh) - 4).to_bytes(4, "big") + fresh + zlib.crc32(fresh).to_bytes(4, "big")


def strip_webp(data: bytes) -> bytes:
    """Keep what shows the picture.

    Raises
    ------
    ImageUnusableError
        When the file ends within a chunk.
    """
    parts, position = [b"WEBP"], 12
    declared = int.from_bytes(data[4:8], "little") + 8
    if declared > len(data) + 1:
        raise ImageUnusableError("the WebP file is truncated")
    while position + 8 <= min(len(data), declared):
        kind = data[position : position + 4]
        length = int.from_bytes(data[position + 4 : position + 8], "little")
        body = data[position + 8 : position + 8 + length]
        if len(body) < length:
            raise ImageUnusableError("the WebP file is truncated")
        position += 8 + length + length % 2
        if kind == b"VP8X":
            body = bytes([body[0] & ~WEBP_METADATA]) + body[1:]
        elif kind == b"ICCP":
            body = without_words(body) or body
        elif kind not in WEBP_KEPT:
            continue
        parts.append(kind + len(body).to_bytes(4, "little") + body + b"\x00" * (len(body) % 2))
    content = b"".join(parts)
    return b"RIFF" + len(content).to_bytes(4, "little") + content
