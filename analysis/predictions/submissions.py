"""Files that hold little but ids and answers: MMMU, Robust Reading, VQA, OpenAI evals.

Answers given as the letter of an option: kept where letters are labels, else its text.
Prediction folders of Ancient-Bench: one JSON file an image under `<medium>/results/`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeGuard

from analysis.predictions.rows import PredictionRow, as_text, check_answer_field, likely_answer
from analysis.predictions.tables import (
    read_answers_by_id,
    read_json,
    read_rows_with_places,
    records_of_list,
)
from sampling.answers.labels import index_labels
from sampling.answers.vocabularies import Vocabulary
from sampling.study.errors import StudyError

_LETTER = re.compile(r"\W*([A-Za-z])\W*")


def is_letter(raw: Any) -> TypeGuard[str]:
    """Tell whether a whole answer is one letter, with or without signs round it."""
    return isinstance(raw, str) and _LETTER.fullmatch(raw) is not None


def options_of(said: Any, text: Any) -> dict[str, Any] | None:
    """Return the one option of which a file holds both the letter that was said and the text.

    >>> options_of("(b)", "Khmer"), options_of("Khmer", "Khmer")
    ({'B': 'Khmer'}, None)
    """
    letter = _LETTER.fullmatch(said) if isinstance(said, str) and text else None
    return None if letter is None else {letter[1].upper(): text}


def option_text(raw: Any, options: Mapping[str, Any] | None, vocabulary: Vocabulary) -> Any:
    """Return the text of the option whose letter is the whole answer; else the answer as it is.

    A letter that is itself a label of the vocabulary stays the letter.

    >>> from sampling.answers.vocabularies import AnswerFormat
    >>> scripts = {"A": "Balinese", "B": "Khmer"}
    >>> texts = Vocabulary("Script", AnswerFormat.SINGLE, ("Balinese", "Khmer"))
    >>> letters = Vocabulary("Script", AnswerFormat.SINGLE, ("A", "B"))
    >>> option_text(" (B).", scripts, texts), option_text(" (B).", scripts, letters)
    ('Khmer', ' (B).')
    """
    letter = _LETTER.fullmatch(raw) if isinstance(raw, str) and options else None
    if letter is None or options is None or letter[1].upper() not in options:
        return raw
    if index_labels(vocabulary).find(letter[1]) is not None:
        return raw
    return options[letter[1].upper()]


RESULTS = "results"


def result_files(folder: Path) -> list[Path]:
    """List the answer files under a model's folder, or under one that holds several models."""
    return sorted(
        path for path in folder.rglob("*.json") if path.parent.name == RESULTS and path.is_file()
    )


def read_result_file(path: Path) -> PredictionRow:
    """Read one image's answer; the model is the folder above the medium's."""
    content = read_json(path)
    if not isinstance(content, dict) or "answer" not in content:
        hint = likely_answer(content) if isinstance(content, dict) else ""
        raise StudyError(f"{path.name}: not an object with `answer`, the model's answer{hint}")
    folders = path.parts
    model = folders[-4] if len(folders) >= 4 and folders[-2] == RESULTS else None
    return PredictionRow(
        raw=content["answer"],
        place="/".join(folders[-3:]),
        image=as_text(content.get("image")) or path.stem,
        model=model,
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
    records = records_of_list(content, path.name)
    # `answer` is the reference here, and never what was meant.
    said = ({name: one[name] for name in one if name != "answer"} for _, one in records)
    check_answer_field(said, ("response",), path.name)
    return [
        PredictionRow(
            raw=record.get("response"),
            options={**(record.get("index2ans") or {})},
            place=place,
            identifier=as_text(record.get("id")),
            question=str(record.get("question") or ""),
            reported={"answer": record.get("answer")},
        )
        for place, record in records
    ]


def read_submission(path: Path) -> list[PredictionRow]:
    """Read `[{"questionId": 1, "answer": "..."}]`, with either spelling of the id."""
    records = records_of_list(read_json(path), path.name)
    check_answer_field((record for _, record in records), ("answer",), path.name)
    return [
        PredictionRow(
            raw=record.get("answer"),
            place=place,
            identifier=as_text(record.get("questionId", record.get("question_id"))),
            image=as_text(record.get("image")),
        )
        for place, record in records
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
    if not matched:
        raise StudyError(f"{path.name}: no event of the type `match` or `sampling`, so no answers")
    held = ({**match, **sampled.get(one, ("", {}))[1]} for _, one, match in matched)
    check_answer_field(held, ("picked", "sampled"), path.name)
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
