"""Majority, best and worst of K people against the same of K runs, on questions with K answers."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

from analysis.results import write_results
from analysis.scoring.study import score_study
from analysis.statistics.reference_rows import commonest_number

VOCABULARY = {"Script": {"format": "single", "labels": ["a", "b", "c", "d"]}}
QUESTIONS = [{"sample_id": f"q{n}", "category": "Script"} for n in range(1, 5)]
KEYS = dict.fromkeys(("q1", "q2", "q3", "q4"), "a")
# People: q1 a a b, q2 a b c, q3 b b a; q4 was answered once.
ANSWERS = [
    *[("q1", f"P{n}", n, answer) for n, answer in enumerate("aab", start=1)],
    *[("q2", f"P{n}", n, answer) for n, answer in enumerate("abc", start=1)],
    *[("q3", f"P{n}", n, answer) for n, answer in enumerate("bba", start=1)],
    ("q4", "P1", 1, "a"),
]


def run(number, answers):
    return [
        {"sample_id": f"q{n}", "raw_prediction": answer, "run": f"run {number}"}
        for n, answer in enumerate(answers, start=1)
    ]


@pytest.fixture
def rows(write_study):
    """Write the study with some runs of model m; give its reference rows."""

    def written(*runs):
        predictions = [row for number, one in enumerate(runs, start=1) for row in run(number, one)]
        study = write_study(QUESTIONS, KEYS, VOCABULARY, ANSWERS, {"m": predictions})
        write_results(study, score_study(study))
        path = study.results_folder / "human_reference.csv"
        with path.open(encoding="utf-8", newline="") as lines:
            found = {(one["reference"], one["evaluator"]): one for one in csv.DictReader(lines)}
        checklist = json.loads((study.results_folder / "checklist.json").read_text("utf-8"))
        (samples,) = [one for one in checklist if one["key"] == "model_samples"]
        return found, samples["value"]

    return written


def test_three_runs_are_held_against_three_people(rows) -> None:
    # Runs: q1 a, b, b; q2 b, b, b; q3 a, a, xx (invalid); q4 a, a, a.
    found, samples = rows("abaa", "bbaa", ["b", "b", "xx", "a"])
    # People's majorities: q1 right, q2 a tie of three (1/3), q3 wrong: 4/9 on three questions.
    majority = found["majority of 3", "Human"]
    assert (majority["estimate"], majority["n_questions"]) == ("44.44", "3")
    # The model's: q1 wrong, q2 wrong, q3 right, and q4 right, which three people did not answer.
    assert found["majority of 3", "m"]["estimate"] == "50.00"
    gap = found["majority of 3", "Human - m"]
    # Shared: (1 + 1/3 + 0 - 0 - 0 - 1) / 3 = 1/9.
    assert (gap["estimate"], gap["n_questions"], gap["matched"]) == ("11.11", "3", "yes")
    assert found["best of 3", "Human"]["estimate"] == "100.00"
    assert found["best of 3", "m"]["estimate"] == "75.00"
    assert found["worst of 3", "m"]["estimate"] == "25.00"
    # One of two drawn is right: q1 1 - C(2,2)/3 = 2/3, q2 0, q3 1, q4 1: 2/3.
    assert found["one of 2 right", "m"]["estimate"] == "66.67"
    assert {row["matched"] for row in found.values()} == {"yes"}
    assert "m: 3 runs" in samples


def test_two_runs_are_no_match_for_three_people(rows) -> None:
    found, _ = rows("abaa", "bbaa")
    assert ("majority of 3", "m") not in found
    gap = found["majority of 3", "Human - m"]
    # The first run beside the majority: (1 + 1/3 + 0 - 1 - 0 - 1) / 3 = -2/9.
    assert (gap["estimate"], gap["matched"]) == ("-22.22", "no")
    assert "one run of m" in gap["note"]
    assert found["majority of 3", "Human"]["matched"] == "no"
    assert found["one of 2 right", "Human"]["matched"] == "yes"


def test_two_invalid_runs_do_not_make_a_majority(rows) -> None:
    found, _ = rows("aaaa", ["xx", "a", "a", "a"], ["yy", "a", "a", "a"])
    # q1: a against two unreadable answers, which are not alike: a three-way tie, one of it right.
    assert found["majority of 3", "m"]["estimate"] == "83.33"


def test_single_answers_have_no_majority(write_study) -> None:
    study = write_study(QUESTIONS[:2], {"q1": "a", "q2": "a"}, VOCABULARY, ANSWERS[:1])
    write_results(study, score_study(study))
    text = (study.results_folder / "human_reference.csv").read_text(encoding="utf-8")
    assert "majority" not in text
    assert "one of 1 right" in text


def test_the_commonest_number_is_the_larger_of_two_that_are_as_common() -> None:
    assert commonest_number(np.array([2, 2, 3, 3, 1])) == 3
