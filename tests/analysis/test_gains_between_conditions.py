"""What a prompt condition gains, group by group, and for texts by the mean of the categories."""

from __future__ import annotations

from analysis.results import core_tables
from analysis.scoring.study import score_study

SCRIPT = {"format": "single", "labels": ["a", "b"]}


def answers(condition, given):
    return [
        {"sample_id": name, "prompt_condition": condition, "raw_prediction": answer}
        for name, answer in given.items()
    ]


def test_gains_stand_in_the_rows_of_each_group(write_study) -> None:
    questions = [{"sample_id": f"q{n}", "category": "One" if n < 3 else "Two"} for n in range(1, 6)]
    keys = {f"q{n}": "a" for n in range(1, 6)}
    model = [
        *answers("constrained", {"q1": "a", "q2": "a", "q3": "a", "q4": "b", "q5": "b"}),
        # Category Two: q3 wrong, q4 right, q5 not answered.
        *answers("open", {"q1": "b", "q2": "a", "q3": "b", "q4": "a"}),
    ]
    people = [("q1", "P1", 1, "a")]
    study = write_study(questions, keys, {"One": SCRIPT, "Two": SCRIPT}, people, {"m": model})
    rows = core_tables(score_study(study), study.definition, None)["by_category"]
    gains = {
        (row["condition"], row["group"]): row.get("em_gain", "")
        for row in rows
        if row["evaluator"] == "m"
    }
    # One: 2/2 to 1/2; Two, on q3 and q4: 1/2 to 1/2.
    assert gains == {
        ("constrained", "One"): "",
        ("constrained", "Two"): "",
        ("open", "One"): "50.00",
        ("open", "Two"): "0.00",
    }


def test_texts_of_a_condition_are_averaged_as_in_table_11(write_study) -> None:
    questions = [{"sample_id": f"q{n}", "category": "A" if n < 4 else "B"} for n in range(1, 5)]
    keys = dict.fromkeys(("q1", "q2", "q3", "q4"), "甲乙")
    text = {"format": "text"}
    model = [
        *answers("constrained", dict.fromkeys(keys, "甲乙")),
        # A: 1, 1, 1; B: 0. The mean of the categories is 1/2, over answers it would be 3/4.
        *answers("open", {"q1": "甲乙", "q2": "甲乙", "q3": "甲乙", "q4": "丙丁"}),
    ]
    people = [("q1", "P1", 1, "甲乙")]
    study = write_study(questions, keys, {"A": text, "B": text}, people, {"m": model})
    rows = core_tables(score_study(study), study.definition, None)["conditions"]
    assert [(row["condition"], row["ned"], row.get("ned_gain", "")) for row in rows] == [
        ("constrained", "100.00", ""),
        ("open", "50.00", "50.00"),
    ]
