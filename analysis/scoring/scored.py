"""Scoring many answers at once: each distinct answer to each distinct key is scored once.

The scored study: the data frames on which every table, interval and figure is built.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.scoring.scores import Score, score, score_transcription
from sampling.answers.normalization import (
    NormalizedAnswer,
    Policy,
    ScoringStatus,
    answer_identity,
    normalize,
)
from sampling.answers.vocabularies import AnswerFormat, Vocabulary
from sampling.study.definition import TextTable

METRICS = ("exact_match", "precision", "recall", "f1", "jaccard", "within_one")
TEXT_METRICS = ("ned", "char_f1")


@dataclass(frozen=True)
class ScoredStudy:
    """Questions, human responses and model predictions, scored by one scorer.

    Attributes
    ----------
    questions : DataFrame, one row a question of the sample, indexed by `sample_id`, sorted
        `category`, `script_name`, `image_name`, `question_type`, `answer_format` (an
        `AnswerFormat` value), `cardinality` ("single" or "multi": a key of two labels or more),
        `ground_truth` (normalised: str, int or tuple of str), `vocabulary_size` (declared; 0 for
        counts and text).
    responses : DataFrame, one row an `answered` response, sorted by `sample_id`, `response_index`
        `sample_id`, `participant`, `response_index`, `shown_at`, `submitted_at` (aware UTC or
        NaT), `active_seconds` (float, NaN where unknown), with a plan also `position` and
        `session` (float from 1, NaN where the plan does not hold the answer), `normalized`
        (hashable; None when invalid), `scoring_status`, `invalid_reason`, then `METRICS` and the
        same with `lenient_` before them: float64 in [0, 1], `within_one` NaN unless a count; a
        text study has `TEXT_METRICS` as well.
    predictions : mapping of model name to DataFrame, in the order of `study.toml`
        One row a question the model answered in the headline condition, with `sample_id`,
        `model_name`, `condition` and the same normalised and score columns. With several declared
        runs each score is the mean over them, and what is no score is that of no answer.
    conditions : mapping of (model name, condition) to DataFrame
        Every prompt condition that the prediction files hold, the headline one included.
    repeats : mapping of model name to the conditions that are declared runs of the wanted one,
        the first run first; for models with two runs or more.
    outside : how many further answers each model gave, to questions outside the sample.
    warnings : what is odd but no reason to stop, in the order it was found.
    vocabularies : the vocabulary of each category.
    text_rules : how transcriptions are read and which tokens are one unit.
    """

    questions: pd.DataFrame
    responses: pd.DataFrame
    predictions: Mapping[str, pd.DataFrame]
    conditions: Mapping[tuple[str, str], pd.DataFrame] = field(default_factory=dict)
    repeats: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    outside: Mapping[str, int] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    vocabularies: Mapping[str, Vocabulary] = field(default_factory=dict)
    text_rules: TextTable = field(default_factory=TextTable)

    def runs_of(self, name: str) -> tuple[pd.DataFrame, ...]:
        """Return a model's declared runs of the headline condition; one frame where it has one."""
        labels = self.repeats.get(name, ())
        if not labels:
            return (self.predictions[name],)
        return tuple(self.conditions[name, label] for label in labels)


NO_ANSWER = "Failed to obtain answer via API."
LENIENT = "lenient_"


@dataclass(frozen=True)
class ScoringBasis:
    """The questions with their keys, read once: what every answer is scored against.

    `questions` is the frame of `ScoredStudy`; `keys` and `lenient_keys` (which differ only for
    texts) are the normalised keys in its order; `kinds` numbers the distinct pairs of category
    and key, in its order too.
    """

    questions: pd.DataFrame
    vocabularies: Mapping[str, Vocabulary]
    keys: tuple[NormalizedAnswer, ...]
    lenient_keys: tuple[NormalizedAnswer, ...]
    kinds: NDArray[np.int64]
    text_rules: TextTable


@dataclass(frozen=True)
class _Reading:
    """One distinct answer to the questions of a category, under both policies."""

    vocabulary: Vocabulary
    strict: NormalizedAnswer
    lenient: NormalizedAnswer


@dataclass(frozen=True)
class _Distinct:
    """One distinct answer to one distinct key, read and scored under both policies."""

    answer: NormalizedAnswer
    scores: tuple[float, ...]


def score_columns(
    answers: Sequence[Any], positions: NDArray[np.int64], basis: ScoringBasis
) -> pd.DataFrame:
    """Normalise and score raw answers; `positions` are the rows of their questions.

    Parameters
    ----------
    answers : sequence of raw JSON values, length n
    positions : int array, shape (n,)
        For each answer, the position of its question in `basis.questions`.

    Returns
    -------
    DataFrame with n rows
        `normalized`, `scoring_status`, `invalid_reason`, the metrics, and the metrics under the
        lenient policy with `lenient_` before their names.
    """
    codes, distinct = _number_answers(answers)
    count = int(basis.kinds.max(initial=0)) + 1
    inverse, pairs = pd.factorize(codes * count + basis.kinds[positions])
    categories = basis.questions["category"].to_list()
    first_of_kind = _first_positions(basis.kinds)
    metrics = metric_names(basis)
    known: dict[tuple[int, str], _Reading] = {}
    scored = []
    for number, kind in (divmod(pair, count) for pair in pairs.tolist()):
        position = first_of_kind[kind]
        category = categories[position]
        reading = known.get((number, category))
        if reading is None:
            reading = known[number, category] = _read(distinct[number], category, basis)
        scored.append(_score_one(reading, position, basis, len(metrics)))
    return _spread(scored, inverse, metrics)


