"""The answers to the questions of one category as counts, questions of one kind together."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.arrays import BoolArray, FloatArray, IntArray


@dataclass(frozen=True)
class AnswerTable:
    """How often each value was given to each kind of question.

    Two questions are of one kind when they received the same answers the same number of times:
    a million responses have few kinds, and a bootstrap need only draw how many of each.

    Attributes
    ----------
    values : the V distinct valid answers: sorted numbers, or texts, or frozen sets of labels
    counts : float, shape (U, V), whole numbers
    answers : float, shape (U,), how many people answered, invalid answers included
    multiplicity : int, shape (U,), how many questions are of the kind
    """

    values: tuple[Hashable, ...]
    counts: FloatArray
    answers: FloatArray
    multiplicity: IntArray

    @property
    def valid(self) -> FloatArray:
        """How many valid answers each kind of question has, shape (U,)."""
        total: FloatArray = self.counts.sum(axis=1)
        return total

    @property
    def paired(self) -> BoolArray:
        """Which kinds two people or more answered, shape (U,)."""
        return self.answers >= 2

    @property
    def point_weights(self) -> FloatArray:
        """The weights that give the estimate itself, shape (1, U)."""
        return self.multiplicity.astype(np.float64)[None, :]

    @property
    def n_questions(self) -> int:
        return int(self.multiplicity.sum())

    @property
    def n_paired(self) -> int:
        return int(self.multiplicity[self.paired].sum())

    @property
    def n_invalid(self) -> int:
        return round(float(self.multiplicity @ (self.answers - self.valid)))


def answer_table(question: IntArray, answer: IntArray, values: Sequence[Hashable]) -> AnswerTable:
    """Count the answers to some questions.

    Parameters
    ----------
    question : int, shape (N,), any codes
    answer : int, shape (N,), indexes into `values`; negative is invalid
    values : every answer by its code

    Examples
    --------
    >>> table = answer_table(np.array([0, 0, 1, 1]), np.array([1, 0, 0, 1]), ("no", "yes"))
    >>> table.counts.tolist(), table.multiplicity.tolist()
    ([[1.0, 1.0]], [2])
    """
    used = sorted(set(answer[answer >= 0].tolist()), key=lambda code: _order(values[code]))
    place = np.full(len(values) + 1, len(used), dtype=np.int64)  # the last place is "invalid"
    place[used] = np.arange(len(used))
    given = place[np.where(answer < 0, len(values), answer)]
    rows_given = _sorted_answers(question, given, padding=len(used) + 1)
    kinds, multiplicity = np.unique(rows_given, axis=0, return_counts=True)
    counts = np.zeros((kinds.shape[0], len(used) + 2))
    rows = np.repeat(np.arange(kinds.shape[0]), kinds.shape[1])
    np.add.at(counts, (rows, kinds.ravel()), 1)
    return AnswerTable(
        values=tuple(values[code] for code in used),
        counts=counts[:, : len(used)],
        answers=counts[:, : len(used) + 1].sum(axis=1),
        multiplicity=multiplicity.astype(np.int64),
    )


def of_kinds(weights: FloatArray, chosen: BoolArray) -> FloatArray:
    """Take the weights (B, U) of some kinds of question; nothing is copied where all are taken."""
    return weights if chosen.all() else weights[:, chosen]


def membership(table: AnswerTable, labels: Sequence[str]) -> BoolArray:
    """Tell which values hold which labels, shape (V, L); the values are sets of labels."""
    rows = [[label in value for label in labels] for value in table.values]  # type: ignore[operator]
    return np.array(rows, dtype=bool).reshape(len(table.values), len(labels))


def label_table(table: AnswerTable, holds: BoolArray) -> AnswerTable:
    """Reduce sets of labels to one label: whether each answer holds it.

    Parameters
    ----------
    holds : bool, shape (V,), which values hold the label
    """
    given = table.counts @ holds.astype(np.float64)
    counts = np.column_stack([table.valid - given, given])
    return AnswerTable((False, True), counts, table.valid, table.multiplicity)


def _sorted_answers(question: IntArray, given: IntArray, padding: int) -> IntArray:
    """Give each question's answers in ascending order, one row a question, padded at the end."""
    codes = np.unique(question, return_inverse=True)[1]
    sizes = np.bincount(codes)
    order = np.lexsort((given, codes))
    starts = np.repeat(np.cumsum(sizes) - sizes, sizes)
    rows = np.full((sizes.size, int(sizes.max(initial=0))), padding, dtype=np.int64)
    rows[codes[order], np.arange(order.size) - starts] = given[order]
    return rows


def _order(value: Hashable) -> tuple[float, str, list[str]]:
    """Sort numbers by size, texts by their letters, sets by their sorted labels."""
    if isinstance(value, frozenset):
        return (0.0, "", sorted(value))
    if isinstance(value, str):
        return (0.0, value, [])
    return (float(value), "", [])  # type: ignore[arg-type]
