"""Tables of the people: forest, without each of them, order, time, variance components."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from analysis.agreement.implied_correlation import implied_icc
from analysis.agreement.study_arrays import MetricView
from analysis.array_types import FloatArray, IntArray
from analysis.human_reference.participants import (
    ParticipantScore,
    left_out_means,
    participant_scores,
)
from analysis.inference.cluster import cluster_variance, response_contributions
from analysis.inference.crossed import VarianceComponents, variance_components
from analysis.inference.crossed_design import design_precision, intra_question_correlation
from analysis.inference.scored_responses import ScoredResponses
from analysis.statistics.interval_tables import agreement_values
from analysis.statistics.label_answers import EXACT
from analysis.statistics.printed import Row, number, points, reason
from analysis.statistics.setting import Setting, shared_view, view_of
from analysis.table11.table11 import HUMAN, Measure
from analysis.undefined import Undefined

FOREST_COLUMNS = (
    "participant",
    "metric",
    "n",
    "score",
    "low",
    "high",
    "adjusted",
    "human_without",
    "reason",
)
WITHOUT_COLUMNS = ("left_out", "evaluator", "metric", "n", "estimate")
COMPONENT_COLUMNS = ("metric", "component", "value", "share", "unit", "reason")
DESIGN_COLUMNS = (
    "participants",
    "questions",
    "responses_per_question",
    "standard_error",
    "half_width",
    "note",
)


def forest_rows(setting: Setting) -> list[Row]:
    """List every participant's score on every measure."""
    rows: list[Row] = []
    for measure in setting.measures:
        view = view_of(setting, measure)
        if view is not None:
            names = _names(setting, view.participants)
            found = participant_scores(view.responses, setting.level)
            rows += [
                _forest_row(name, measure, one) for name, one in zip(names, found, strict=True)
            ]
    return rows


def _forest_row(name: str, measure: Measure, one: ParticipantScore) -> Row:
    low, high = (None, None) if isinstance(one.limits, Undefined) else one.limits
    return {
        "participant": name,
        "metric": measure.name,
        "n": str(one.n),
        "score": points(one.score),
        "low": points(low),
        "high": points(high),
        "adjusted": points(one.adjusted),
        "human_without": points(one.without),
        "reason": reason(one.limits, one.adjusted, one.without),
    }


def without_rows(setting: Setting) -> list[Row]:
    """Give the human score and every gap without each participant, then the extremes."""
    rows: list[Row] = []
    for measure in setting.measures:
        view = view_of(setting, measure)
        if view is None:
            continue
        rows += _left_out(measure, HUMAN, view.responses, _names(setting, view.participants), None)
        for model in setting.arrays.models:
            shared = shared_view(setting, measure, model)
            if shared is not None:
                names = _names(setting, shared.participants)
                evaluator = f"{HUMAN} - {model}"
                rows += _left_out(measure, evaluator, shared.responses, names, shared.model)
    return rows


def _names(setting: Setting, participants: IntArray) -> list[str]:
    return [setting.arrays.participants[code] for code in participants]


def _left_out(
    measure: Measure,
    evaluator: str,
    people: ScoredResponses,
    names: Sequence[str],
    model: FloatArray | None,
) -> list[Row]:
    """Leave out one person at a time; a gap is then on the questions that others answered."""
    sizes = people.n_responses - people.responses_per_participant
    found = [
        (name, int(n), estimate)
        for name, n, estimate in zip(names, sizes, left_out_means(people, model), strict=True)
        if not isinstance(estimate, Undefined)
    ]
    if not found:
        return []
    lowest = min(found, key=lambda one: one[2])
    highest = max(found, key=lambda one: one[2])
    extremes = [("lowest", lowest[1], lowest[2]), ("highest", highest[1], highest[2])]
    return [
        {
            "left_out": name,
            "evaluator": evaluator,
            "metric": measure.name,
            "n": str(n),
            "estimate": points(estimate),
        }
        for name, n, estimate in [*found, *extremes]
    ]


@dataclass(frozen=True)
class _Described:
    """A line of the components table: its name, its value, its share of the whole, its unit."""

    name: str
    value: str
    share: str = ""
    unit: str = ""
    reason: str = ""


