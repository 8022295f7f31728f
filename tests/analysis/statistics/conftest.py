"""Scored studies made in memory: answers in, frames out, without any file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.scoring.scored import METRICS, ScoredStudy
from sampling.study.definition import StudyDefinition
from sampling.study.study_toml import parse_definition


def _scores(answer: Any, key: Any, answer_format: str) -> dict[str, float]:
    given = set() if answer is None else set(answer if isinstance(answer, tuple) else (answer,))
    right = set(key if isinstance(key, tuple) else (key,))
    shared = len(given & right)
    found = {
        "exact_match": float(given == right),
        "precision": shared / len(given) if given else 0.0,
        "recall": shared / len(right),
        "f1": 2 * shared / (len(given) + len(right)),
        "jaccard": shared / len(given | right),
        "within_one": np.nan,
    }
    if answer_format == "count":
        found["within_one"] = float(answer is not None and abs(answer - key) <= 1)
    return found


def _frame(rows: list[dict[str, Any]], keys: Mapping[str, Any], formats: Mapping[str, str]) -> Any:
    scored = [
        {**row, **_scores(row["normalized"], keys[row["sample_id"]], formats[row["sample_id"]])}
        for row in rows
    ]
    columns = ["sample_id", "normalized", *METRICS]
    frame = pd.DataFrame(scored) if scored else pd.DataFrame(columns=columns)
    values = np.empty(len(frame), dtype=object)
    for place, row in enumerate(rows):
        values[place] = row["normalized"]
    frame["normalized"] = values
    return frame


@pytest.fixture(scope="session")
def make_study() -> Callable[..., ScoredStudy]:
    """A function from questions, human answers and models' answers to a scored study.

    `questions`: sample_id to (category, collection, image, format, key, vocabulary size);
    `answers`: (sample_id, participant, answer); `models`: name to {sample_id: answer}.
    """

    def make(
        questions: Mapping[str, tuple[str, str, str, str, Any, int]],
        answers: list[tuple[str, str, Any]],
        models: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> ScoredStudy:
        ids = sorted(questions)
        frame = pd.DataFrame(
            {
                "category": [questions[one][0] for one in ids],
                "script_name": [questions[one][1] for one in ids],
                "image_name": [questions[one][2] for one in ids],
                "question_type": "",
                "answer_format": [questions[one][3] for one in ids],
                "vocabulary_size": [questions[one][5] for one in ids],
            },
            index=pd.Index(ids, name="sample_id"),
        )
        keys = {one: questions[one][4] for one in ids}
        truth = np.empty(len(ids), dtype=object)
        for place, one in enumerate(ids):
            truth[place] = keys[one]
        frame["ground_truth"] = truth
        formats = {one: questions[one][3] for one in ids}
        start = pd.Timestamp("2026-01-01T09:00:00Z")
        rows = []
        for place, (sample_id, participant, answer) in enumerate(sorted(answers, key=str)):
            shown = start + pd.Timedelta(minutes=place)
            rows.append(
                {
                    "sample_id": sample_id,
                    "participant": participant,
                    "shown_at": shown,
                    "submitted_at": shown + pd.Timedelta(seconds=40),
                    "active_seconds": 30.0,
                    "normalized": answer,
                }
            )
        predictions = {
            name: _frame(
                [{"sample_id": one, "normalized": given[one]} for one in sorted(given)],
                keys,
                formats,
            )
            for name, given in (models or {}).items()
        }
        return ScoredStudy(frame, _frame(rows, keys, formats), predictions)

    return make


@pytest.fixture(scope="session")
def definition() -> StudyDefinition:
    """A definition with few resamples and an equivalence margin of five points."""
    return parse_definition(
        {
            "study": {"name": "A study", "seed": "1"},
            "benchmark": {"questions": "test.jsonl", "vocabularies": "v.json"},
            "sample": {"strata": ["script_name", "category"], "per_stratum": 4},
            "analysis": {"resamples": 400, "equivalence_margin": 5.0},
        }
    )


@pytest.fixture(scope="session")
def paper_shaped(make_study: Callable[..., ScoredStudy]) -> ScoredStudy:
    """256 questions in 64 cells, three of eight people each, 96 answers a person, two models."""
    stream = np.random.default_rng(20260901)
    formats = {
        0: ("single", 8),
        1: ("multi", 6),
        2: ("count", 0),
        3: ("binary", 2),
        4: ("multi", 6),
        5: ("multi", 6),
        6: ("multi", 6),
        7: ("multi", 6),
    }
    questions: dict[str, tuple[str, str, str, str, Any, int]] = {}
    answers: list[tuple[str, str, Any]] = []
    models: dict[str, dict[str, Any]] = {"First": {}, "Second": {}}
    for number in range(256):
        collection, category = divmod(number // 4, 8)
        name, size = formats[category]
        key = _answer(stream, name)
        sample_id = f"q{number:03d}"
        image = f"c{collection}-{stream.integers(20)}.jpg"
        questions[sample_id] = (f"category {category}", f"c{collection}", image, name, key, size)
        difficulty = stream.beta(3.5, 0.5)
        for person in {(number + step) % 8 for step in (0, 1, 3)}:
            right = stream.random() < difficulty
            answers.append((sample_id, f"P{person}", key if right else _answer(stream, name)))
        for model in models.values():
            model[sample_id] = key if stream.random() < 0.58 else _answer(stream, name)
    return make_study(questions, answers, models)


def _answer(stream: np.random.Generator, name: str) -> Any:
    if name == "single":
        return f"script {stream.integers(8)}"
    if name == "count":
        return int(stream.integers(3, 9))
    if name == "binary":
        return ("no", "yes")[stream.integers(2)]
    chosen = np.flatnonzero(stream.random(6) < 0.35)
    return tuple(f"label {label}" for label in chosen) or ("label 0",)
