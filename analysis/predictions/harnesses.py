"""Run folders of HELM: `scenario_state.json`, else `display_predictions.json`.

Sample logs of lm-eval, lmms-eval and lighteval, which number the rows of their data set.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from analysis.predictions.rows import (
    QUESTIONS,
    PredictionRow,
    as_text,
    check_answer_field,
    first_field,
)
from analysis.predictions.submissions import is_letter, options_of
from analysis.predictions.tables import Record, read_json, read_rows_with_places
from sampling.study.errors import StudyError

STATE = "scenario_state.json"
DISPLAY = "display_predictions.json"
STATS = "per_instance_stats.json"
_NUMBERED = re.compile(r"id(\d+)")


def read_helm_run(folder: Path) -> list[PredictionRow]:
    """Read one run folder, named by itself or by a file in it.

    Perturbed rows are left out; train trials are declared runs.

    Raises
    ------
    StudyError
        When the folder has neither of the two files.
    """
    folder = folder if folder.is_dir() else folder.parent
    reported = _reported(folder / STATS)
    if (folder / STATE).exists():
        state = read_json(folder / STATE)
        model = as_text((state.get("adapter_spec") or {}).get("model"))
        states = state.get("request_states") or ()
        check_answer_field(map(_completion, filter(_succeeded, states)), ("text",), folder.name)
        rows = [_state_row(one, folder.name, model) for one in states]
    elif (folder / DISPLAY).exists():
        shown = read_json(folder / DISPLAY)
        check_answer_field(shown, ("predicted_text", "mapped_output"), folder.name)
        rows = [_display_row(one, folder.name) for one in shown]
    else:
        raise StudyError(f"{folder.name}: a HELM run folder needs {STATE} or {DISPLAY}")
    return [_with_scores(row, reported) for row in rows if row is not None]


def _state_row(state: Mapping[str, Any], name: str, model: str | None) -> PredictionRow | None:
    instance = state["instance"]
    if instance.get("perturbation"):
        return None
    raw = _completion(state).get("text") if _succeeded(state) else None
    extra = instance.get("extra_data") or {}
    identifier = as_text(instance.get("id"))
    return PredictionRow(
        raw=raw,
        options={**(state.get("output_mapping") or {})},
        place=f"{name} instance {identifier}",
        identifier=as_text(extra.get("sample_id")) or as_text(extra.get("id")) or identifier,
        row=_numbered_row(identifier),
        model=model,
        run=_trial(state.get("train_trial_index")),
        question=str((instance.get("input") or {}).get("text") or ""),
    )


def _completion(state: Mapping[str, Any]) -> Mapping[str, Any]:
    """Take the first of a request's completions."""
    completions = _mapping(state.get("result")).get("completions") or [{}]
    return _mapping(completions[0])


def _succeeded(state: Mapping[str, Any]) -> bool:
    return bool(_mapping(state.get("result")).get("success", True))


def _display_row(shown: Mapping[str, Any], name: str) -> PredictionRow | None:
    if shown.get("perturbation"):
        return None
    identifier = as_text(shown.get("instance_id"))
    said, mapped = shown.get("predicted_text"), shown.get("mapped_output")
    return PredictionRow(
        raw=said if mapped and is_letter(said) else mapped or said,
        options=options_of(said, mapped),
        place=f"{name} instance {identifier}",
        identifier=identifier,
        row=_numbered_row(identifier),
        run=_trial(shown.get("train_trial_index")),
        reported=dict(shown.get("stats") or {}),
    )


def _with_scores(
    row: PredictionRow, reported: Mapping[tuple[str, str], Mapping[str, Any]]
) -> PredictionRow:
    """Add the run's own scores from `per_instance_stats.json`."""
    identifier = row.place.rpartition(" ")[2]
    found = reported.get((identifier, row.run))
    return row if found is None else replace(row, reported={**row.reported, **found})


def _reported(path: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """Read the scores of each instance and train trial, when the file is there."""
    if not path.exists():
        return {}
    return {
        (str(one.get("instance_id")), _trial(one.get("train_trial_index"))): {
            str((stat.get("name") or {}).get("name")): stat.get("mean")
            for stat in one.get("stats") or ()
        }
        for one in read_json(path)
        if not one.get("perturbation")
    }


def _trial(index: Any) -> str:
    return f"trial {int(index) + 1}" if index else ""


def _numbered_row(identifier: str | None) -> int | None:
    """Give the row that HELM numbered an instance by (`id0` is the first)."""
    numbered = _NUMBERED.fullmatch(identifier or "")
    return int(numbered[1]) if numbered else None


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
    check_answer_field((record for _, record in records), ("filtered_resps", "resps"), path.name)
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
    records = list(records)
    place = records[0][0].rpartition(" row ")[0] if records else ""
    replies = (_mapping(record.get("model_response")) for _, record in records)
    check_answer_field(replies, ("text",), f"{place} model_response")
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
