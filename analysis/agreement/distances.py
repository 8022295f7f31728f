"""How far two answers are apart: one matrix for each kind of answer."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from analysis.arrays import FloatArray


def nominal_distance(n_values: int) -> FloatArray:
    """Give 0 for the same value and 1 for another, shape (V, V).

    >>> nominal_distance(2).tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    distance: FloatArray = 1 - np.eye(n_values)
    return distance


def interval_distance(numbers: Sequence[float] | FloatArray) -> FloatArray:
    """Give squared differences of numbers, shape (V, V).

    >>> interval_distance([1, 3]).tolist()
    [[0.0, 4.0], [4.0, 0.0]]
    """
    values = np.asarray(numbers, dtype=np.float64)
    distance: FloatArray = (values[:, None] - values[None, :]) ** 2
    return distance


def jaccard_similarity(sets: Sequence[frozenset[str]]) -> FloatArray:
    """Give |A∩B| / |A∪B| of label sets, 1 for two empty ones, shape (V, V).

    >>> jaccard_similarity([frozenset("ab"), frozenset("abcd"), frozenset()])[0].tolist()
    [1.0, 0.5, 0.0]
    """
    shared, sizes = _shared(sets)
    union = sizes[:, None] + sizes[None, :] - shared
    similarity: FloatArray = np.divide(shared, union, out=np.ones_like(shared), where=union > 0)
    return similarity


def jaccard_distance(sets: Sequence[frozenset[str]]) -> FloatArray:
    """Give 1 - |A∩B| / |A∪B|, 0 for two empty sets, shape (V, V)."""
    distance: FloatArray = 1 - jaccard_similarity(sets)
    return distance


def masi_distance(sets: Sequence[frozenset[str]]) -> FloatArray:
    """Give 1 - J M: M is 1 for equal sets, 2/3 for nested, 1/3 for overlapping, 0 for disjoint.

    References
    ----------
    Passonneau (2006), Measuring agreement on set-valued items (MASI), LREC.

    Examples
    --------
    >>> round(float(masi_distance([frozenset({1, 2}), frozenset({1, 2, 3, 4})])[0, 1]), 4)
    0.6667
    """
    shared, sizes = _shared(sets)
    smaller = np.minimum(sizes[:, None], sizes[None, :])
    larger = np.maximum(sizes[:, None], sizes[None, :])
    nested = np.where(shared == smaller, 2 / 3, 1 / 3)
    monotone = np.where(shared == larger, 1.0, np.where(shared > 0, nested, 0.0))
    distance: FloatArray = 1 - jaccard_similarity(sets) * monotone
    return distance


def set_f1(sets: Sequence[frozenset[str]]) -> FloatArray:
    """Give 2|A∩B| / (|A|+|B|), 1 for two empty sets, shape (V, V).

    >>> float(set_f1([frozenset("ab"), frozenset("abcd")])[0, 1])
    0.6666666666666666
    """
    shared, sizes = _shared(sets)
    total = sizes[:, None] + sizes[None, :]
    similarity: FloatArray = np.divide(2 * shared, total, out=np.ones_like(shared), where=total > 0)
    return similarity


def hamming_distance(sets: Sequence[frozenset[str]]) -> FloatArray:
    """Give the number of labels that one of two sets holds and the other does not, (V, V).

    >>> hamming_distance([frozenset("ab"), frozenset("bcd")])[0].tolist()
    [0.0, 3.0]
    """
    shared, sizes = _shared(sets)
    distance: FloatArray = sizes[:, None] + sizes[None, :] - 2 * shared
    return distance


def edit_distance(texts: Sequence[Sequence[str]]) -> FloatArray:
    """Give Levenshtein distances as shares of the longer text, 0 for two empty ones, (V, V).

    A text is a string, or the list of its units where several characters are one.

    >>> edit_distance(["abc", "abd", ""])[0].round(4).tolist()
    [0.0, 0.3333, 1.0]
    """
    found = cdist(texts, texts, scorer=Levenshtein.normalized_distance, dtype=np.float64)
    return np.asarray(found, dtype=np.float64)


def label_sets(values: Sequence[Hashable]) -> list[frozenset[str]]:
    """Read values as label sets; a single label is a set of one."""
    return [value if isinstance(value, frozenset) else frozenset((str(value),)) for value in values]


def _shared(sets: Sequence[frozenset[str]]) -> tuple[FloatArray, FloatArray]:
    """Give |A∩B| for every pair, shape (V, V), and |A|, shape (V,)."""
    labels = sorted({label for one in sets for label in one}, key=str)
    held = np.array([[label in one for label in labels] for one in sets], dtype=np.float64)
    held = held.reshape(len(sets), len(labels))
    return held @ held.T, held.sum(axis=1)
