"""The rows of `human_reference.csv` for transcriptions, which are alike rather than equal."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from analysis.array_types import FloatArray, IntArray
from analysis.human_reference.text_similarity import model_similarity
from analysis.statistics.printed import Row
from analysis.statistics.reference_rows import gap_row, mean_row
from analysis.statistics.setting import Setting
from analysis.table11.pair_agreement import mean_pairwise_similarity
from analysis.table11.table11 import HUMAN

SIMILARITY = "similarity to the other people"


def text_rows(setting: Setting) -> list[Row]:
    """Compare people's texts with the others', and models' with the same people's: no key."""
    people = _people(setting)
    if not people:
        return []
    where = np.array(sorted(people), dtype=np.int64)
    rules = setting.scored.text_rules
    human = np.array(
        [float(mean_pairwise_similarity(people[place], rules)) for place in where.tolist()]
    )
    note = "its mean over categories is the agreement of Table 11"
    rows = [mean_row(setting, SIMILARITY, HUMAN, human, where, "yes", note)]
    for model in setting.arrays.models:
        own, asked = _model(setting, model, people)
        kept = np.isin(where, asked)
        note = "against K people; the mean is that of K-1"
        rows.append(mean_row(setting, SIMILARITY, model, own, asked, "yes", note))
        rows.append(gap_row(setting, SIMILARITY, model, human[kept] - own, asked))
    return rows


def _people(setting: Setting) -> dict[int, list[str | None]]:
    """Take the texts of each question with two or more, by its place in the study."""
    texts = ~setting.labelled
    if not texts.any():
        return {}
    found: dict[int, list[str | None]] = {}
    answers = setting.scored.responses["normalized"]
    for place, answer in zip(setting.arrays.question.tolist(), answers, strict=True):
        if texts[place]:
            found.setdefault(place, []).append(_text(answer))
    return {place: own for place, own in found.items() if len(own) > 1}


def _model(
    setting: Setting, model: str, people: Mapping[int, list[str | None]]
) -> tuple[FloatArray, IntArray]:
    """Give a model's mean similarity to the people, and the places of its questions."""
    frame = setting.scored.runs_of(model)[0]
    places = setting.scored.questions.index.get_indexer(pd.Index(frame["sample_id"]))
    rules = setting.scored.text_rules
    given = {
        place: _text(answer)
        for place, answer in zip(places.tolist(), frame["normalized"], strict=True)
        if place in people
    }
    asked = sorted(given)
    own = [float(model_similarity(given[place], people[place], rules)) for place in asked]
    return np.array(own, dtype=np.float64), np.array(asked, dtype=np.int64)


def _text(answer: object) -> str | None:
    return answer if isinstance(answer, str) else None