def metric_names(basis: ScoringBasis) -> tuple[str, ...]:
    """Name the measures of this study: those of text only where something is transcribed."""
    formats = set(basis.questions["answer_format"].unique())
    return METRICS + TEXT_METRICS if AnswerFormat.TEXT.value in formats else METRICS


def _number_answers(answers: Sequence[Any]) -> tuple[NDArray[np.int64], list[Any]]:
    """Number the distinct raw answers; `1`, `true`, `1.0` and `"1"` are four.

    Answers that are one and the same object, as equal ones of a responses file are, are looked
    at once.
    """
    codes, objects = pd.factorize(np.fromiter(map(id, answers), np.int64, len(answers)))
    by_id = dict(zip(map(id, answers), answers, strict=True))
    numbers: dict[object, int] = {}
    distinct: list[Any] = []
    number_of_object = np.empty(len(objects), dtype=np.int64)
    for index, answer in enumerate(map(by_id.__getitem__, objects.tolist())):
        token = answer if type(answer) is str else answer_identity(answer)
        number = numbers.setdefault(token, len(distinct))
        if number == len(distinct):
            distinct.append(answer)
        number_of_object[index] = number
    return number_of_object[codes], distinct


def _first_positions(kinds: NDArray[np.int64]) -> dict[int, int]:
    """Give one question's position for each kind."""
    numbers, first = np.unique(kinds, return_index=True)
    return dict(zip(numbers.tolist(), first.tolist(), strict=True))


def _read(raw: Any, category: str, basis: ScoringBasis) -> _Reading:
    """Read one raw answer to a category's questions under both policies."""
    vocabulary = basis.vocabularies[category]
    given = None if raw == NO_ANSWER else raw
    return _Reading(
        vocabulary,
        normalize(given, vocabulary, Policy.STRICT, basis.text_rules),
        normalize(given, vocabulary, Policy.LENIENT, basis.text_rules),
    )


def _score_one(reading: _Reading, position: int, basis: ScoringBasis, width: int) -> _Distinct:
    """Score one answer against one key under both policies."""
    rules, vocabulary = basis.text_rules, reading.vocabulary
    key, lenient_key = basis.keys[position], basis.lenient_keys[position]
    strict = _values(score_answer(reading.strict, key, vocabulary, rules), width)
    lenient = strict
    if reading.lenient != reading.strict or lenient_key != key:
        lenient = _values(score_answer(reading.lenient, lenient_key, vocabulary, rules), width)
    return _Distinct(reading.strict, strict + lenient)


def score_answer(
    answer: NormalizedAnswer,
    key: NormalizedAnswer,
    vocabulary: Vocabulary,
    rules: TextTable = TextTable(),  # noqa: B008 - frozen
) -> Score:
    """Score one normalised answer, whatever its format."""
    if vocabulary.format is AnswerFormat.TEXT:
        return _score_text(answer, key, rules)
    return score(answer, key, vocabulary.format)


def _score_text(answer: NormalizedAnswer, key: NormalizedAnswer, rules: TextTable) -> Score:
    """Score a text: its units are compared as multisets, so Jaccard is F1 / (2 - F1)."""
    found = score_transcription(answer, key, rules)
    same = answer.status is not ScoringStatus.INVALID and answer.value == key.value
    return Score(
        exact_match=Fraction(int(same)),
        precision=found.precision,
        recall=found.recall,
        f1=found.char_f1,
        jaccard=found.char_f1 / (2 - found.char_f1),
        ned=found.ned,
        char_f1=found.char_f1,
    )


def _values(found: Score, width: int) -> tuple[float, ...]:
    """List the measures as floats, NaN where one does not apply."""
    measures = (
        found.exact_match,
        found.precision,
        found.recall,
        found.f1,
        found.jaccard,
        found.within_one,
        found.ned,
        found.char_f1,
    )
    return tuple(np.nan if value is None else float(value) for value in measures[:width])


def _spread(
    scored: Sequence[_Distinct], inverse: NDArray[np.int64], metrics: Sequence[str]
) -> pd.DataFrame:
    """Copy the distinct results to every row that has them."""
    values = np.array([one.scores for one in scored], dtype=np.float64)
    values = values.reshape(len(scored), 2 * len(metrics))[inverse]
    names = (*metrics, *(LENIENT + metric for metric in metrics))
    frame = pd.DataFrame(values, columns=list(names))
    frame.insert(0, "normalized", _objects([one.answer.value for one in scored], inverse))
    statuses = _objects([one.answer.status.value for one in scored], inverse)
    frame.insert(1, "scoring_status", statuses)
    frame.insert(2, "invalid_reason", _objects([one.answer.reason for one in scored], inverse))
    return frame


def _objects(values: Sequence[Any], inverse: NDArray[np.int64]) -> pd.Series:
    """Make a column of Python objects, tuples kept whole, and None kept: texts take NaN for it."""
    array = np.empty(len(values), dtype=object)
    for index, value in enumerate(values):
        array[index] = value
    return pd.Series(array[inverse], dtype=object)
