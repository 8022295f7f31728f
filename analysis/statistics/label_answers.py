"""The answers of a study that can be equal to one another: all but transcriptions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.agreement.answer_codes import ABSENT
from analysis.array_types import FloatArray, IntArray
from analysis.statistics.setting import Setting

EXACT = "exact_match"


@dataclass(frozen=True)
class LabelAnswers:
    """The answers to questions whose answers can be equal, with exact match and the models'.

    `question` has codes of the whole study; transcriptions are left out. `runs` has each declared
    run of a model's headline condition, where there are several.
    """

    question: IntArray
    participant: IntArray
    answer: IntArray
    exact: FloatArray
    models: dict[str, IntArray]
    runs: dict[str, tuple[IntArray, ...]]
    n_questions: int


def label_answers(setting: Setting) -> LabelAnswers | None:
    """Take the responses to questions that are not transcriptions; None when there is none."""
    arrays, codes = setting.arrays, setting.codes
    if EXACT not in arrays.scores:
        return None
    kept = setting.labelled[arrays.question]
    if not kept.any():
        return None
    models = {
        name: np.where(setting.labelled, answers, ABSENT) for name, answers in codes.models.items()
    }
    runs = {
        name: tuple(np.where(setting.labelled, answers, ABSENT) for answers in given)
        for name, given in codes.runs.items()
    }
    return LabelAnswers(
        question=arrays.question[kept],
        participant=arrays.participant[kept],
        answer=codes.responses[kept],
        exact=arrays.scores[EXACT][kept],
        models=models,
        runs=runs,
        n_questions=arrays.n_questions,
    )
