"""`participant_model_pairs.csv`: each person beside each model, one answer against one answer."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from analysis.agreement.answer_codes import ABSENT
from analysis.inference.exact_pairs import mcnemar
from analysis.inference.multiplicity import benjamini_yekutieli
from analysis.statistics.label_answers import LabelAnswers, label_answers
from analysis.statistics.printed import Row, points, probability
from analysis.statistics.setting import Setting

PAIR_COLUMNS = (
    "participant",
    "model",
    "n",
    "both_right",
    "only_participant",
    "only_model",
    "neither",
    "difference",
    "p_mcnemar",
    "p_adjusted",
)


@dataclass(frozen=True)
class _Pair:
    """How often a person and a model were right on the questions that both answered."""

    participant: str
    model: str
    both: int
    only_participant: int
    only_model: int
    neither: int

    @property
    def n(self) -> int:
        return self.both + self.only_participant + self.only_model + self.neither


def pair_rows(setting: Setting) -> list[Row]:
    """Compare each person with each model by exact match, McNemar's exact test beside it.

    A secondary table that explores: p-values are adjusted for all its tests (Benjamini and
    Yekutieli), and questions about one image are taken for independent.
    """
    answers = label_answers(setting)
    if answers is None:
        return []
    pairs = [
        pair
        for model in answers.models
        for person in range(len(setting.arrays.participants))
        if (pair := _pair(setting, answers, person, model)).n
    ]
    p_values = [mcnemar(pair.only_participant, pair.only_model) for pair in pairs]
    adjusted = benjamini_yekutieli(p_values) if pairs else []
    return [_row(*one) for one in zip(pairs, p_values, adjusted, strict=True)]


def _pair(setting: Setting, answers: LabelAnswers, person: int, model: str) -> _Pair:
    own = answers.participant == person
    given = answers.models[model][answers.question[own]]
    shared = given != ABSENT
    right = answers.exact[own][shared] == 1
    machine = (given == setting.codes.keys[answers.question[own]])[shared]
    return _Pair(
        participant=setting.arrays.participants[person],
        model=model,
        both=int(np.count_nonzero(right & machine)),
        only_participant=int(np.count_nonzero(right & ~machine)),
        only_model=int(np.count_nonzero(~right & machine)),
        neither=int(np.count_nonzero(~right & ~machine)),
    )


def _row(pair: _Pair, p: float, adjusted: float) -> Row:
    return {
        "participant": pair.participant,
        "model": pair.model,
        "n": str(pair.n),
        "both_right": str(pair.both),
        "only_participant": str(pair.only_participant),
        "only_model": str(pair.only_model),
        "neither": str(pair.neither),
        "difference": points(Fraction(pair.only_participant - pair.only_model, pair.n)),
        "p_mcnemar": probability(p),
        "p_adjusted": probability(adjusted),
    }
