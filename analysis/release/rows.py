"""The rows of the public bundle: every response with its scores, under a code for the person."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from analysis.release.croissant import RecordField
from analysis.scoring.scored import METRICS, TEXT_METRICS, ScoredStudy

RESPONSE_FIELDS = (
    RecordField("sample_id", "the question's id in the benchmark"),
    RecordField("category", "the question's category"),
    RecordField("script_name", "the collection the image is from"),
    RecordField("participant", "a code that says nothing about the person"),
    RecordField("response_index", "1 to k within a question", "sc:Integer"),
    RecordField("raw_response", "the answer as it was given"),
    RecordField("normalized_response", "the answer as it was scored"),
    RecordField("ground_truth", "the benchmark's reference answer, normalised"),
    RecordField("scoring_status", "valid, valid_oov or invalid"),
    RecordField("invalid_reason", "why an answer could not be read"),
    RecordField("exact_match", "1 if equal to the reference", "sc:Float"),
    RecordField("precision", "share of the given labels that are right", "sc:Float"),
    RecordField("recall", "share of the reference's labels that were given", "sc:Float"),
    RecordField("f1", "harmonic mean of precision and recall", "sc:Float"),
    RecordField("jaccard", "shared labels over all labels", "sc:Float"),
    RecordField("within_one", "for counts, 1 if off by one at most", "sc:Float"),
    RecordField("ned", "for texts, 1 - edit distance over the longer length", "sc:Float"),
    RecordField("char_f1", "for texts, F1 over characters", "sc:Float"),
    RecordField("submitted_on", "the day of the answer (UTC)", "sc:Date"),
    RecordField("active_seconds", "time of activity on the question's page", "sc:Float"),
)


def response_rows(scored: ScoredStudy, codes: Mapping[str, str]) -> list[dict[str, Any]]:
    """Give one row an analysed response, sorted by question and index, fields as declared above.

    Times are cut to the day: an hour can tell where in the world somebody works.
    """
    frame = scored.responses
    questions = scored.questions.loc[frame["sample_id"]]
    fields = [field.name for field in RESPONSE_FIELDS if field.name not in TEXT_METRICS]
    fields += [metric for metric in TEXT_METRICS if metric in frame]
    columns: dict[str, list[Any]] = {
        "sample_id": frame["sample_id"].tolist(),
        "category": questions["category"].tolist(),
        "script_name": questions["script_name"].tolist(),
        "participant": [codes[name] for name in frame["participant"]],
        "response_index": [_whole(value) for value in frame["response_index"]],
        "raw_response": frame["raw_response"].tolist(),
        "normalized_response": [_plain(value) for value in frame["normalized"]],
        "ground_truth": [_plain(value) for value in questions["ground_truth"]],
        "scoring_status": frame["scoring_status"].tolist(),
        "invalid_reason": frame["invalid_reason"].tolist(),
        "submitted_on": [_day(value) for value in frame["submitted_at"]],
        "active_seconds": [_number(value) for value in frame["active_seconds"]],
    }
    for metric in (*METRICS, *TEXT_METRICS):
        if metric in frame:
            columns[metric] = [_number(value) for value in frame[metric]]
    ordered = [columns[field] for field in fields]
    return [dict(zip(fields, values, strict=True)) for values in zip(*ordered, strict=True)]


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _number(value: float) -> float | int | None:
    """Give a JSON number, whole ones without a point, or null."""
    if math.isnan(value):
        return None
    return int(value) if value == int(value) else float(value)


def _whole(value: float) -> int | None:
    return None if math.isnan(value) else int(value)


def _day(value: pd.Timestamp) -> str | None:
    return None if pd.isna(value) else value.strftime("%Y-%m-%d")
