"""A valid answer beside an invalid one has no reason: not NaN, in no table and no file."""

from __future__ import annotations

import csv
import json

from analysis.results import write_results
from analysis.scoring.study import score_study

VOCABULARY = {"Script": {"format": "single", "labels": ["Khmer", "Tamil"]}}
QUESTIONS = [{"sample_id": name, "category": "Script"} for name in ("q1", "q2")]
KEYS = {"q1": "Khmer", "q2": "Tamil"}


def strict_json(line):
    def refuse(constant):
        raise ValueError(constant)

    return json.loads(line, parse_constant=refuse)


def test_a_valid_answer_beside_an_invalid_one_has_no_reason(write_study) -> None:
    answers = [("q1", "P1", 1, "Khmer"), ("q2", "P1", 1, "Latin")]
    model = [
        {"sample_id": "q1", "raw_prediction": "Khmer"},
        {"sample_id": "q2", "raw_prediction": "Latin"},
    ]
    study = write_study(QUESTIONS, KEYS, VOCABULARY, answers, {"m": model})
    scored = score_study(study)
    assert scored.responses["invalid_reason"].to_list()[0] is None
    assert scored.responses["normalized"].to_list() == ["Khmer", None]
    write_results(study, scored)
    folder = study.results_folder
    with (folder / "invalid_reasons.csv").open(encoding="utf-8", newline="") as table:
        # One invalid answer of the person, one of the model; the two valid ones are no reason.
        counts = [(row["evaluator"], row["n"]) for row in csv.DictReader(table)]
    assert counts == [("Human", "1"), ("m", "1")]
    for name in ("responses_scored.jsonl", "predictions_scored.jsonl"):
        lines = (folder / name).read_text(encoding="utf-8").splitlines()
        rows = [strict_json(line) for line in lines]
        assert [row["invalid_reason"] is None for row in rows] == [True, False]
