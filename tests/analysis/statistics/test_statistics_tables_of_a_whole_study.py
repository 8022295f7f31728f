"""Every statistics table of a study: what it says, and that it says it twice alike."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import numpy as np
import pytest

from analysis.statistics.tables import (
    agreement_columns,
    interval_columns,
    write_statistics,
)
from analysis.table11.table11 import build_table11

RANKING = ("higher", "better", "best", "beats", "outperforms", "ahead", "lower", "worse")


def read(folder, name):
    text = (folder / f"{name}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(io.StringIO(text)))


@pytest.fixture(scope="module")
def written(paper_shaped, definition, tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    further = write_statistics(paper_shaped, definition, folder)
    return folder, further


def test_a_second_run_writes_the_same_bytes(written, paper_shaped, definition, tmp_path):
    folder, _ = written
    write_statistics(paper_shaped, definition, tmp_path)
    first = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == first


def test_another_seed_moves_only_what_is_drawn(written, paper_shaped, definition, tmp_path):
    folder, _ = written
    other = definition.model_copy(
        update={"study": definition.study.model_copy(update={"seed": "2"})}
    )
    write_statistics(paper_shaped, other, tmp_path)
    changed = {
        path.name
        for path in folder.iterdir()
        if path.read_bytes() != (tmp_path / path.name).read_bytes()
    }
    assert changed <= {
        "agreement_coefficients.csv",
        "gaps.csv",
        "intervals.csv",
        "model_differences.csv",
        "simultaneous_categories.csv",
        "simultaneous_collections.csv",
    }


def test_the_headline_gap_is_the_exact_one_of_table_11(written, paper_shaped):
    folder, _ = written
    table = build_table11(paper_shaped)
    gaps = {(row["model"], row["metric"]): row["gap"] for row in read(folder, "gaps")}
    for row in table.rows[1:]:
        assert gaps[row.evaluator, "em"] == f"{float(row.gaps['em']) * 100:.2f}"


def test_every_interval_names_its_target_and_holds_its_estimate(written):
    for row in read(written[0], "intervals"):
        assert row["target"] in {"T1", "T2", "T3"}
        if row["low"]:
            assert float(row["low"]) <= float(row["estimate"]) <= float(row["high"])
        else:
            assert row["reason"]


def test_t1_has_no_interval(written):
    rows = [row for row in read(written[0], "intervals") if row["target"] == "T1"]
    assert rows
    assert all(row["low"] == row["high"] == "" for row in rows)


@pytest.mark.parametrize("name", ["gaps", "model_differences"])
def test_nothing_is_ranked_where_the_interval_covers_zero(written, name):
    low, high = ("t2_low", "t2_high") if name == "gaps" else ("low", "high")
    rows = read(written[0], name)
    assert any(float(row[low]) <= 0 <= float(row[high]) for row in rows)
    for row in rows:
        if float(row[low]) <= 0 <= float(row[high]):
            assert not any(word in row["statement"] for word in RANKING)
        else:
            assert "higher" in row["statement"]


def test_the_detectable_gap_is_always_printed(written):
    rows = read(written[0], "gaps") + read(written[0], "model_differences")
    assert all(float(row["mde"]) > 0 for row in rows)


def test_w1_rests_on_wilson_with_32_questions(written):
    rows = [
        row
        for row in read(written[0], "intervals")
        if row["metric"] == "w1" and row["evaluator"] == "Human" and row["headline"] == "yes"
    ]
    methods = {row["target"]: row["method"] for row in rows}
    assert methods["T2"] == "by image, Wilson on effective n"


def test_standard_errors_say_their_scale_and_what_was_drawn_together(written):
    rows = [row for row in read(written[0], "intervals") if row["standard_error"]]
    assert {row["scale"] for row in rows} == {"percentage points"}
    found = {(row["target"], row["cluster"]) for row in rows if row["headline"] == "yes"}
    assert found == {("T2", "image"), ("T3", "image and person")}
    (row, *_) = read(written[0], "d_study")
    assert (row["scale"], row["cluster"]) == ("percentage points of em", "question and person")


def test_joint_intervals_are_wider_than_single_ones(written):
    rows = read(written[0], "simultaneous_categories")
    assert {row["comparison"] for row in rows} == {"Human", "Human - First", "Human - Second"}
    assert all(float(row["critical"]) > 1.96 for row in rows)
    assert {row["cluster"] for row in rows} == {"image"}
    assert all(row["scale"].startswith("standard normal") for row in rows)


def test_equivalence_is_tested_only_with_a_margin(written, paper_shaped, definition, tmp_path):
    assert {row["margin"] for row in read(written[0], "equivalence")} == {"5.00"}
    analysis = definition.analysis.model_copy(update={"equivalence_margin": None})
    write_statistics(paper_shaped, definition.model_copy(update={"analysis": analysis}), tmp_path)
    assert not (tmp_path / "equivalence.csv").exists()


def test_equivalence_of_one_model_among_several_needs_the_adjusted_test(
    paper_shaped, definition, tmp_path
):
    # A margin at which each model's own test would claim equivalence; Holm's doubles the smaller.
    analysis = definition.analysis.model_copy(update={"equivalence_margin": 35.0})
    write_statistics(paper_shaped, definition.model_copy(update={"analysis": analysis}), tmp_path)
    for metric in ("em", "w1"):
        rows = [row for row in read(tmp_path, "equivalence") if row["metric"] == metric]
        smaller, larger = sorted(rows, key=lambda row: float(row["p"]))
        assert float(smaller["p_holm"]) == pytest.approx(2 * float(smaller["p"]), abs=2e-4)
        assert float(larger["p_holm"]) >= float(larger["p"])
        for row in rows:
            assert (row["equivalent"] == "yes") == (float(row["p_holm"]) < 0.05)


def test_the_forest_has_everyone_with_an_exact_interval(written):
    rows = [row for row in read(written[0], "participants_forest") if row["metric"] == "em"]
    assert [row["participant"] for row in rows] == [f"P{n}" for n in range(8)]
    assert all(float(row["low"]) < float(row["score"]) < float(row["high"]) for row in rows)
    assert {row["n"] for row in rows} == {"96"}


def test_mean_agreement_with_others_is_the_item_weighted_agreement(written):
    _, further = written
    rows = read(written[0], "human_reference")
    human = next(row for row in rows if row["evaluator"] == "Human")
    assert human["estimate"] == further.agreement["overall"]["exact_by_question"]


def test_aggregates_are_labelled_as_unmatched(written):
    rows = [row for row in read(written[0], "human_reference") if "of 3" in row["reference"]]
    assert {row["matched"] for row in rows} == {"no"}


def test_columns_for_table_11_have_all_evaluators_and_no_t3_for_a_model_alone(written):
    table11 = written[1].table11
    assert list(table11) == ["Human", "First", "Second"]
    assert table11["First"]["em_t3_low"] == ""
    assert table11["First"]["em_gap_t3_low"] != ""
    assert float(table11["Human"]["em_t2_low"]) < float(table11["Human"]["em_t2_high"])


def test_interval_columns_can_be_had_alone(written, paper_shaped, definition):
    assert interval_columns(paper_shaped, definition) == written[1].table11


def test_agreement_columns_are_indexed_by_category_then_overall(paper_shaped, definition):
    frame = agreement_columns(paper_shaped, definition)
    assert list(frame.index) == [f"category {n}" for n in range(8)] + ["overall"]
    assert frame.loc["category 2", "alpha_distance"] == "interval"
    assert frame.loc["category 1", "alpha_distance"] == "jaccard"
    assert frame.loc["overall", "alpha_defined"] == "8 of 8"


def test_two_implementations_of_alpha_print_the_same(paper_shaped):
    frame = agreement_columns(paper_shaped)
    assert (frame["alpha"][:-1] == frame["alpha_by_package"][:-1]).all()


def test_the_exact_agreement_interval_is_empty_without_a_definition(paper_shaped):
    assert set(agreement_columns(paper_shaped)["exact_low"]) == {""}


def test_a_model_that_missed_questions_is_compared_on_the_shared_ones(
    paper_shaped, definition, tmp_path
):
    frame = paper_shaped.predictions["First"].iloc[6:]
    write_statistics(replace(paper_shaped, predictions={"First": frame}), definition, tmp_path)
    row = read(tmp_path, "gaps")[0]
    assert (row["n_human"], row["n_model"]) == ("750", "250")


def test_leaving_out_names_the_people_who_answered_what_the_model_did(
    make_study, definition, tmp_path
):
    questions = {f"q{n}": ("C", "x", f"i{n}", "single", "a", 3) for n in range(4)}
    # P0 answered q0 alone, which the model did not.
    answers = [("q0", "P0", "b"), *((f"q{n}", "P1", "a") for n in range(1, 4)), ("q1", "P2", "b")]
    study = make_study(questions, answers, {"M": {f"q{n}": "a" for n in range(1, 4)}})
    write_statistics(study, definition, tmp_path)
    rows = read(tmp_path, "leave_one_participant_out")
    gaps = {
        row["left_out"]: row["estimate"]
        for row in rows
        if row["evaluator"] == "Human - M" and row["metric"] == "em"
    }
    # Without P1: P2 is wrong where the model is right. Without P2: all are right.
    assert gaps == {"P1": "-100.00", "P2": "0.00", "lowest": "-100.00", "highest": "0.00"}


def test_an_all_wrong_model_has_the_human_mean_as_its_gap(paper_shaped, definition, tmp_path):
    frame = paper_shaped.predictions["First"].copy()
    frame[["exact_match", "f1", "precision", "recall", "jaccard"]] = 0.0
    frame["within_one"] = frame["within_one"] * 0
    write_statistics(replace(paper_shaped, predictions={"None right": frame}), definition, tmp_path)
    gap = read(tmp_path, "gaps")[0]
    human = next(row for row in read(tmp_path, "intervals") if row["metric"] == "em")
    assert gap["gap"] == human["estimate"]
    own = [row for row in read(tmp_path, "intervals") if row["evaluator"] == "None right"]
    by_image = next(row for row in own if row["target"] == "T2" and row["metric"] == "em")
    # No right answer of m images: Wilson's upper end is z² / (m + z²).
    images = paper_shaped.questions["image_name"].nunique()
    expected = 100 * 3.8415 / (images + 3.8415)
    assert float(by_image["high"]) == pytest.approx(expected, abs=0.01)


def test_unequal_numbers_of_answers_are_weighed_by_answer(make_study, definition, tmp_path):
    questions = {f"q{n}": ("C", "x", f"i{n}", "single", "a", 3) for n in range(6)}
    answers = [
        (f"q{n}", f"P{p}", "a" if n % 2 else "b") for n in range(6) for p in range(1 + n % 3)
    ]
    study = make_study(questions, answers, {"M": dict.fromkeys(questions, "a")})
    write_statistics(study, definition, tmp_path)
    # Answers: 1, 2, 3, 1, 2, 3 to q0..q5; right on the odd ones: 2 + 1 + 3 of 12.
    rows = read(tmp_path, "intervals")
    assert (rows[0]["n"], rows[0]["estimate"]) == ("12", "50.00")
    # Each question weighs the same: three of six, whatever their numbers of answers.
    by_question = next(row for row in rows if row["method"].startswith("mean over questions"))
    assert by_question["estimate"] == "50.00"


def test_labels_named_nan_none_and_na_stay_labels(make_study):
    questions = {f"q{n}": ("C", "x", f"i{n}", "single", "nan", 3) for n in range(4)}
    given = [("nan", "nan"), ("None", "None"), ("NA", "nan"), ("NA", "NA")]
    answers = [(f"q{n}", f"P{p}", pair[p]) for n, pair in enumerate(given) for p in range(2)]
    frame = agreement_columns(make_study(questions, answers))
    assert frame.loc["C", "exact_by_question"] == "75.00"
    assert frame.loc["C", "n_invalid"] == "0"


def test_two_invalid_answers_do_not_agree(make_study):
    questions = {"q0": ("C", "x", "i0", "single", "a", 3), "q1": ("C", "x", "i1", "single", "a", 3)}
    answers = [("q0", "P0", None), ("q0", "P1", None), ("q1", "P0", "a"), ("q1", "P1", "a")]
    frame = agreement_columns(make_study(questions, answers))
    assert frame.loc["C", "exact_by_question"] == "50.00"
    assert frame.loc["C", "n_invalid"] == "2"


def test_the_estimates_are_plain_means_of_the_frames(written, paper_shaped):
    rows = read(written[0], "intervals")
    human = {row["metric"]: row["estimate"] for row in rows if row["evaluator"] == "Human"}
    assert float(human["f1"]) == pytest.approx(
        100 * np.mean(paper_shaped.responses["f1"]), abs=0.006
    )