def component_rows(setting: Setting) -> list[Row]:
    """Give the variance components and what they are worth, for every measure."""
    rows: list[Row] = []
    for measure in setting.measures:
        view = view_of(setting, measure)
        if view is not None:
            rows += [
                {
                    "metric": measure.name,
                    "component": one.name,
                    "value": one.value,
                    "share": one.share,
                    "unit": one.unit,
                    "reason": one.reason,
                }
                for one in (*_described(view.responses), *_implied(setting, measure, view))
            ]
    return rows


def _implied(setting: Setting, measure: Measure, view: MetricView) -> list[_Described]:
    """Give the ICC that exact match and agreement imply, whatever share of wrong pairs match."""
    if measure.column != EXACT:
        return []
    agreement = agreement_values(setting)
    if agreement is None:
        return []
    shares = (("icc_implied_if_no_wrong_pair_matches", 0.0), ("icc_implied_if_all_match", 1.0))
    mean, agreed = view.responses.mean, float(agreement.values.mean())
    found = [(name, implied_icc(mean, agreed, share)) for name, share in shares]
    return [_Described(name, number(value), reason=reason(value)) for name, value in found]


def _described(people: ScoredResponses) -> list[_Described]:
    return [*_components(people), *_correlation(people), *_errors(people)]


def _components(people: ScoredResponses) -> list[_Described]:
    found = variance_components(people)
    names = ("question", "participant", "residual")
    if isinstance(found, Undefined):
        return [_Described(name, "", reason=found.reason) for name in names]
    values = (found.question, found.participant, found.residual)
    total = sum(values)
    return [
        _Described(name, number(value, 6), points(value / total) if total else "", "variance")
        for name, value in zip(names, values, strict=True)
    ]


def _correlation(people: ScoredResponses) -> list[_Described]:
    found = intra_question_correlation(people)
    if isinstance(found, Undefined):
        names = ("icc", "design_effect", "n_effective")
        return [_Described(name, "", reason=found.reason) for name in names]
    return [
        _Described("icc", number(found.icc)),
        _Described("design_effect", number(found.design_effect)),
        _Described(
            "n_effective",
            number(found.effective_responses, 1),
            unit="responses",
            reason=reason(found.effective_responses),
        ),
    ]


def _errors(people: ScoredResponses) -> list[_Described]:
    """Give the standard errors of the mean that the two targets rest on, in points."""
    by_image = cluster_variance(response_contributions(people), people.image, people.group)
    found = variance_components(people)
    if isinstance(by_image, Undefined):
        names = ("standard_error_t2", "standard_error_t3")
        return [_Described(name, "", reason=by_image.reason) for name in names]
    lines = [_Described("standard_error_t2", points(np.sqrt(by_image.variance)), unit="points")]
    if isinstance(found, Undefined):
        return [*lines, _Described("standard_error_t3", "", reason=found.reason)]
    error = float(np.sqrt(by_image.variance + found.participant_variance_of_mean))
    return [*lines, _Described("standard_error_t3", points(error), unit="points")]


def design_rows(setting: Setting) -> list[Row]:
    """Show what other numbers of people, questions and answers would bring, by the components."""
    view = view_of(setting, setting.measures[0])
    found = None if view is None else variance_components(view.responses)
    if found is None or isinstance(found, Undefined):
        return []
    critical = float(stats.norm.ppf((1 + setting.level) / 2))
    return [
        {
            "participants": str(one.participants),
            "questions": str(one.questions),
            "responses_per_question": str(one.responses_per_question),
            "standard_error": points(one.standard_error),
            "half_width": points(critical * one.standard_error),
            "note": "this design" if place == 0 else "",
        }
        for place, one in enumerate(design_precision(found, _designs(found)))
    ]


def _designs(found: VarianceComponents) -> list[tuple[int, int, int]]:
    """Vary one number at a time around the design that was used, which comes first."""
    people, questions = found.n_participants, found.n_questions
    each = max(1, round(found.n_responses / questions))
    designs = [(people, questions, each)]
    designs += [(people, questions, k) for k in (1, 2, 3, 5, 10)]
    designs += [(people, max(1, questions * n // 4), each) for n in (1, 2, 8, 16, 32)]
    designs += [(max(1, people * p // 4), questions, each) for p in (2, 8, 16)]
    # A question can have at most as many answers as there are people.
    return list(dict.fromkeys(one for one in designs if one[2] <= one[0]))
