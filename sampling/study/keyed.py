"""Choices that follow from a seed alone: SHA-256 ranks and shuffles, the same on every machine.

No random-number stream is used: NumPy and Python promise theirs only within a version
(NEP 19), while a digest of the same text never changes.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")

SEPARATOR = "\x1f"


def digest(*parts: str) -> bytes:
    """Hash the parts, NFC, UTF-8, joined by U+001F: 32 bytes.

    >>> digest("a", "b").hex()[:12]
    'f04cdced9736'
    """
    text = SEPARATOR.join(unicodedata.normalize("NFC", part) for part in parts)
    return hashlib.sha256(text.encode("utf-8")).digest()


def shuffled(items: Sequence[T], *key: str) -> list[T]:
    """Give the items in an order that depends only on the key and their given order.

    Fisher-Yates over SHA-256 in counter mode with rejection sampling: integer arithmetic only,
    every permutation equally likely.

    >>> shuffled(["a", "b", "c", "d"], "seed", "order")
    ['d', 'b', 'c', 'a']
    """
    result = list(items)
    numbers = _words(key)
    for last in range(len(result) - 1, 0, -1):
        chosen = _below(last + 1, numbers)
        result[last], result[chosen] = result[chosen], result[last]
    return result


def _words(key: Sequence[str]) -> Iterator[int]:
    """Yield 64-bit numbers without end, four from each SHA-256 block."""
    counter = 0
    while True:
        block = digest(*key, str(counter))
        for start in range(0, 32, 8):
            yield int.from_bytes(block[start : start + 8], "big")
        counter += 1


def _below(limit: int, numbers: Iterator[int]) -> int:
    """Draw uniformly from 0 to limit - 1, rejecting the incomplete last stretch."""
    usable = (1 << 64) - ((1 << 64) % limit)
    return next(number for number in numbers if number < usable) % limit
