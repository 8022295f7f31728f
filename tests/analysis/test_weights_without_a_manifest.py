"""A sample that came without its manifest is weighed by the benchmark itself."""

from __future__ import annotations

import csv
import json

import pytest

from analysis.results import write_results
from analysis.scoring.study import score_study

SCRIPT = {"format": "single", "labels": ["a", "b"]}
QUESTIONS = [{"sample_id": f"q{n}", "category": "One" if n < 3 else "Two"} for n in range(1, 5)]
# Right on both of One, wrong on both of Two.
ANSWERS = [(f"q{n}", "P1", 1, "a" if n < 3 else "b") for n in range(1, 5)]


@pytest.fixture
def weighed(write_study):
    """Analyse a sample of four and give the human EM by weighting."""

    def groups(further):
        keys = {f"q{n}": "a" for n in range(1, 5)}
        study = write_study(QUESTIONS, keys, {"One": SCRIPT, "Two": SCRIPT}, ANSWERS)
        with (study.root / "test.jsonl").open("a", encoding="utf-8") as benchmark:
            for row in further:
                benchmark.write(json.dumps(row) + "\n")
        write_results(study, score_study(study))
        path = study.results_folder / "overall.csv"
        with path.open(encoding="utf-8", newline="") as lines:
            return {row["group"]: row["em"] for row in csv.DictReader(lines)}, study

    return groups


def test_strata_weigh_as_many_questions_as_the_benchmark_has(weighed) -> None:
    further = [
        {"sample_id": f"x{n}", "category": "One", "image_name": "x.jpg", "question_en": "What?"}
        for n in range(6)
    ]
    found, _ = weighed(further)
    # One: 8 of 10 questions of the benchmark, all right; Two: 2, all wrong.
    assert found["answers"] == found["balanced"] == "50.00"
    assert found["benchmark"] == "80.00"


def test_without_the_benchmark_nothing_is_weighed_by_it(weighed) -> None:
    _, study = weighed([])
    (study.root / "test.jsonl").unlink()
    write_results(study, score_study(study))
    text = (study.results_folder / "overall.csv").read_text(encoding="utf-8")
    assert "benchmark" not in text
