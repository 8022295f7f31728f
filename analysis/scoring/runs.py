"""A model's scores over several declared runs, and with the answers it did not give as wrong."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.arrays import BoolArray
from analysis.scoring.scored import LENIENT, METRICS, TEXT_METRICS, ScoredStudy
from sampling.answers.vocabularies import AnswerFormat

# Scores that only some questions have, by the format of their answers.
_ONLY = {
    "within_one": AnswerFormat.COUNT,
    **dict.fromkeys(TEXT_METRICS, AnswerFormat.TEXT),
}


def score_columns_of(frame: pd.DataFrame) -> list[str]:
    """Name the score columns that a frame has, lenient ones too."""
    names = (*METRICS, *TEXT_METRICS)
    return [name for name in (*names, *(LENIENT + one for one in names)) if name in frame]


def mean_of_runs(runs: Sequence[pd.DataFrame], condition: str) -> pd.DataFrame:
    """Average each question's scores over the runs that answered it.

    A mean of runs is no answer: `scoring_status` is empty, and so is all that was answered.

    Parameters
    ----------
    runs : frames of one row a question, with the same columns
    condition : what the mean is called

    Returns
    -------
    DataFrame, one row a question that some run answered, sorted by `sample_id`

    Examples
    --------
    >>> one = pd.DataFrame({"sample_id": ["q1", "q2"], "exact_match": [1.0, 0.0]})
    >>> mean_of_runs([one, one[:1].assign(exact_match=0.0)], "mean")["exact_match"].tolist()
    [0.5, 0.0]
    """
    together = pd.concat(runs, ignore_index=True)
    names = score_columns_of(together)
    scores = together.groupby("sample_id", sort=True)[names].mean()
    columns = {
        name: scores[name].to_numpy() if name in names else _blank(runs[0][name], len(scores))
        for name in runs[0].columns
    }
    columns["sample_id"] = pd.Series(list(scores.index), dtype="str")
    columns["condition"] = pd.Series([condition] * len(scores), dtype="str")
    return pd.DataFrame(columns)


def _blank(column: pd.Series, size: int) -> pd.Series:
    """Repeat what is the same in every row, such as the model's name; leave the rest empty."""
    if column.dtype == object:
        return pd.Series([None] * size, dtype=object)
    distinct = column.unique()
    value = distinct[0] if column.name == "model_name" and distinct.size else ""
    return pd.Series([value] * size, dtype="str")


def missing_as_wrong(scored: ScoredStudy, name: str) -> pd.DataFrame | None:
    """Return a model's scores on every question, 0 for each answer that it did not give.

    With several runs, 0 in each run that lacks the answer. None where no answer is missing.
    """
    runs = scored.runs_of(name)
    questions = scored.questions
    if all(len(frame) == len(questions) for frame in runs):
        return None
    filled = [_filled(frame, questions) for frame in runs]
    return filled[0] if len(filled) == 1 else mean_of_runs(filled, "")


def _filled(frame: pd.DataFrame, questions: pd.DataFrame) -> pd.DataFrame:
    """Give a row to every question; scores that its format does not have stay absent."""
    names = score_columns_of(frame)
    scores = frame.set_index("sample_id")[names].astype(np.float64)
    missing = questions.index.difference(scores.index)
    formats = questions.loc[missing, "answer_format"].to_numpy(dtype=object)
    zeros = pd.DataFrame(0.0, index=missing, columns=names)
    for name in names:
        only = _ONLY.get(name.removeprefix(LENIENT))
        if only is not None:
            absent: BoolArray = np.array([one != only.value for one in formats], dtype=bool)
            zeros.loc[absent, name] = np.nan
    whole = pd.concat([scores, zeros]) if len(scores) else zeros
    return whole.loc[questions.index].rename_axis("sample_id").reset_index()
