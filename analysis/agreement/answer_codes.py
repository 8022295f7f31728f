"""Who gave the same answer: pairs of responses within questions, counted without listing them.

Answers as numbers: equal codes are equal answers, and no invalid answer equals another.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from analysis.arrays import FloatArray, IntArray
from analysis.scoring.scored import ScoredStudy

ABSENT = -1  # a model gave no answer to the question


@dataclass(frozen=True)
class AnswerCodes:
    """The answers of a study as codes; sets of labels are compared whole, in any order.

    Attributes
    ----------
    responses : int, shape (N,), in the order of the response frame; invalid answers have
        negative codes below -1, all different
    keys : int, shape (n,), in the order of the question frame
    models : model name to int (n,), its first run, `ABSENT` where it gave no answer; invalid ones
        are negative and all different, too
    runs : model name to the same for each of its declared runs, where there are several
    values : the answers by code: a text, a number or a frozen set of labels
    """

    responses: IntArray
    keys: IntArray
    models: Mapping[str, IntArray]
    values: tuple[Hashable, ...]
    runs: Mapping[str, tuple[IntArray, ...]] = field(default_factory=dict)


def answer_codes(scored: ScoredStudy) -> AnswerCodes:
    """Number every answer of a scored study.

    A label named `nan` or `None` is text like any other; only a missing value is invalid.
    """
    numbers: dict[Hashable, int] = {}
    responses = _codes(scored.responses["normalized"], numbers)
    keys = _codes(scored.questions["ground_truth"], numbers)
    models = {
        name: _model_codes(scored.runs_of(name)[0], scored, numbers) for name in scored.predictions
    }
    runs = {
        name: tuple(
            _model_codes(scored.conditions[name, condition], scored, numbers)
            for condition in conditions
        )
        for name, conditions in scored.repeats.items()
    }
    return AnswerCodes(responses, keys, models, tuple(numbers), runs)


def _model_codes(
    frame: pd.DataFrame, scored: ScoredStudy, numbers: dict[Hashable, int]
) -> IntArray:
    codes = np.full(len(scored.questions), ABSENT, dtype=np.int64)
    positions = scored.questions.index.get_indexer(pd.Index(frame["sample_id"]))
    known = positions >= 0
    codes[positions[known]] = _codes(frame["normalized"], numbers)[known]
    return codes


def canonical(value: object) -> Hashable:
    """Give what an answer is compared by: a set for labels, with its type for the rest.

    >>> canonical(("b", "a")) == canonical(("a", "b")), canonical(1) == canonical("1")
    (True, False)
    """
    if isinstance(value, (tuple, list, set, frozenset)):
        return frozenset(value)
    return str(value) if isinstance(value, str) else int(value)  # type: ignore[call-overload]


def is_invalid(value: object) -> bool:
    """Tell whether a normalised answer is missing: None, or what a data frame makes of it."""
    return value is None or (isinstance(value, float) and value != value)


def _codes(values: Iterable[object], numbers: dict[Hashable, int]) -> IntArray:
    """Number values; `numbers` grows and is shared by all answers of the study."""
    by_value: dict[object, int] = {}
    found = []
    for row, value in enumerate(values):
        code = by_value.get(value)
        if code is None:
            if is_invalid(value):
                code = ABSENT - 1 - row  # a number of its own, so that it is not remembered
            else:
                code = by_value[value] = numbers.setdefault(canonical(value), len(numbers))
        found.append(code)
    return np.array(found, dtype=np.int64)


@dataclass(frozen=True)
class Matches:
    """Agreement among the people who answered a question.

    Attributes
    ----------
    others : int, shape (N,), how many other people answered the response's question
    matching_others : int, shape (N,), how many of them gave the same answer
    """

    others: IntArray
    matching_others: IntArray


def match_responses(question: IntArray, answer: IntArray) -> Matches:
    """Count, for every response, the others to its question and those equal to it.

    Parameters
    ----------
    question, answer : int, shape (N,); negative answers are invalid and match nothing

    Examples
    --------
    >>> found = match_responses(np.array([0, 0, 0]), np.array([5, 5, 7]))
    >>> found.others.tolist(), found.matching_others.tolist()
    ([2, 2, 2], [1, 1, 0])
    """
    sizes = np.bincount(question) if question.size else np.zeros(0, dtype=np.int64)
    distinct, code = np.unique(answer, return_inverse=True)
    _, inverse, counts = np.unique(
        question * distinct.size + code, return_inverse=True, return_counts=True
    )
    matching = np.where(answer < 0, 0, counts[inverse] - 1)
    return Matches(
        (sizes[question] - 1).astype(np.int64),
        matching.astype(np.int64),
    )


def pairs_of_responses(question: IntArray) -> tuple[IntArray, IntArray]:
    """List every ordered pair of different responses to one question, as two arrays of places.

    Examples
    --------
    >>> first, second = pairs_of_responses(np.array([7, 3, 7]))
    >>> sorted(zip(first.tolist(), second.tolist()))
    [(0, 2), (2, 0)]
    """
    order = np.argsort(question, kind="stable").astype(np.int64)
    asked = question[order]
    first: list[IntArray] = [np.zeros(0, dtype=np.int64)]
    second = list(first)
    step = 1
    while step < order.size and (near := asked[step:] == asked[:-step]).any():
        one, other = order[:-step][near], order[step:][near]
        first += [one, other]
        second += [other, one]
        step += 1
    return np.concatenate(first), np.concatenate(second)


def same_answer(first: IntArray, second: IntArray) -> FloatArray:
    """Give 1 where two answers are equal and valid, else 0.

    >>> same_answer(np.array([3, -2, 3]), np.array([3, -2, 4])).tolist()
    [1.0, 0.0, 0.0]
    """
    same: FloatArray = ((first == second) & (first >= 0)).astype(np.float64)
    return same


def pairwise_agreement(question: IntArray, answer: IntArray, n_questions: int) -> FloatArray:
    """Give each question's share of pairs of people who gave the same answer.

    Σ_{r<s} 1[y_r = y_s] / C(K, 2) (the benchmark's appendix D.5). NaN, to be counted and left out
    by the caller, for a question with fewer than two answers.

    Returns
    -------
    float, shape (n,)

    Examples
    --------
    >>> pairwise_agreement(np.array([0, 0, 0, 1]), np.array([5, 5, 7, 5]), 2)
    array([0.33333333,        nan])
    """
    matches = match_responses(question, answer)
    sizes = np.bincount(question, minlength=n_questions)
    equal = np.bincount(question, weights=matches.matching_others, minlength=n_questions)
    pairs = sizes * (sizes - 1)
    agreement: FloatArray = np.full(n_questions, np.nan)
    paired = pairs > 0
    agreement[paired] = equal[paired] / pairs[paired]
    return agreement
