"""Order effects and the score without first answers go by the plan, where there is one."""

from __future__ import annotations

import csv

import numpy as np
import pandas as pd

from analysis.results import write_results
from analysis.scoring.answer_order import answer_order, with_planned_order
from analysis.scoring.study import score_study
from sampling.assignment.plan import Slot

QUESTIONS = [{"sample_id": f"q{n}", "category": "Script"} for n in range(1, 9)]
VOCABULARY = {"Script": {"format": "single", "labels": ["a", "b"]}}
KEYS = {f"q{n}": "a" for n in range(1, 9)}
# By the plan P1 answers q8 first and q1 last, in two sessions of four.
PLAN = "participant,sample_id,response_index,session,position\n" + "".join(
    f"p1,q{n},1,{1 if n > 4 else 2},{9 - n}\n" for n in range(1, 9)
)


def rows_of(study, name):
    with (study.results_folder / f"{name}.csv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_positions_and_sessions_of_the_plan_are_joined(write_study) -> None:
    # Wrong in the first session (q5 to q8), right in the second but for q1, the very last.
    answers = [(f"q{n}", "P1", 1, "a" if 2 <= n <= 4 else "b") for n in range(1, 9)]
    study = write_study(QUESTIONS, KEYS, VOCABULARY, answers)
    study.assignment_file.parent.mkdir()
    study.assignment_file.write_text(PLAN, encoding="utf-8")
    scored = score_study(study)
    assert scored.responses["position"].to_list() == [8, 7, 6, 5, 4, 3, 2, 1]
    write_results(study, scored)
    rows = {row["effect"]: row for row in rows_of(study, "order_effects")}
    # Session means 0 and 3/4: seventy-five points more in the second.
    assert rows["session"]["estimate"] == "75.00"
    assert rows["session"]["method"].endswith("positions of the plan")
    # Without positions 1 to 5 (q8 to q4): q3 and q2 right, q1 wrong.
    assert rows["without each person's first 5"]["estimate"] == "66.67"
    (choice,) = [row for row in rows_of(study, "multiverse") if "first 5" in row["choice"]]
    assert (choice["human"], choice["n"]) == ("66.67", "3")


def test_an_answer_that_the_plan_does_not_hold_has_no_position() -> None:
    frame = pd.DataFrame({"participant": ["P1", "P2"], "sample_id": ["q1", "q1"]})
    found = answer_order(with_planned_order(frame, [Slot("P1", "q1", 1, 2, 33)]), 32)
    assert (found.position[0], found.session[0]) == (33, 2)
    assert np.isnan(found.position[1])


def test_a_plan_of_other_people_leaves_the_times() -> None:
    times = pd.to_datetime(pd.Series(["2026-01-01T10:00Z", "2026-01-01T09:00Z"]))
    frame = pd.DataFrame({"participant": ["P1"] * 2, "sample_id": ["q1", "q2"], "shown_at": times})
    found = answer_order(with_planned_order(frame, [Slot("P9", "q1", 1, 1, 1)]), 1)
    assert found.position.tolist() == [2, 1]
    assert found.source == "positions by the time shown"
