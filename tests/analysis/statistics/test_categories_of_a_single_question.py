"""A category of which a single question was answered twice: a mean without an interval."""

from __future__ import annotations

import csv
import io

from analysis.statistics.tables import write_statistics

REASON = "a category with a single question of two answers: no variance within it"


def test_agreement_of_a_lone_question_has_no_interval_and_the_right_reason(
    make_study, definition, tmp_path
):
    questions = {f"q{i}": ("C0", "L", f"i{i}", "binary", "yes", 2) for i in range(8)}
    questions["q8"] = ("C1", "L", "i8", "binary", "yes", 2)
    answers = [(f"q{i}", f"P{p}", "yes") for i in range(9) for p in range(2)]
    answers[0] = ("q0", "P0", "no")
    further = write_statistics(make_study(questions, answers), definition, tmp_path)
    overall = further.agreement["overall"]
    assert (overall["exact_low"], overall["reason"]) == ("", REASON)
    # Table 11 and intervals.csv say the same: (7/8 + 1) / 2 without limits.
    assert further.table11["Human"]["agreement_t2_low"] == ""
    text = (tmp_path / "intervals.csv").read_text(encoding="utf-8")
    rows = [row for row in csv.DictReader(io.StringIO(text)) if row["metric"] == "agreement"]
    assert {row["estimate"] for row in rows} == {"93.75"}
    assert {row["reason"] for row in rows if row["target"] == "T2"} == {
        "a category with a single question: no variance within it"
    }


def test_several_questions_a_category_have_one(make_study, definition, tmp_path):
    questions = {f"q{i}": (f"C{i % 2}", "L", f"i{i}", "binary", "yes", 2) for i in range(12)}
    answers = [(f"q{i}", f"P{p}", "yes") for i in range(12) for p in range(2)]
    answers[0], answers[2] = ("q0", "P0", "no"), ("q1", "P0", "no")
    further = write_statistics(make_study(questions, answers), definition, tmp_path)
    overall = further.agreement["overall"]
    # Two of twelve questions are split: (5/6 + 5/6) / 2.
    assert float(overall["exact_low"]) < 83.33 < float(overall["exact_high"])
    assert overall["reason"] == ""
