"""`agreement_labels.csv`: how far people agreed on each label of a set.

The answers of a study that can be equal to one another: all but transcriptions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.agreement.answer_codes import ABSENT
from analysis.agreement.answer_table import AnswerTable, label_table, membership
from analysis.agreement.bootstrap import why_undefined
from analysis.agreement.by_format import Declared, set_labels
from analysis.agreement.coefficients import alpha, gwet_ac1
from analysis.agreement.distances import nominal_distance
from analysis.agreement.exact import mean_pairwise, specific_agreement
from analysis.arrays import FloatArray, IntArray
from analysis.statistics.context import Row, Setting, number, points

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


COLUMNS = (
    "category",
    "label",
    "n_questions",
    "share",
    "exact_agreement",
    "positive_agreement",
    "alpha",
    "ac1",
    "reason",
)


def label_rows(category: str, table: AnswerTable, declared: Declared) -> list[Row]:
    """Describe each label of a category of sets: how often it was given, how far people agreed."""
    labels = set_labels(table, declared)
    return [
        _label_row(category, label, label_table(table, holds))
        for label, holds in zip(labels, membership(table, labels).T, strict=True)
    ]


def _label_row(category: str, label: str, table: AnswerTable) -> Row:
    weights = table.point_weights
    given = weights @ table.counts
    total = float(given.sum())
    values = {
        "exact_agreement": mean_pairwise(table, np.eye(2), weights)[0],
        "positive_agreement": specific_agreement(table, weights)[0, 1],
        "alpha": alpha(table, nominal_distance(2), weights)[0],
        "ac1": gwet_ac1(table, 2, weights)[0],
    }
    known = {name: None if np.isnan(value) else float(value) for name, value in values.items()}
    missing = [name for name, value in known.items() if value is None]
    return {
        "category": category,
        "label": label,
        "n_questions": str(table.n_paired),
        "share": points(float(given[0, 1]) / total) if total else "",
        "exact_agreement": points(known["exact_agreement"]),
        "positive_agreement": points(known["positive_agreement"]),
        "alpha": number(known["alpha"]),
        "ac1": number(known["ac1"]),
        "reason": f"{', '.join(missing)}: {why_undefined(table)}" if missing else "",
    }
