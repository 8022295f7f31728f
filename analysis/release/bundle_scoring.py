"""Scores a bundle's answers again, as the study scored them: from what was given alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from analysis.release.bundle_reading import QUESTIONS, RESPONSES, BundleContents
from analysis.release.rows import response_rows
from analysis.scoring.basis import build_basis
from analysis.scoring.scored import METRICS, TEXT_METRICS, ScoredStudy, score_columns
from sampling.study.questions import Key

OF_QUESTION = ("category", "script_name")
OF_ANSWER = ("normalized_response", "ground_truth", "scoring_status", "invalid_reason")
CLOSE = 1e-12


def unlinked(contents: BundleContents) -> Iterator[str]:
    """Say which answers belong to no question, stand twice, or name another reference."""
    known = contents.questions
    references: dict[str, Any] = {}
    for place, row in zip(contents.places, contents.rows, strict=True):
        sample_id = row["sample_id"]
        if sample_id not in known:
            yield f"{place}: question {sample_id!r} is not in {QUESTIONS}"
        elif references.setdefault(sample_id, row["ground_truth"]) != row["ground_truth"]:
            yield f"{place}: ground_truth is not that of the first answer to {sample_id!r}"
    for field, what in (("participant", "is answered by {}"), ("response_index", "has index {}")):
        pairs = [
            (row["sample_id"], row[field]) for row in contents.rows if row.get(field) is not None
        ]
        for (sample_id, value), count in sorted(Counter(pairs).items(), key=str):
            if count > 1:
                yield f"{RESPONSES}: question {sample_id} {what.format(value)} {count} times"


def score_bundle(contents: BundleContents) -> ScoredStudy:
    """Score every answer again; models' outputs are in no bundle, so there are no predictions.

    Raises
    ------
    StudyError
        With every category without a vocabulary and every reference that is none of it.
    """
    references = {row["sample_id"]: row["ground_truth"] for row in contents.rows}
    answered = [one for name, one in contents.questions.items() if name in references]
    keys = [Key(name, _hashable(answer)) for name, answer in references.items()]
    basis = build_basis(answered, keys, contents.vocabularies, contents.text_rules)
    ids = [row["sample_id"] for row in contents.rows]
    positions = basis.questions.index.get_indexer(pd.Index(ids)).astype(np.int64)
    frame = pd.DataFrame(
        {
            "sample_id": ids,
            "participant": [_person(row) for row in contents.rows],
            "response_index": [row["response_index"] for row in contents.rows],
            "raw_response": pd.Series([row["raw_response"] for row in contents.rows], dtype=object),
            "submitted_at": pd.NaT,
            "active_seconds": np.nan,
        }
    ).astype({"response_index": "float64"})
    scores = score_columns(frame["raw_response"].to_list(), positions, basis)
    return ScoredStudy(
        questions=_with_unanswered(basis.questions, contents),
        responses=pd.concat([frame, scores], axis=1),
        predictions={},
        vocabularies=contents.vocabularies,
        text_rules=contents.text_rules,
    )


def rescored(contents: BundleContents, scored: ScoredStudy) -> Iterator[str]:
    """Compare what each row says of its answer with the answer scored again."""
    people = {_person(row): _person(row) for row in contents.rows}
    again = response_rows(scored, people)
    for place, row, now in zip(contents.places, contents.rows, again, strict=True):
        for field in (*OF_QUESTION, *OF_ANSWER, *METRICS, *TEXT_METRICS):
            if field in now and field not in row:
                yield f"{place}: has no {field}"
            elif field in now and not _equal(row[field], now[field]):
                said = f"{place}: {field} is {row[field]!r}"
                source = f"{QUESTIONS} has" if field in OF_QUESTION else "scored again it is"
                yield f"{said}, {source} {now[field]!r}"


def _person(row: Mapping[str, Any]) -> str:
    """Return who answered, or in a pooled bundle an index: one person answers a question once."""
    return str(row.get("participant", f"answer {row['response_index']}"))


def _equal(said: Any, now: Any) -> bool:
    numbers = (int, float)
    if isinstance(said, numbers) and isinstance(now, numbers):
        return abs(said - now) < CLOSE
    return bool(said == now)


def _hashable(answer: Any) -> Any:
    return tuple(answer) if isinstance(answer, list) else answer


def _with_unanswered(questions: pd.DataFrame, contents: BundleContents) -> pd.DataFrame:
    """Add the questions that nobody has answered, whose references are in no bundle."""
    rows: list[Mapping[str, Any]] = [
        {
            "sample_id": name,
            "category": one.category,
            "script_name": one.script_name,
            "answer_format": contents.vocabularies[one.category].format.value,
            "vocabulary_size": len(contents.vocabularies[one.category].labels),
        }
        for name, one in contents.questions.items()
        if name not in questions.index and one.category in contents.vocabularies
    ]
    if not rows:
        return questions
    return pd.concat([questions, pd.DataFrame(rows).set_index("sample_id")]).sort_index()
