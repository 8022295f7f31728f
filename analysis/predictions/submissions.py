"""Files that hold little but ids and answers: MMMU, Robust Reading, VQA, OpenAI evals."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from analysis.predictions.rows import PredictionRow, as_text
from analysis.predictions.tables import (
    read_answers_by_id,
    read_json,
    read_rows_with_places,
    records_of_list,
)

_EVALS_ID = re.compile(r".*\.(\d+)")


def read_mmmu(path: Path) -> list[PredictionRow]:
    """Read MMMU's one object of answers, or its list of questions with responses.

    The options of a question come with its row, so that a letter can be told from a text.
    """
    content = read_json(path)
    if isinstance(content, dict):
        return [
            PredictionRow(raw=answer, place=f"{path.name} key {key!r}", identifier=str(key))
            for key, answer in read_answers_by_id(path).items()
        ]
    return [
        PredictionRow(
            raw=record.get("response"),
            options={**(record.get("index2ans") or {})},
            place=place,
            identifier=as_text(record.get("id")),
            question=str(record.get("question") or ""),
            reported={"answer": record.get("answer")},
        )
        for place, record in records_of_list(content, path.name)
    ]


def read_submission(path: Path) -> list[PredictionRow]:
    """Read `[{"questionId": 1, "answer": "..."}]`, with either spelling of the id."""
    return [
        PredictionRow(
            raw=record.get("answer"),
            place=place,
            identifier=as_text(record.get("questionId", record.get("question_id"))),
            image=as_text(record.get("image")),
        )
        for place, record in records_of_list(read_json(path), path.name)
    ]


def read_openai_evals(path: Path) -> list[PredictionRow]:
    """Read an event log of OpenAI evals: what a match picked, else what was sampled."""
    model: str | None = None
    sampled: dict[str, tuple[str, Any]] = {}
    matched: list[tuple[str, str, Mapping[str, Any]]] = []
    for place, event in read_rows_with_places(path):
        if "spec" in event:
            named = event["spec"].get("completion_fns") or ()
            model = as_text(named if isinstance(named, str) else next(iter(named), None))
        elif event.get("type") == "sampling":
            sampled.setdefault(str(event.get("sample_id")), (place, event.get("data") or {}))
        elif event.get("type") == "match":
            matched.append((place, str(event.get("sample_id")), event.get("data") or {}))
    seen = {identifier for _, identifier, _ in matched}
    matched.extend(
        (place, identifier, {})
        for identifier, (place, _) in sampled.items()
        if identifier not in seen
    )
    return [
        _evals_row(place, identifier, match, sampled.get(identifier, ("", {}))[1], model)
        for place, identifier, match in matched
    ]


def _evals_row(
    place: str,
    identifier: str,
    match: Mapping[str, Any],
    sampling: Mapping[str, Any],
    model: str | None,
) -> PredictionRow:
    picked = match.get("picked")
    raw = picked if picked is not None else sampling.get("sampled")
    numbered = _EVALS_ID.fullmatch(identifier)
    prompt = sampling.get("prompt")
    return PredictionRow(
        raw=raw[0] if isinstance(raw, list) and len(raw) == 1 else raw,
        place=place,
        identifier=identifier,
        row=int(numbered[1]) if numbered else None,
        model=model,
        question=_last_text(prompt),
        reported={key: match[key] for key in ("correct",) if key in match},
    )


def _last_text(prompt: Any) -> str:
    if isinstance(prompt, list) and prompt and isinstance(prompt[-1], Mapping):
        prompt = prompt[-1].get("content")
    return prompt if isinstance(prompt, str) else ""
