"""Answers as numbers: equal codes are equal answers, and no invalid answer equals another."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from analysis.array_types import IntArray
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
