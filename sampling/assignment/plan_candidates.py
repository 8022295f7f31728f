"""A few hash-ranked candidates a question: what makes a plan for very many people tractable."""

from __future__ import annotations

import hashlib

import numpy as np

from sampling.assignment.flow import Flags, Integers
from sampling.study.keyed import digest

SPARE = 8


def permutation(size: int, *key: str) -> Integers:
    """Permute 0 to size - 1 by hash: the order of 64-bit words of SHA-256 in counter mode.

    >>> permutation(5, "seed").tolist()
    [0, 4, 1, 3, 2]
    """
    start = digest(*key)
    blocks = [
        hashlib.sha256(start + counter.to_bytes(4, "big")).digest()
        for counter in range(size // 4 + 1)
    ]
    words = np.frombuffer(b"".join(blocks), dtype=">u8")[:size]
    return np.argsort(words, kind="stable").astype(np.int64)


def candidate_pairs(allowed: Flags, number: int, *key: str) -> tuple[Integers, Integers]:
    """Choose so many candidates for every question, everybody equally often.

    Parameters
    ----------
    allowed : (n, P) bool
        Who may answer what.
    number : int
        How many candidates a question; all who may when it is at least P.
    key : str
        What the hashes start with.

    Returns
    -------
    rows, columns : int
        Sorted pairs. The people are permuted anew for each block of questions and dealt out in
        turn; a question has fewer candidates where many of those dealt may not answer it.
    """
    questions, people = allowed.shape
    width = number + SPARE
    if width >= people:
        rows, columns = np.nonzero(allowed)
        return rows, columns
    block = people // width
    dealt = np.empty((questions, width), dtype=np.int64)
    for turn, start in enumerate(range(0, questions, block)):
        order = permutation(people, *key, str(turn))[: block * width].reshape(block, width)
        dealt[start : start + block] = order[: min(block, questions - start)]
    may = np.take_along_axis(allowed, dealt, axis=1)
    may &= np.cumsum(may, axis=1) <= number
    rows, places = np.nonzero(may)
    columns = dealt[rows, places]
    order = np.lexsort((columns, rows))
    return rows[order], columns[order]
