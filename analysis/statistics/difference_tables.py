"""`model_differences.csv`: every two models on the questions that both answered.

`participant_model_pairs.csv`: each person beside each model, one answer against one answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np

from analysis.agreement.answer_codes import ABSENT
from analysis.arrays import FloatArray, Undefined
from analysis.inference.equivalence import allowing_for_all, difference_statement
from analysis.inference.gap import ModelDifference, model_difference
from analysis.inference.hypothesis_tests import SignFlip, mcnemar, sign_flip
from analysis.inference.interval import Interval
from analysis.inference.scored_responses import dense_codes, relative_weights
from analysis.inference.simultaneous import benjamini_yekutieli
from analysis.statistics.context import (
    Row,
    Setting,
    exact_estimate,
    limits,
    own_clusters,
    points,
    probability,
    probability_below,
    reason,
)
from analysis.statistics.gap_tables import adjust_by_measure
from analysis.statistics.label_tables import LabelAnswers, label_answers
from analysis.statistics.run_tables import difference_with_runs
from analysis.table11.table11 import Measure

DIFFERENCE_COLUMNS = (
    "model_a",
    "model_b",
    "metric",
    "n",
    "difference",
    "low",
    "high",
    "question_low",
    "question_high",
    "p_sign_flip",
    "p_holm",
    "p_mcnemar",
    "mde",
    "statement",
    "reason",
)


def difference_rows(setting: Setting) -> list[Row]:
    """Compare every two models on the questions that both answered."""
    found = [
        compared
        for measure in setting.measures
        for first, second in combinations(setting.arrays.models, 2)
        if (compared := _compared_models(setting, measure, first, second)) is not None
    ]
    adjusted = adjust_by_measure([(one.row["metric"], one.test.p) for one in found])
    upper = adjust_by_measure([(one.row["metric"], one.test.upper) for one in found])
    return [
        one.row
        | {
            "p_holm": probability_below(p, bound),
            "statement": allowing_for_all(
                one.row["statement"],
                one.row["model_a"],
                one.row["model_b"],
                one.interval,
                p,
                1 - setting.level,
            ),
        }
        for one, p, bound in zip(found, adjusted, upper, strict=True)
    ]


@dataclass(frozen=True)
class _ComparedModels:
    """Two models on one measure: their row, before adjusting, their test and interval."""

    row: dict[str, str]
    test: SignFlip
    interval: Interval | Undefined


def _compared_models(
    setting: Setting, measure: Measure, first: str, second: str
) -> _ComparedModels | None:
    a, b = (setting.arrays.models[name][measure.column] for name in (first, second))
    both = np.flatnonzero(~np.isnan(a) & ~np.isnan(b))
    if both.size == 0:
        return None
    images = dense_codes(setting.arrays.image[both])
    group = dense_codes(setting.arrays.category.codes[both]) if measure.macro else None
    strata = setting.arrays.divided(both)
    by_image = model_difference(a[both], b[both], images, setting.level, group, strata)
    interval = difference_with_runs(
        by_image.interval, setting, measure, (first, second), both.astype(np.int64)
    )
    by_question = model_difference(
        a[both], b[both], own_clusters(both.size), setting.level, group, strata
    )
    stream = setting.stream("sign-flip", measure.name, first, second)
    weighed = (a[both] - b[both]) * relative_weights(group, both.size)
    test = sign_flip(weighed, images, setting.resamples, stream)
    exact = exact_estimate(a[both], group) - exact_estimate(b[both], group)
    row = {
        "model_a": first,
        "model_b": second,
        "metric": measure.name,
        "n": str(both.size),
        "difference": points(exact),
        **limits(interval, "low", "high"),
        **limits(by_question.interval, "question_low", "question_high"),
        "p_sign_flip": probability_below(test.p, test.upper),
        "p_holm": "",
        "p_mcnemar": _mcnemar(a[both], b[both], by_question),
        "mde": points(by_image.detectable),
        "statement": difference_statement(first, second, interval),
        "reason": reason(interval),
    }
    return _ComparedModels(row, test, interval)


def _mcnemar(a: FloatArray, b: FloatArray, found: ModelDifference) -> str:
    """Give McNemar's p where every score is right or wrong; empty otherwise."""
    if not np.isin(np.concatenate([a, b]), (0.0, 1.0)).all():
        return ""
    return probability(mcnemar(found.only_first, found.only_second))


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
