"""Tables of the people: forest, without each of them, order, time, variance components.

`order_effects.csv` and `timing.csv`: whether scores drift, and how long answers took.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from analysis.agreement.by_format import implied_icc
from analysis.agreement.study_arrays import MetricView
from analysis.arrays import BoolArray, FloatArray, IntArray, Undefined
from analysis.human_reference.order_effects import (
    Effect,
    durations,
    repeated_views,
    within_participant_slope,
)
from analysis.human_reference.participants import (
    ParticipantScore,
    left_out_means,
    participant_scores,
)
from analysis.inference.cluster import cluster_variance, response_contributions
from analysis.inference.crossed import (
    VarianceComponents,
    design_precision,
    intra_question_correlation,
    variance_components,
)
from analysis.inference.interval import Interval
from analysis.inference.means import human_intervals
from analysis.inference.scored_responses import ScoredResponses, subset
from analysis.scoring.answer_order import answer_order
from analysis.statistics.context import (
    Row,
    Setting,
    limits,
    number,
    points,
    reason,
    shared_view,
    view_of,
)
from analysis.statistics.interval_tables import agreement_values
from analysis.statistics.label_tables import EXACT
from analysis.table11.table11 import HUMAN, Measure

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
    "scale",
    "cluster",
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
            "scale": f"percentage points of {setting.measures[0].name}",
            "cluster": "question and person",
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


ORDER_COLUMNS = (
    "effect",
    "metric",
    "unit",
    "estimate",
    "low",
    "high",
    "n",
    "target",
    "method",
    "reason",
)
TIMING_COLUMNS = (
    "by",
    "group",
    "n",
    "median_active_seconds",
    "lower_quartile_active_seconds",
    "upper_quartile_active_seconds",
    "n_wall",
    "median_wall_seconds",
    "lower_quartile_wall_seconds",
    "upper_quartile_wall_seconds",
    "reason",
)
FIRST_QUESTIONS = 5


def order_rows(setting: Setting) -> list[Row]:
    """List the effects of order on the first measure, then the score without early or repeats."""
    arrays, measure = setting.arrays, setting.measures[0]
    order = answer_order(setting.scored.responses, setting.questions_per_session)
    image = arrays.image[arrays.question]
    repeated = repeated_views(arrays.participant, image, order.position)
    score = arrays.scores[measure.column]
    kept = ~np.isnan(score)
    last = order.position[~np.isnan(order.position)].max(initial=0)
    per = int(min(setting.questions_per_session, last or setting.questions_per_session))
    predictors = (
        ("position", order.position / per, f"points per {per} questions"),
        ("session", order.session, "points per session"),
        (
            "image seen before",
            np.where(np.isnan(order.position), np.nan, repeated.astype(np.float64)),
            "points, seen before minus first view",
        ),
    )
    rows = []
    for name, predictor, unit in predictors:
        effect = within_participant_slope(
            score[kept],
            predictor[kept],
            arrays.participant[kept],
            arrays.question[kept],
            setting.level,
        )
        rows.append(_effect_row(name, measure, unit, order.source, effect))
    early = order.position <= FIRST_QUESTIONS
    known = kept & ~np.isnan(order.position)
    rows.append(_kept_row(setting, measure, "all responses", kept))
    rows.append(
        _kept_row(
            setting, measure, f"without each person's first {FIRST_QUESTIONS}", known & ~early
        )
    )
    rows.append(_kept_row(setting, measure, "without repeated views", known & ~repeated))
    return rows


def _effect_row(
    name: str, measure: Measure, unit: str, source: str, effect: Effect | Undefined
) -> Row:
    row = {"effect": name, "metric": measure.name, "unit": unit, "target": "T2"}
    row["method"] = f"slope within participants, by question; {source}"
    if isinstance(effect, Undefined):
        return row | dict.fromkeys(("estimate", "low", "high", "n"), "") | {"reason": effect.reason}
    return row | {
        "estimate": points(effect.estimate),
        "low": points(effect.low),
        "high": points(effect.high),
        "n": str(effect.n),
        "reason": "",
    }


def _kept_row(setting: Setting, measure: Measure, name: str, kept: BoolArray) -> Row:
    """Give the human mean of some responses, with its interval clustered by image."""
    row = {"effect": name, "metric": measure.name, "unit": "score", "target": "T2"}
    if not kept.any():
        none = "no response has a known position"
        return (
            row | dict.fromkeys(("estimate", "low", "high", "n", "method"), "") | {"reason": none}
        )
    people = _responses(setting, measure, kept)
    interval = human_intervals(people, people.image, setting.level, "by image").new_questions
    return row | {
        "estimate": points(people.mean),
        **limits(interval, "low", "high"),
        "n": str(people.n_responses),
        "method": interval.method if isinstance(interval, Interval) else "by image",
        "reason": reason(interval),
    }


def _responses(setting: Setting, measure: Measure, kept: BoolArray) -> ScoredResponses:
    arrays = setting.arrays
    everything = ScoredResponses(
        arrays.scores[measure.column],
        arrays.question,
        arrays.participant,
        arrays.image,
        arrays.category.codes if measure.macro else None,
    )
    return subset(everything, kept)


def timing_rows(setting: Setting) -> list[Row]:
    """List times overall, by category and by participant."""
    arrays, frame = setting.arrays, setting.scored.responses
    active = frame["active_seconds"].to_numpy(dtype=np.float64, na_value=np.nan)
    wall = _wall_seconds(frame)
    category = arrays.category.codes[arrays.question]
    everyone = np.zeros(arrays.question.size, dtype=np.int64)
    groups: tuple[tuple[str, tuple[str, ...], IntArray], ...] = (
        ("overall", ("overall",), everyone),
        ("category", arrays.category.names, category),
        ("participant", arrays.participants, arrays.participant),
    )
    return [
        _timing_row(by, name, active[codes == code], wall[codes == code])
        for by, names, codes in groups
        for code, name in enumerate(names)
    ]


def _wall_seconds(frame: pd.DataFrame) -> FloatArray:
    elapsed = (frame["submitted_at"] - frame["shown_at"]).dt.total_seconds()
    return elapsed.to_numpy(dtype=np.float64, na_value=np.nan).astype(np.float64)


def _timing_row(by: str, group: str, active: FloatArray, wall: FloatArray) -> Row:
    reasons = [reason(durations(seconds)) for seconds in (active, wall)]
    return {
        "by": by,
        "group": group,
        **_time_cells("active", "n", active),
        **_time_cells("wall", "n_wall", wall),
        "reason": "; ".join(dict.fromkeys(text for text in reasons if text)),
    }


def _time_cells(kind: str, count: str, seconds: FloatArray) -> dict[str, str]:
    found = durations(seconds)
    names = [f"{value}_{kind}_seconds" for value in ("median", "lower_quartile", "upper_quartile")]
    if isinstance(found, Undefined):
        return {count: "0", **dict.fromkeys(names, "")}
    values = (found.median, found.lower_quartile, found.upper_quartile)
    printed = [number(value, 1) for value in values]
    return {count: str(found.n), **dict(zip(names, printed, strict=True))}
