"""Colour profiles without their words: numbers decide the colours, words name the scanner."""

from __future__ import annotations

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
