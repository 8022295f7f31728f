"""One person against one model: one answer against one answer, with McNemar's exact test."""

from __future__ import annotations

import csv
import io

from analysis.statistics.tables import write_statistics


def test_pairs_are_counted_and_tested_exactly(make_study, definition, tmp_path):
    # P0 answers q0 to q9: right but for q9. The model is right on q0 and q9, has no answer to q8.
    questions = {f"q{i}": ("C", "L", f"i{i}", "single", "a", 4) for i in range(10)}
    answers = [(one, "P0", "b" if one == "q9" else "a") for one in questions]
    answers += [("q0", "P1", "a"), ("q1", "P1", None)]
    model = {one: "a" if one in {"q0", "q9"} else "b" for one in questions if one != "q8"}
    study = make_study(questions, answers, {"M": model})
    write_statistics(study, definition, tmp_path)
    text = (tmp_path / "participant_model_pairs.csv").read_text(encoding="utf-8")
    first, second = csv.DictReader(io.StringIO(text))
    # Both: q0; the person alone: q1 to q7; the model alone: q9. Two-sided binomial 7 of 8:
    # 2 (1 + 8) / 256 = 0.0703125; difference (7 - 1) / 9.
    counts = [first[name] for name in ("n", "both_right", "only_participant", "only_model")]
    assert counts == ["9", "1", "7", "1"]
    assert (first["difference"], first["p_mcnemar"]) == ("66.67", "0.070313")
    # P1: q0 both right, q1 neither (an invalid answer is a wrong one): nothing to test.
    assert (second["n"], second["neither"], second["p_mcnemar"]) == ("2", "1", "1.000000")
    # Benjamini-Yekutieli over the two: 0.0703125 * 2 * (1 + 1/2).
    assert first["p_adjusted"] == "0.210938"


def test_without_models_there_are_no_pairs(make_study, definition, tmp_path):
    questions = {"q0": ("C", "L", "i0", "single", "a", 4)}
    write_statistics(make_study(questions, [("q0", "P0", "a")]), definition, tmp_path)
    text = (tmp_path / "participant_model_pairs.csv").read_text(encoding="utf-8")
    assert text.count("\n") == 1
