"""Scores that prediction files bring along: never used, compared with ours, differences told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from analysis.scoring.scored import ScoredStudy
from analysis.table11.evaluators import answer_evaluators
from analysis.table11.table11 import HUMAN

# Names under which evaluators report what we call exact match; the first that is there counts.
EXACT_MATCH_NAMES = ("exact_match", "em", "hit", "correct", "acc", "accuracy", "exact", "match")
F1_NAMES = ("f1",)
TOLERANCE = 0.005
SHOWN = 3


def reported_score(reported: Mapping[str, Any], names: tuple[str, ...]) -> float | None:
    """Read the first of some scores that is a number, a truth value or inspect_ai's C or I.

    >>> reported_score({"hit": "1"}, EXACT_MATCH_NAMES), reported_score({"exact": "C"}, ("exact",))
    (1.0, 1.0)
    >>> reported_score({"exact_match": "n/a"}, EXACT_MATCH_NAMES) is None
    True
    """
    for name in names:
        value = reported.get(name)
        if isinstance(value, bool | int | float):
            return float(value)
        if isinstance(value, str):
            text = value.strip().casefold()
            if text in {"c", "true"}:
                return 1.0
            if text in {"i", "n", "false"}:
                return 0.0
            try:
                return float(text)
            except ValueError:
                continue
    return None


def differences(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """List where a file's own scores differ from ours: `sample_id`, metric, both values, place."""
    found = []
    columns = (frame["sample_id"], frame["place"], frame["reported"])
    for sample_id, place, reported, match, f1 in zip(
        *columns, frame["exact_match"], frame["f1"], strict=True
    ):
        if not reported:
            continue
        for metric, names, ours in (
            ("exact_match", EXACT_MATCH_NAMES, match),
            ("f1", F1_NAMES, f1),
        ):
            theirs = reported_score(reported, names)
            if theirs is not None and not abs(theirs - ours) <= TOLERANCE:
                found.append(
                    {
                        "sample_id": sample_id,
                        "metric": metric,
                        "reported": theirs,
                        "ours": float(ours),
                        "place": place,
                    }
                )
    return found


def reported_differences(scored: ScoredStudy) -> list[dict[str, str]]:
    """List every difference of every model and condition, for `reported_differences.csv`."""
    return [
        {
            "evaluator": one.name,
            "condition": one.condition,
            **{name: str(value) for name, value in found.items()},
        }
        for one in answer_evaluators(scored)
        if one.name != HUMAN
        for found in differences(one.frame)
    ]


def compare_reported(name: str, condition: str, frame: pd.DataFrame) -> list[str]:
    """Warn where a file's own scores differ from ours, with the first few questions."""
    warnings = []
    found = differences(frame)
    for metric in ("exact_match", "f1"):
        of_metric = [one for one in found if one["metric"] == metric]
        if of_metric:
            shown = ", ".join(one["sample_id"] for one in of_metric[:SHOWN])
            more = ", ..." if len(of_metric) > SHOWN else ""
            warnings.append(
                f"{name} ({condition}): its file reports another {metric} for {len(of_metric)} "
                f"of {len(frame)} answers ({shown}{more}); ours are used"
            )
    return warnings
