"""The scored study as arrays: the one place where data frames become codes and scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from analysis.arrays import BoolArray, FloatArray, IntArray
from analysis.inference.scored_responses import ScoredResponses, dense_codes, distinct_codes
from analysis.scoring.scored import ScoredStudy

STRATA = ("script_name", "category")


@dataclass(frozen=True)
class Grouping:
    """A name for each question's group: `codes`, shape (n,), index into the sorted `names`."""

    names: tuple[str, ...]
    codes: IntArray


@dataclass(frozen=True)
class StudyArrays:
    """N responses of P participants to n questions, with every score as an array.

    Attributes
    ----------
    sample_ids, participants : names, in the order of the codes
    question, participant : int, shape (N,)
    image : int, shape (n,), the same for questions about one image
    category, collection, stratum : the groups of the questions
    divisions : int, shape (n, L), the strata and the coarser ones they divide, coarsest first
    scores : metric to float (N,), NaN where a metric does not apply to a question
    models : model name to metric to float (n,), NaN also where the model gave no answer; the mean
        over its runs where it has several
    runs : the same for each declared run, metric to float (R, n); only for models with several
    """

    sample_ids: tuple[str, ...]
    participants: tuple[str, ...]
    question: IntArray
    participant: IntArray
    image: IntArray
    category: Grouping
    collection: Grouping
    stratum: Grouping
    scores: Mapping[str, FloatArray]
    models: Mapping[str, Mapping[str, FloatArray]]
    runs: Mapping[str, Mapping[str, FloatArray]] = field(default_factory=dict)
    divisions: IntArray | None = None

    def divided(self, positions: IntArray) -> IntArray | None:
        """Return the divisions of some questions, shape (n', L)."""
        return None if self.divisions is None else self.divisions[positions]

    @property
    def n_questions(self) -> int:
        return len(self.sample_ids)


@dataclass(frozen=True)
class MetricView:
    """The responses of one metric to some questions.

    `positions`, shape (n',), are the questions' places in the study; `participants` the people's.
    """

    responses: ScoredResponses
    positions: IntArray
    participants: IntArray


def study_arrays(
    scored: ScoredStudy, metrics: Sequence[str], strata: Sequence[str] = STRATA
) -> StudyArrays:
    """Turn the frames of a scored study into arrays.

    Parameters
    ----------
    scored : the study; its question frame is indexed by `sample_id`
    metrics : which score columns to take
    strata : columns of the question frame; those it does not have are left out
    """
    questions = scored.questions
    index = questions.index
    known = [field for field in strata if field in questions.columns]
    participants = sorted(set(scored.responses["participant"]))
    return StudyArrays(
        sample_ids=tuple(index),
        participants=tuple(participants),
        question=index.get_indexer(pd.Index(scored.responses["sample_id"])).astype(np.int64),
        participant=pd.Index(participants)
        .get_indexer(pd.Index(scored.responses["participant"]))
        .astype(np.int64),
        image=_image_codes(questions),
        category=_grouping(questions, ["category"]),
        collection=_grouping(questions, ["script_name"]),
        stratum=_grouping(questions, known),
        scores={metric: _floats(scored.responses[metric]) for metric in metrics},
        models={
            name: {metric: _model_scores(frame, metric, index) for metric in metrics}
            for name, frame in scored.predictions.items()
        },
        runs={
            name: {
                metric: np.array(
                    [_model_scores(frame, metric, index) for frame in scored.runs_of(name)]
                )
                for metric in metrics
            }
            for name in scored.repeats
        },
        divisions=_divisions(questions, known),
    )


def _divisions(questions: pd.DataFrame, known: Sequence[str]) -> IntArray | None:
    if not known:
        return None
    parts = [_grouping(questions, known[: last + 1]).codes for last in range(len(known))]
    return np.column_stack(parts)


def metric_view(
    arrays: StudyArrays, metric: str, questions: BoolArray | None = None, macro: bool = False
) -> MetricView | None:
    """Take the responses that a metric applies to, of some questions (boolean, shape (n,)).

    With `macro` their mean is that of the categories' means. None when there is no response.
    """
    score = arrays.scores[metric]
    keep = ~np.isnan(score)
    if questions is not None:
        keep &= questions[arrays.question]
    if not keep.any():
        return None
    positions, question = distinct_codes(arrays.question[keep])
    participants, participant = distinct_codes(arrays.participant[keep])
    responses = ScoredResponses(
        score[keep],
        question,
        participant,
        dense_codes(arrays.image[positions]),
        dense_codes(arrays.category.codes[positions]) if macro else None,
        arrays.divided(positions),
    )
    return MetricView(responses, positions, participants)


def _image_codes(questions: pd.DataFrame) -> IntArray:
    """Number the images; a question without one is its own cluster."""
    ids = list(questions.index)
    names = [
        ("image", image) if image else ("question", sample_id)
        for image, sample_id in zip(questions["image_name"], ids, strict=True)
    ]
    numbers = {name: code for code, name in enumerate(sorted(set(names)))}
    return np.array([numbers[name] for name in names], dtype=np.int64)


def _grouping(questions: pd.DataFrame, fields: Sequence[str]) -> Grouping:
    """Number the distinct values of some columns; several are joined with ` / `."""
    if not fields:
        return Grouping(("all",), np.zeros(len(questions), dtype=np.int64))
    columns = [[str(value) for value in questions[field]] for field in fields]
    labels = list(zip(*columns, strict=True))
    names = sorted(set(labels))
    numbers = {name: code for code, name in enumerate(names)}
    codes = np.array([numbers[label] for label in labels], dtype=np.int64)
    return Grouping(tuple(" / ".join(name) for name in names), codes)


def _floats(column: pd.Series) -> FloatArray:
    return column.to_numpy(dtype=np.float64, na_value=np.nan)


def _model_scores(frame: pd.DataFrame, metric: str, index: pd.Index) -> FloatArray:
    scores = np.full(len(index), np.nan)
    positions = index.get_indexer(pd.Index(frame["sample_id"]))
    known = positions >= 0
    scores[positions[known]] = _floats(frame[metric])[known]
    return scores


def filled_arrays(
    frame: pd.DataFrame, metrics: Sequence[str], sample_ids: Sequence[str]
) -> dict[str, FloatArray]:
    """Turn one model's frame into arrays, metric to float (n,), in the order of the questions."""
    index = pd.Index(sample_ids)
    return {metric: _model_scores(frame, metric, index) for metric in metrics}
