"""Writing every scored answer: the input row, how it was read, and its scores."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis.scoring.scored import LENIENT, METRICS, TEXT_METRICS, ScoredStudy
from analysis.table11.breakdowns import answer_evaluators
from analysis.table11.table11 import HUMAN


def write_scored_responses(scored: ScoredStudy, source: Path, target: Path) -> None:
    """Write `responses_scored.jsonl`: each answered row of the input in its order, with scores."""
    by_line = dict(zip(scored.responses["line"], range(len(scored.responses)), strict=True))
    records = _score_records(scored.responses, scored, "normalized_response")
    with (
        source.open(encoding="utf-8-sig") as lines,
        target.open("w", encoding="utf-8", newline="\n") as out,
    ):
        for number, line in enumerate(lines, start=1):
            if number in by_line:
                row = json.loads(line) | records[by_line[number]]
                out.write(_json_line(row))


def write_scored_predictions(scored: ScoredStudy, target: Path) -> None:
    """Write `predictions_scored.jsonl`: every model and condition, the sample's questions only."""
    with target.open("w", encoding="utf-8", newline="\n") as out:
        out.writelines(prediction_lines(scored))


def prediction_lines(scored: ScoredStudy) -> Iterator[str]:
    """Yield one JSON line a prediction, every model and condition."""
    for one in answer_evaluators(scored):
        if one.name == HUMAN:
            continue
        for row in prediction_records(one.frame, scored):
            yield _json_line(row)


def prediction_records(frame: pd.DataFrame, scored: ScoredStudy) -> Iterator[dict[str, Any]]:
    """Yield one record a prediction; what the file said further is under `reported`."""
    records = _score_records(frame, scored, "normalized_prediction")
    columns = (frame["sample_id"], frame["model_name"], frame["condition"])
    for sample_id, model, condition, raw, reported, record in zip(
        *columns, frame["raw_prediction"], frame["reported"], records, strict=True
    ):
        yield {
            "sample_id": sample_id,
            "model_name": model,
            "prompt_condition": condition,
            "raw_prediction": raw,
            **record,
            "reported": dict(reported),
        }


def _score_records(
    frame: pd.DataFrame, scored: ScoredStudy, normalized: str
) -> list[dict[str, Any]]:
    """Lay out the scores of every row, whole numbers as such and null where none applies."""
    metrics = [name for name in (*METRICS, *TEXT_METRICS) if name in frame]
    names = [*metrics, *(LENIENT + name for name in metrics)]
    values = frame[names].to_numpy(dtype=np.float64).tolist()
    keys = frame["sample_id"].map(scored.questions["ground_truth"])
    texts = (frame["normalized"], keys, frame["scoring_status"], frame["invalid_reason"])
    return [
        {
            normalized: _listed(answer),
            "ground_truth": _listed(key),
            "scoring_status": status,
            "invalid_reason": reason or None,
            **{name: _number(value) for name, value in zip(names, numbers, strict=True)},
        }
        for answer, key, status, reason, numbers in zip(*texts, values, strict=True)
    ]


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _number(value: float) -> float | int | None:
    """Give 1.0 as 1 and NaN as null.

    >>> _number(1.0), _number(0.5), _number(float("nan"))
    (1, 0.5, None)
    """
    if np.isnan(value):
        return None
    return int(value) if value == int(value) else value


def _json_line(row: Mapping[str, Any]) -> str:
    """Write one row as JSON; an infinite number, which JSON lacks, becomes text and NaN null."""
    try:
        text = json.dumps(row, ensure_ascii=False, default=str, allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(row), ensure_ascii=False, default=str)
    return text + "\n"


def _finite(value: Any) -> Any:
    """Replace what JSON cannot hold, at any depth.

    >>> _finite({"a": [float("nan"), float("inf"), 1.5]})
    {'a': [None, 'inf', 1.5]}
    """
    if isinstance(value, Mapping):
        return {name: _finite(inside) for name, inside in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(inside) for inside in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    return value
