"""What has made other tools' human baselines wrong: each case from files to printed tables."""

from __future__ import annotations

import csv
from fractions import Fraction

import pytest

from analysis.results import write_results
from analysis.scoring.study import score_study
from analysis.table11.table11 import build_table11
from sampling.study.errors import StudyError

COUNT = {"Lines": {"format": "count"}}
SCRIPT = {"Script": {"format": "single", "labels": ["a", "b", "c", "d", "e"]}}
PEOPLE = ("P1", "P2", "P3")


def table(study, name):
    with (study.results_folder / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize(("key", "answer"), [("2,000", 2000), ("2,000", "2000"), (2000, "2,000")])
def test_one_reading_holds_for_keys_people_and_models(write_study, key, answer) -> None:
    # Unanimous and equal to the key, however each is written.
    answers = [("q1", person, index, answer) for index, person in enumerate(PEOPLE, 1)]
    model = [{"sample_id": "q1", "raw_prediction": answer}]
    questions = [{"sample_id": "q1", "category": "Lines"}]
    study = write_study(questions, {"q1": key}, COUNT, answers, {"m": model})
    assert [row.means["em"] for row in build_table11(score_study(study)).rows] == [1, 1]


def test_labels_that_nobody_gave_are_part_of_the_vocabulary(write_study) -> None:
    # Five labels, two of them used: pairs agree in 1 + 1 + 1/3 of three questions, 7/9;
    # Brennan and Prediger take 1/5 for chance: (7/9 - 1/5) / (4/5) = 26/36.
    given = {"q1": "aaa", "q2": "bbb", "q3": "aab"}
    answers = [
        (name, person, index, label)
        for name, labels in given.items()
        for index, (person, label) in enumerate(zip(PEOPLE, labels, strict=True), 1)
    ]
    questions = [{"sample_id": name, "category": "Script"} for name in given]
    study = write_study(questions, dict.fromkeys(given, "a"), SCRIPT, answers)
    write_results(study, score_study(study))
    row = table(study, "agreement.csv")[0]
    assert (row["vocabulary_size"], row["exact_agreement"]) == ("5", "77.78")
    assert float(row["brennan_prediger"]) == pytest.approx(26 / 36, abs=5e-5)


def test_a_model_file_that_lacks_repeats_and_invents_questions_says_all_of_it(write_study) -> None:
    names = [f"q{number:03}" for number in range(256)]
    questions = [{"sample_id": name, "category": "Script"} for name in names]
    keys = dict.fromkeys(names, "a")
    answers = [(name, "P1", 1, "a") for name in names]
    rows = [{"sample_id": name, "raw_prediction": "a"} for name in names[6:]]
    extra = [{"sample_id": name, "raw_prediction": "b"} for name in ("x1", "x2", *names[6:9])]
    with pytest.raises(StudyError) as caught:
        score_study(write_study(questions, keys, SCRIPT, answers, {"m": [*rows, *extra]}))
    assert [problem.split(":")[0] for problem in caught.value.problems] == [
        f"m.jsonl line {number}" for number in range(251, 256)
    ]
    # With the file put right, six are missing: told, and left out of the gap on both sides.
    wrong = [(name, "P1", 1, "b" if name in names[:6] else "a") for name in names]
    scored = score_study(write_study(questions, keys, SCRIPT, wrong, {"m": rows}))
    row = build_table11(scored).rows[1]
    assert "6 of 256 questions without an answer" in " ".join(scored.warnings)
    assert (row.counts["n_em"], row.shared_questions, row.gaps["em"]) == (250, 250, 0)


def test_who_answers_blindly_in_two_seconds_is_kept_and_shown_left_out(write_study) -> None:
    # Two people are always right in 20.5 s; the third is always wrong in 1.5 s.
    names = [f"q{number}" for number in range(6)]
    questions = [{"sample_id": name, "category": "Script"} for name in names]
    answers = [
        (name, person, index, "b" if person == "P3" else "a")
        for name in names
        for index, person in enumerate(PEOPLE, 1)
    ]
    study = write_study(questions, dict.fromkeys(names, "a"), SCRIPT, answers)
    text = study.responses_file.read_text(encoding="utf-8").splitlines()
    hasty = [line.replace("20.5", "1.5") if '"P3"' in line else line for line in text]
    study.responses_file.write_text("\n".join(hasty) + "\n", encoding="utf-8")
    scored = score_study(study)
    assert build_table11(scored).rows[0].means["em"] == Fraction(2, 3)
    write_results(study, scored)
    people = {row["choice"]: row["human"] for row in table(study, "multiverse.csv")}
    assert people["all responses (the headline)"] == "66.67"
    assert people["without answers under 2 s"] == "100.00"
