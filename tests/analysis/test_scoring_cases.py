"""The published scoring cases, every column of every row."""

from __future__ import annotations

import csv
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from analysis.scoring.scores import Score, score
from sampling.answers.normalization import (
    NormalizedAnswer,
    Policy,
    ScoringStatus,
    normalize,
    normalize_reference,
)
from sampling.answers.vocabularies import AnswerFormat, Vocabulary

FORMATS = {"single_label": "single", "multi_label": "multi"}


@pytest.fixture(scope="module")
def cases(examples: Path) -> list[dict[str, str]]:
    with (examples / "cases/scoring_cases.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def fixture(examples: Path) -> dict[str, Any]:
    text = (examples / "cases/scoring_vocabularies.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def vocabulary_of(case: dict[str, str], fixture: dict[str, Any]) -> Vocabulary:
    name, answer_type = case["vocabulary"], case["answer_type"]
    labels = fixture["vocabularies"][name]
    return Vocabulary(
        category=name,
        format=AnswerFormat(FORMATS.get(answer_type, answer_type)),
        labels=tuple(labels) if isinstance(labels, list) else (),
        aliases=fixture["aliases"].get(name, {}),
    )


def columns(strict: Score, lenient: Score) -> dict[str, Fraction | None]:
    return {
        "em": strict.exact_match,
        "precision": strict.precision,
        "recall": strict.recall,
        "f1": strict.f1,
        "jaccard": strict.jaccard,
        "w1": strict.within_one,
        "lenient_em": lenient.exact_match,
        "lenient_f1": lenient.f1,
        "lenient_w1": lenient.within_one,
    }


def parsed(answer: NormalizedAnswer, answer_format: AnswerFormat) -> Any:
    """Write a normalised answer as the cases do: labels always in a list."""
    if isinstance(answer.value, tuple):
        return list(answer.value)
    one_label = answer_format in (AnswerFormat.SINGLE, AnswerFormat.BINARY)
    return [answer.value] if one_label and answer.value is not None else answer.value


def test_every_published_case_is_read_and_scored_as_it_says(
    cases: list[dict[str, str]], fixture: dict[str, Any]
) -> None:
    wrong = []
    for case in cases:
        vocabulary = vocabulary_of(case, fixture)
        key = normalize_reference(json.loads(case["reference_json"]), vocabulary)
        if case["expected_status"] == "reference_error":
            assert key.status is ScoringStatus.INVALID, case["case_id"]
            continue
        raw = json.loads(case["raw_prediction_json"])
        strict, lenient = (normalize(raw, vocabulary, policy) for policy in Policy)
        if strict.status != case["expected_status"]:
            wrong.append((case["case_id"], "status", strict.status))
        if parsed(strict, vocabulary.format) != json.loads(case["expected_parsed_json"] or "null"):
            wrong.append((case["case_id"], "parsed", strict.value))
        found = columns(
            score(strict, key, vocabulary.format), score(lenient, key, vocabulary.format)
        )
        # printed with six decimals; empty where a measure does not apply
        written = {
            name: "" if value is None else round(float(value), 6) for name, value in found.items()
        }
        expected = {name: float(case[name]) if case[name] else "" for name in found}
        if written != expected:
            wrong.append((case["case_id"], "scores", written))
    assert (len(cases), wrong) == (75, [])
