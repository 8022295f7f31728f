"""Second opinions name what they rest on, and none is given where it would rest on nothing."""

from __future__ import annotations

import csv
import io

from analysis.statistics.tables import write_statistics
from analysis.table11.overall_scores import Strata


def intervals(folder, metric="em", evaluator="Human"):
    text = (folder / "intervals.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(io.StringIO(text))
    return [row for row in rows if row["metric"] == metric and row["evaluator"] == evaluator]


def study(make_study):
    """Two strata of two questions; everyone right but for one answer of three to q0."""
    questions = {f"q{i}": (f"C{i % 2}", "L", f"i{i}", "binary", "yes", 2) for i in range(4)}
    answers = [(f"q{i}", f"P{p}", "yes") for i in range(4) for p in range(3)]
    answers[0] = ("q0", "P0", "no")
    return make_study(questions, answers)


def strata(size):
    return Strata({f"q{i}": f"C{i % 2}" for i in range(4)}, {"C0": size, "C1": size})


def test_a_test_set_that_was_asked_as_a_whole_leaves_nothing_to_vary(
    make_study, definition, tmp_path
):
    write_statistics(study(make_study), definition, tmp_path, strata(2))
    (row,) = [row for row in intervals(tmp_path) if "whole test set" in row["method"]]
    # C0: (2/3 + 1)/2 = 5/6; C1: 1; each half of the test set: 11/12.
    assert (row["estimate"], row["low"], row["high"]) == ("91.67", "", "")
    assert "nothing is left to vary" in row["reason"]


def test_a_test_set_of_which_a_part_was_asked_has_an_interval(make_study, definition, tmp_path):
    write_statistics(study(make_study), definition, tmp_path, strata(200))
    (row,) = [row for row in intervals(tmp_path) if "whole test set" in row["method"]]
    # W² (1 - 2/200) s²/2 with W = 1/2, s² = (1/6)² * 2 = 1/18: 0.99/144 = 0.0829².
    assert (row["estimate"], row["standard_error"]) == ("91.67", "8.29")


def test_methods_that_take_questions_for_independent_say_so(make_study, definition, tmp_path):
    write_statistics(study(make_study), definition, tmp_path, strata(200))
    named = [row["method"] for row in intervals(tmp_path) if row["target"] == "T2"]
    unclear = [name for name in named if "by image" not in name and "by question" not in name]
    assert unclear == []


def test_one_question_says_nothing_of_new_questions(make_study, definition, tmp_path):
    questions = {"q0": ("C0", "L", "i0", "binary", "yes", 2)}
    answers = [("q0", f"P{p}", "yes" if p else "no") for p in range(3)]
    write_statistics(make_study(questions, answers), definition, tmp_path)
    rows = [row for row in intervals(tmp_path) if row["target"] == "T3"]
    assert len(rows) >= 4
    assert all(row["low"] == "" and row["reason"] for row in rows)
