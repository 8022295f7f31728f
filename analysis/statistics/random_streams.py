"""Random numbers that follow from the study's seed and a purpose."""

from __future__ import annotations

import numpy as np

from sampling.study.keyed import digest


def generator(seed: str, *purpose: str) -> np.random.Generator:
    """Make the generator of one purpose: same seed and purpose, same numbers.

    Each purpose has its own stream, so that adding a table changes no other. NumPy promises a
    stream only within one of its versions (NEP 19), so a run records the version it had.

    Parameters
    ----------
    seed : the study's seed
    purpose : what the numbers are for, such as `"sign-flip", "Model A", "em"`

    Examples
    --------
    >>> first, second = generator("s", "a"), generator("s", "a")
    >>> bool(first.random() == second.random())
    True
    """
    key = int.from_bytes(digest("lontar-statistics-v1", seed, *purpose), "big")
    return np.random.Generator(np.random.PCG64(key))
