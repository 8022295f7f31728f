"""Answers that a model did not give, and models that were run several times."""

import csv
import json

import pytest

from analysis.results import write_results
from analysis.scoring.study import score_study

N = 12
QUESTIONS = [
    {"sample_id": f"q{n:02}", "category": "Count" if n < 4 else "Seal", "script_name": "Khmer"}
    for n in range(N)
]
KEYS = {f"q{n:02}": 5 if n < 4 else "yes" for n in range(N)}
VOCABULARIES = {
    "Seal": {"format": "binary", "labels": ["yes", "no"]},
    "Count": {"format": "count", "min": 0, "max": 20},
}
# Everybody is right, but for Budi on the last three.
ANSWERS = [
    (f"q{n:02}", who, place, 5 if n < 4 else "no" if who == "Budi" and n > 8 else "yes")
    for n in range(N)
    for place, who in enumerate(("Anna", "Budi"), start=1)
]


def given(wrong=(), missing=(), run=None):
    rows = []
    for n in range(N):
        if n not in missing:
            right = 5 if n < 4 else "yes"
            # A count that is two off is not within one.
            answer = (7 if n < 4 else "no") if n in wrong else right
            row = {"sample_id": f"q{n:02}", "raw_prediction": answer}
            rows.append(row if run is None else row | {"run": run})
    return rows


@pytest.fixture
def analysed(write_study):
    def analyse(**predictions):
        study = write_study(QUESTIONS, KEYS, VOCABULARIES, ANSWERS, predictions=predictions)
        table = write_results(study, score_study(study))

        def read(name):
            with (study.results_folder / f"{name}.csv").open(encoding="utf-8", newline="") as lines:
                return list(csv.DictReader(lines))

        return study.results_folder, table, read

    return analyse


def named(rows, name):
    (row,) = [row for row in rows if row["evaluator"] == name]
    return row


LACKING = "Lacking (missing counted as wrong)"


def test_missing_answers_count_as_wrong_in_a_row_of_their_own(analysed):
    # q00 (a count) and q04, q05 are missing, q06 is wrong: 8 of 9 right, or 8 of 12.
    _folder, _, read = analysed(Lacking=given(wrong={6}, missing={0, 4, 5}), Whole=given())
    rows = read("table11")
    assert [row["evaluator"] for row in rows] == ["Human", "Lacking", LACKING, "Whole"]
    assert [row["kind"] for row in rows] == ["human", "model", "missing_wrong", "model"]
    own, whole = named(rows, "Lacking"), named(rows, LACKING)
    assert (own["n_em"], own["em"], own["n_w1"], own["w1"]) == ("9", "88.89", "3", "100.00")
    assert (whole["n_em"], whole["em"], whole["n_w1"], whole["w1"]) == ("12", "66.67", "4", "75.00")
    # People: 21 of 24. 87.5 - 66.67; the gap is over every question and every answer.
    assert (whole["em_gap"], whole["gap_responses"]) == ("20.83", "24")
    assert float(whole["em_t2_low"]) < 66.67 < float(whole["em_t2_high"])
    assert float(whole["em_gap_t2_low"]) < 20.83 < float(whole["em_gap_t2_high"])


@pytest.mark.parametrize("name", ["table11.md", "table11.tex", "table11.json", "report.html"])
def test_the_row_of_missing_answers_is_in_every_file(analysed, name):
    folder, _, _ = analysed(Lacking=given(missing={0}))
    text = (folder / name).read_text(encoding="utf-8")
    assert LACKING in text
    assert "91.67" in text  # 11 of 12


def test_a_model_without_missing_answers_has_no_such_row(analysed):
    _, table, _ = analysed(Whole=given(wrong={1, 2}))
    assert [row.evaluator for row in table.rows] == ["Human", "Whole"]


def test_a_model_of_several_runs_is_their_mean(analysed):
    # 12, 11 and 7 right of 12: the mean is 30 / 36.
    folder, _, read = analysed(
        Runs=[*given(run="1"), *given({4}, run="2"), *given({4, 5, 6, 7, 0}, run="3")]
    )
    row = named(read("table11"), "Runs")
    assert (row["n_em"], row["em"]) == ("12", "83.33")
    assert row["em_gap"] == "4.17"  # 87.5 - 83.333
    runs = [row for row in read("model_runs") if row["metric"] == "em"]
    assert [row["score"] for row in runs] == ["100.00", "91.67", "58.33", "83.33"]
    # The standard deviation of 12, 11, 7 is √7: 2.6458 / 12.
    assert runs[-1]["standard_deviation"] == "22.05"
    notes = json.loads((folder / "table11.json").read_text(encoding="utf-8"))["notes"]
    assert any("the mean over 3 declared runs (EM 100.00, 91.67, 58.33)" in one for one in notes)
    first = next(row for row in read("by_category") if row["evaluator"] == "Runs")
    assert first["condition"] == "constrained (mean of 3 runs)"


def test_runs_that_differ_throughout_widen_the_intervals(analysed):
    # The questions' means are 1/2 each, so that nothing but the runs varies.
    _, _, read = analysed(Runs=[*given(run="1"), *given(range(N), run="2")])
    row = named(read("table11"), "Runs")
    assert row["em"] == "50.00"
    assert float(row["em_t2_high"]) - float(row["em_t2_low"]) > 90
    (mean,) = [row for row in read("model_runs") if (row["metric"], row["run"]) == ("em", "mean")]
    # σ_run² is 1/2; B = 1/2 (1/2 - 1/24), √B = 0.4787.
    assert mean["standard_error_of_runs"] == "47.87"


def test_a_run_that_lacks_an_answer_is_wrong_there_in_that_run_alone(analysed):
    _, _, read = analysed(Runs=[*given(run="1"), *given(missing={4}, run="2")])
    rows = read("table11")
    assert named(rows, "Runs")["em"] == "100.00"
    # q04 scores 1/2: 11.5 of 12.
    assert named(rows, "Runs (missing counted as wrong)")["em"] == "95.83"


def test_what_was_answered_is_told_run_by_run(analysed):
    folder, _, read = analysed(Runs=[*given(run="1"), *given({4, 5}, run="2")])
    assert [row["wrong"] for row in read("error_counts") if row["evaluator"] == "Runs"] == [
        "0",
        "0",
        "0",
        "2",
    ]
    lines = (folder / "predictions_scored.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 2 * N
