"""`order_effects.csv` and `timing.csv`: whether scores drift, and how long answers took."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.array_types import BoolArray, FloatArray, IntArray
from analysis.human_reference.order_effects import (
    Effect,
    repeated_views,
    within_participant_slope,
)
from analysis.human_reference.timing import durations
from analysis.inference.interval import Interval
from analysis.inference.means import human_intervals
from analysis.inference.scored_responses import ScoredResponses, subset
from analysis.scoring.answer_order import answer_order
from analysis.statistics.printed import Row, limits, number, points, reason
from analysis.statistics.setting import Setting
from analysis.table11.table11 import Measure
from analysis.undefined import Undefined

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
