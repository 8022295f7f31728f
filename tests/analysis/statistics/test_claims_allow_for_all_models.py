"""With several models a claim must hold once all of them are allowed for."""

from __future__ import annotations

import csv
import io

from analysis.statistics.tables import write_statistics


def rows_of(folder, name):
    text = (folder / f"{name}.csv").read_text(encoding="utf-8")
    return [row for row in csv.DictReader(io.StringIO(text)) if row["metric"] == "em"]


def study(make_study, models):
    """Forty questions; people right on all, each model wrong on the first six of them."""
    questions = {f"q{i:02d}": ("C", "L", f"i{i}", "single", "a", 4) for i in range(40)}
    answers = [(one, f"P{p}", "a") for one in questions for p in range(2)]
    wrong = {one: "b" if int(one[1:]) < 6 else "a" for one in questions}
    return make_study(questions, answers, {f"M{number}": wrong for number in range(models)})


def test_one_model_alone_is_a_claim(make_study, definition, tmp_path):
    write_statistics(study(make_study, 1), definition, tmp_path)
    (row,) = rows_of(tmp_path, "gaps")
    # Six differences of one sign: 2/64.
    assert (row["p_sign_flip"], row["p_holm"]) == ("0.031250", "0.031250")
    assert row["statement"] == (
        "Human scores higher than M0 for new questions and these people "
        "(two participants: too few to say how others would do)"
    )


def test_two_such_models_are_none(make_study, definition, tmp_path):
    write_statistics(study(make_study, 2), definition, tmp_path)
    rows = rows_of(tmp_path, "gaps")
    assert {row["p_holm"] for row in rows} == {"0.062500"}
    assert {float(row["t2_low"]) > 0 for row in rows} == {True}
    assert rows[0]["statement"] == (
        "no difference shown between Human and M0 once all models are allowed for (Holm)"
    )
    (pair,) = rows_of(tmp_path, "model_differences")
    # The same answers: nothing varies, nothing is claimed.
    assert (pair["difference"], pair["p_mcnemar"]) == ("0.00", "1.000000")
    assert pair["statement"].startswith("no difference shown")
