"""Near-duplicates: images that are the same, or look the same, under different names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import imagehash
import numpy as np
from numpy.typing import NDArray

from sampling.benchmark.image_files import UNREADABLE, explain_unreadable, open_picture
from sampling.benchmark.image_names import image_file
from sampling.study.errors import Problems, StudyError

MOST_DIFFERENT_BITS = 4
BLOCK = 512


class NearDuplicate(NamedTuple):
    """Two images of a sample that are one: `bits` of 64 differ, or the files are `identical`."""

    first: str
    second: str
    bits: int
    identical: bool


def find_near_duplicates(
    folder: Path,
    digests: Mapping[str, str],
    progress: Callable[[int, int], None] | None = None,
) -> tuple[NearDuplicate, ...]:
    """Find images with equal files, or whose perceptual hashes differ in at most 4 of 64 bits.

    Parameters
    ----------
    folder : Path
        Where the images are.
    digests : mapping of image name to digest
        The images to compare.

    Raises
    ------
    StudyError
        With every image that cannot be read.

    Returns
    -------
    NearDuplicate
        Sorted by name. A pair that looks alike need not be a fault: it is a reason to look.

    Notes
    -----
    The perceptual hash is pHash (discrete cosine transform, 8 x 8 lowest frequencies against
    their median) of the `imagehash` library: Zauner, "Implementation and benchmarking of
    perceptual image hash functions" (2010).
    """
    names = sorted(digests)
    hashes = np.zeros(len(names), dtype=np.uint64)
    problems = Problems()
    for number, name in enumerate(names):
        try:
            hashes[number] = perceptual_hash(image_file(folder, name), name)
        except StudyError as error:
            problems.extend(error)
        if progress is not None:
            progress(number + 1, len(names))
    problems.raise_if_any()
    same = _identical(digests)
    near = {
        (names[first], names[second]): bits
        for first, second, bits in pairs_within(hashes, MOST_DIFFERENT_BITS)
    }
    return tuple(
        NearDuplicate(first, second, near.get((first, second), 0), (first, second) in same)
        for first, second in sorted(same | near.keys())
    )


def perceptual_hash(path: Path, named: str = "") -> np.uint64:
    """Hash how an image looks, in 64 bits; an image that cannot be read is a `StudyError`."""
    try:
        with open_picture(path) as image:
            image.draft("L", (256, 256))
            bits = imagehash.phash(image).hash
    except UNREADABLE as error:
        raise StudyError(f"image {(named or path.name)!r} {explain_unreadable(error)}") from None
    return np.uint64(int("".join("1" if bit else "0" for bit in bits.ravel()), 2))


def pairs_within(hashes: NDArray[np.uint64], most_bits: int) -> Sequence[tuple[int, int, int]]:
    """List the pairs of hashes that differ in few bits, with how many.

    >>> pairs_within(np.array([0, 3, 255], dtype=np.uint64), 2)
    [(0, 1, 2)]
    """
    found = []
    for start in range(0, len(hashes), BLOCK):
        block = hashes[start : start + BLOCK]
        different = (block[:, None] ^ hashes[None, :])[..., None].view(np.uint8)
        bits = np.unpackbits(different, axis=-1).sum(axis=-1)
        rows, columns = np.nonzero(bits <= most_bits)
        found += [
            (start + int(row), int(column), int(bits[row, column]))
            for row, column in zip(rows, columns, strict=True)
            if start + row < column
        ]
    return found


def _identical(digests: Mapping[str, str]) -> set[tuple[str, str]]:
    """Pair the images with equal digests, each with the next of its kind."""
    by_digest = defaultdict(list)
    for name in sorted(digests):
        by_digest[digests[name]].append(name)
    return {pair for names in by_digest.values() for pair in pairwise(names)}
