"""The example study with the paper's own numbers: its intervals are where they should be."""

from __future__ import annotations

import csv
import io
import shutil

import pytest

from analysis.scoring.study import score_study
from analysis.statistics.tables import write_statistics
from sampling.study.folder import open_study


@pytest.fixture(scope="module")
def written(paper_shape, tmp_path_factory):
    """The statistics tables of a copy of the study, by name."""
    folder = tmp_path_factory.mktemp("paper-shape")
    shutil.copytree(paper_shape / "study", folder / "study")
    study = open_study(folder / "study")
    write_statistics(score_study(study), study.definition, folder)

    def read(name):
        text = (folder / f"{name}.csv").read_text(encoding="utf-8")
        return list(csv.DictReader(io.StringIO(text)))

    return read


def only(rows, **wanted):
    (row,) = [row for row in rows if all(row[key] == value for key, value in wanted.items())]
    return row


@pytest.mark.parametrize(
    ("model", "gap"), [("Gemini 3.5 Flash", "28.91"), ("ChatGPT 5.5", "27.73")]
)
def test_gaps_are_the_published_ones_and_decisive(written, model, gap):
    row = only(written("gaps"), model=model, metric="em")
    assert row["gap"] == gap
    # The design implies half-widths near 6.2 to 7.8 points.
    for target in ("t2_question", "t3_question", "t2", "t3"):
        width = (float(row[f"{target}_high"]) - float(row[f"{target}_low"])) / 2
        assert 5.8 < width < 8
    # None of 10,000 samples is as extreme: p is below 2 / 10,001, after Holm over two models twice.
    assert row["p_sign_flip"] == "< 0.0002"
    assert row["p_holm"] == "< 0.0004"
    # 2.8 standard errors of a model 8 points below people, which is 2.7 to 3.2 points.
    assert 7 <= float(row["mde"]) <= 9
    assert row["statement"] == f"Human scores higher than {model} for new questions and new people"


def test_human_exact_match_has_the_clustered_interval_not_the_naive_one(written):
    row = only(
        written("intervals"),
        evaluator="Human",
        metric="em",
        target="T2",
        method="by question, Wilson on effective n",
    )
    assert row["estimate"] == "87.50"
    # The sample has four questions of each of 64 cells, and so would another: the standard error is
    # that within strata, and with equally many of each the interval that of strata weighed equally.
    within = only(
        written("intervals"),
        evaluator="Human",
        metric="em",
        target="T2",
        method="strata weighed equally, by question, Wilson on effective n",
    )
    assert (row["low"], row["high"]) == (within["low"], within["high"])
    # 768 independent answers would give 2.34 points; those of a question are alike.
    assert 2.38 < (float(row["high"]) - float(row["low"])) / 2 < 2.75


def test_a_w1_gap_of_three_points_is_no_claim(written):
    row = only(written("gaps"), model="Gemini 3.5 Flash", metric="w1")
    assert row["gap"] == "3.13"
    # People 96.88, the model 30 of 32: Wilson's upper limit of its errors is 20.1 %, 13.9 points
    # away, its lower one 1.7 %, 4.6 points; of people's 3.1 % the limits add little.
    assert -7 < float(row["t2_low"]) < -3.5
    assert 13 < float(row["t2_high"]) < 18
    assert row["statement"].startswith("no difference shown")
    # People are wrong in one question's worth of 32: no interval has 95 % there, and it says so.
    assert row["reason"].startswith("too few wrong or right answers to promise the level")
    assert only(written("gaps"), model="Gemini 3.5 Flash", metric="em")["reason"] == ""


def test_the_two_models_are_not_ranked(written):
    row = only(written("model_differences"), metric="em")
    assert row["difference"] == "-1.17"  # three questions of 256
    assert row["statement"].startswith("no difference shown")
    assert float(row["p_mcnemar"]) > 0.5


def test_mean_agreement_with_the_others_is_the_published_agreement(written):
    row = only(
        written("human_reference"), reference="agreement with the other people", evaluator="Human"
    )
    assert row["estimate"] == "77.86"


def test_mean_and_agreement_imply_a_correlation_that_holds_the_measured_one(written):
    rows = {
        row["component"]: float(row["value"])
        for row in written("variance_components")
        if row["metric"] == "em" and row["value"]
    }
    low, high = rows["icc_implied_if_all_match"], rows["icc_implied_if_no_wrong_pair_matches"]
    assert low - 0.05 <= rows["icc"] <= high + 0.05
