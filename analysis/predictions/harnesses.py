"""Sample logs of lm-eval, lmms-eval and lighteval, which number the rows of their data set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from analysis.predictions.rows import QUESTIONS, PredictionRow, as_text, first_field
from analysis.predictions.tables import Record, read_rows_with_places
from sampling.study.errors import StudyError

NO_FILTER = "none"
DOC_IDS = ("sample_id", "id", "questionId", "question_id")
SAMPLE_LOG_FIELDS = frozenset(
    {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "input"}
)


def read_sample_log(path: Path) -> list[PredictionRow]:
    """Read `samples_*.jsonl` of lm-eval or `*_samples_*.jsonl` of lmms-eval.

    Every filter of lm-eval is a declared run of its own, and so is every repeat.
    """
    records = read_rows_with_places(path)
    return [row for place, record in records for row in _sample_rows(record, place)]


def _sample_rows(record: Mapping[str, Any], place: str) -> Iterable[PredictionRow]:
    answers = _answers(record, place)
    name = as_text(record.get("filter")) or NO_FILTER
    named = "" if name == NO_FILTER else f"filter {name}"
    doc = _mapping(record.get("doc"))
    holder = {**doc, **_mapping(record.get("submission"))}
    reported = {key: value for key, value in record.items() if key not in SAMPLE_LOG_FIELDS}
    for number, answer in enumerate(answers, start=1):
        repeat = f"repeat {number}" if number > 1 else ""
        yield PredictionRow(
            raw=answer,
            place=place,
            identifier=as_text(holder.get(first_field(holder, DOC_IDS) or "")),
            row=_row_number(record.get("doc_id")),
            run=", ".join(part for part in (named, repeat) if part),
            question=_question(record, doc),
            reported={**reported, "target": record.get("target")},
        )


def _answers(record: Mapping[str, Any], place: str) -> list[Any]:
    """Give the filtered answers, one a repeat; log-likelihoods are no answers."""
    answers = record.get("filtered_resps", record.get("resps"))
    if not isinstance(answers, list):
        return [answers]
    flat = [one[0] if isinstance(one, list) and len(one) == 1 else one for one in answers]
    if any(isinstance(one, list) and len(one) == 2 and isinstance(one[0], float) for one in flat):
        raise StudyError(
            f"{place}: holds log-likelihoods, not answers; run the task with generated answers "
            "(output_type: generate_until)"
        )
    return flat or [None]


def rows_of_details(records: Iterable[Record]) -> list[PredictionRow]:
    """Read the records of a lighteval `details_*.parquet`."""
    rows = []
    for place, record in records:
        doc = _mapping(record.get("doc"))
        response = _mapping(record.get("model_response"))
        specific = _mapping(doc.get("specific"))
        texts = response.get("text") or [None]
        texts = [texts] if isinstance(texts, str) else texts
        identifier = as_text(specific.get("sample_id")) or as_text(doc.get("id"))
        for number, answer in enumerate(texts, start=1):
            rows.append(
                PredictionRow(
                    raw=answer,
                    place=place,
                    identifier=identifier,
                    row=_row_number(doc.get("id")),
                    run=f"repeat {number}" if number > 1 else "",
                    question=str(doc.get("query") or ""),
                    reported=dict(_mapping(record.get("metric"))),
                )
            )
    return rows


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _row_number(value: Any) -> int | None:
    text = as_text(value)
    return int(text) if text is not None and text.isascii() and text.isdigit() else None


def _question(record: Mapping[str, Any], doc: Mapping[str, Any]) -> str:
    for holder in (doc, record):
        value = holder.get(first_field(holder, QUESTIONS) or "")
        if isinstance(value, str):
            return value
    return ""
