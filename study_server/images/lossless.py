"""JPEG files without metadata: the same compressed picture, nothing before, beside or after it.

PNG and WebP files without metadata: the chunks that decoding needs, byte for byte.
Colour profiles without their words: numbers decide the colours, words name the scanner.
What can be wrong with an image: it is unusable for good, or its store is away for a moment.
"""

from __future__ import annotations

import zlib

from sampling.study.errors import StudyError


class ImageUnusableError(StudyError):
    """Missing, truncated, too large or no image: blank for a participant, flagged for others."""


class ImageAwayError(StudyError):
    """Its store cannot be reached just now: nothing is wrong with the image, and it is tried again.

    A page that shows it says so and takes no answer without it.
    """


HEADER = 128
ENTRY = 12
COLOUR_TAGS = frozenset(
    b"rXYZ gXYZ bXYZ wtpt bkpt rTRC gTRC bTRC kTRC chad A2B0 A2B1 A2B2 B2A0 B2A1 B2A2".split()
)
# Bytes of the header that name devices, makers and times: CMM, date, platform, maker, model,
# creator, profile id.
NAMING = ((4, 8), (24, 36), (40, 44), (48, 56), (80, 100))


def without_words(profile: bytes) -> bytes:
    """Blank everything in a profile that does not change a colour; its length stays.

    A profile that is none is given back empty.
    """
    if len(profile) < HEADER + 4 or profile[36:40] != b"acsp":
        return b""
    clean = bytearray(profile)
    for start, end in NAMING:
        clean[start:end] = bytes(end - start)
    count = int.from_bytes(profile[HEADER : HEADER + 4], "big")
    kept: set[tuple[int, int]] = set()
    blanked = []
    for number in range(count):
        start = HEADER + 4 + number * ENTRY
        entry = profile[start : start + ENTRY]
        if len(entry) < ENTRY:
            return b""
        place = (int.from_bytes(entry[4:8], "big"), int.from_bytes(entry[8:12], "big"))
        if entry[:4] in COLOUR_TAGS:
            kept.add(place)
        else:
            blanked.append(place)
    for offset, size in blanked:
        # The first eight bytes of a tag say its type; readers want that to stay.
        if (offset, size) not in kept and size > 8:
            clean[offset + 8 : offset + size] = bytes(max(0, min(size, len(clean) - offset) - 8))
    return bytes(clean)


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
