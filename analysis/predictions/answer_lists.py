"""Answers given one image a call: `{"answers": [{"question_id": ..., "answer": ...}]}`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from analysis.predictions.rows import PredictionRow, as_text, check_answer_field, stem
from analysis.predictions.tables import read_json

_FENCE = re.compile(r"\s*```[\w-]*\s*\n(?P<inside>.*?)\n?\s*```\s*", re.DOTALL)


def read_answer_list(path: Path) -> list[PredictionRow]:
    """Read one image's file; the image is named inside, or by the end of the file's name."""
    content = read_json(path)
    listed = [one for one in content["answers"] if isinstance(one, Mapping)]
    check_answer_field(listed, ("answer",), path.name)
    whole = PredictionRow(
        raw=content,
        place=path.name,
        image=str(content.get("image_name") or content.get("image") or path.stem),
        model=content.get("model_name") or content.get("model"),
        condition=content.get("prompt_condition") or content.get("condition"),
        whole_image=True,
    )
    return take_apart(whole)


def take_apart(row: PredictionRow) -> list[PredictionRow]:
    """Split an answer that holds a whole image's answers; any other is given back as it is.

    An answer without question of its own that cannot be taken apart (a refusal, cut-off JSON)
    stands for every question of its image: it is scored as wrong, never dropped.

    >>> row = PredictionRow(
    ...     raw='{"answers": [{"question_id": "1", "answer": "yes"}]}', place="a.jsonl line 1",
    ...     image="leaf.jpg")
    >>> [(one.question_id, one.raw) for one in take_apart(row)]
    [('1', 'yes')]
    """
    if row.image is None or row.identifier is not None or row.question_id is not None:
        return [row]
    answers = answer_list(row.raw)
    if answers is None:
        return [replace(row, whole_image=True)]
    return [
        replace(
            row,
            raw=answer.get("answer"),
            question_id=as_text(answer["question_id"]),
            place=f"{row.place}, answer {number}",
            whole_image=False,
        )
        for number, answer in enumerate(answers, start=1)
    ]


def answer_list(raw: Any) -> list[Mapping[str, Any]] | None:
    r"""Find the list of answers in a JSON object, given as such or as (fenced) text.

    >>> answer_list('```json\n{"answers": []}\n```'), answer_list("sorry")
    ([], None)
    """
    content = raw
    if isinstance(raw, str):
        fenced = _FENCE.fullmatch(raw)
        try:
            content = json.loads(fenced["inside"] if fenced else raw)
        except json.JSONDecodeError:
            return None
    answers = content.get("answers") if isinstance(content, dict) else None
    if not isinstance(answers, list):
        return None
    whole = all(isinstance(one, dict) and one.get("question_id") is not None for one in answers)
    return answers if whole else None


def is_image_of(image: str, given: str) -> bool:
    """Tell whether a given name means an image: its name, its stem, or a name that ends in it.

    >>> is_image_of("Leaf_1.jpg", "images/Leaf_1.png"), is_image_of("Leaf_1.jpg", "run_Leaf_1")
    (True, True)
    >>> is_image_of("Leaf_1.jpg", "run_Leaf_11"), is_image_of("Leaf_1.jpg", "OtherLeaf_1")
    (False, False)
    """
    name, wanted = stem(given), stem(image)
    return name == wanted or (name.endswith(wanted) and not name[-len(wanted) - 1].isalnum())
