"""A model may stand in for a person: by equal answers, and for sets by how much they share."""

from __future__ import annotations

import csv
import io

from analysis.statistics.tables import write_statistics


def test_sets_are_compared_by_jaccard_beside_equality(make_study, definition, tmp_path):
    # Thirty questions; the people say {a}, {a, b} and {c}, the model {a, c}.
    # Equal sets: nobody is like anybody; every comparison is a tie, and no advantage at ε = 0.
    # Jaccard: model against {a, b} and {c}: 1/3 + 1/2; the first person: 1/2 + 0. The model is
    # nearer in all questions, and against the other two people as well (1/2 + 1/2 to 1/2 + 0;
    # 1/2 + 1/3 to 0).
    questions = {f"q{i:02d}": ("C", "L", f"i{i}", "multi", ("a",), 4) for i in range(30)}
    given = {"P0": ("a",), "P1": ("a", "b"), "P2": ("c",)}
    answers = [(one, person, answer) for one in questions for person, answer in given.items()]
    study = make_study(questions, answers, {"M": dict.fromkeys(questions, ("a", "c"))})
    write_statistics(study, definition, tmp_path)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "alt_test.csv").read_text("utf-8"))))
    at_zero = {row["compared_by"]: row for row in rows if row["epsilon"] == "0.00"}
    assert at_zero["exact"]["winning_rate"] == "0.00"
    assert at_zero["exact"]["advantage_probability"] == "100.00"
    assert at_zero["jaccard"]["winning_rate"] == "100.00"
    # Nothing varies, so that the p-values are 0 or 1 by arithmetic: counted, not hidden.
    assert {row["n_constant"] for row in at_zero.values()} == {"3"}


def test_labels_alone_have_no_second_curve(make_study, definition, tmp_path):
    questions = {f"q{i:02d}": ("C", "L", f"i{i}", "single", "a", 4) for i in range(30)}
    answers = [(one, f"P{p}", "ab"[p]) for one in questions for p in range(2)]
    study = make_study(questions, answers, {"M": dict.fromkeys(questions, "a")})
    write_statistics(study, definition, tmp_path)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "alt_test.csv").read_text("utf-8"))))
    assert {row["compared_by"] for row in rows} == {"exact"}
