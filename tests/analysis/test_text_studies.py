"""A study of texts: NED and character F1, media weighing the same, agreement by similarity."""

from __future__ import annotations

import csv
from fractions import Fraction

import pytest

from analysis.release.verification import verify_bundle
from analysis.release.writing import write_bundle
from analysis.results import write_results
from analysis.scoring.study import score_study
from analysis.table11.pair_agreement import category_agreement
from analysis.table11.table11 import build_table11
from sampling.study.folder import open_study

VOCABULARIES = {"seals": {"format": "text"}, "stele": {"format": "text"}}
QUESTIONS = [
    {"sample_id": "q1", "category": "seals"},
    {"sample_id": "q2", "category": "stele"},
    {"sample_id": "q3", "category": "stele"},
]
KEYS = {"q1": "□□□日", "q2": "甲<unrecognizable>乙", "q3": "山水\n清音"}
ANSWERS = [
    ("q1", "P1", 1, "□日"),
    ("q1", "P2", 2, "□□□日"),
    ("q2", "P1", 1, "甲乙"),
    ("q2", "P2", 2, "甲<unrecognizable>乙"),
    ("q3", "P1", 1, "山水清音"),
    ("q3", "P2", 2, ""),
]
MODEL = [
    {"sample_id": "q1", "raw_prediction": "<res>□□□日</res>"},
    {"sample_id": "q2", "raw_prediction": "乙<unrecognizable>甲"},
    {"sample_id": "q3", "raw_prediction": None},
]


@pytest.fixture
def study(write_study):
    return write_study(QUESTIONS, KEYS, VOCABULARIES, ANSWERS, {"m": MODEL})


def test_every_answer_is_scored_by_units_whatever_its_line_breaks(study) -> None:
    responses = score_study(study).responses
    # □日 of □□□日: 2 of 4 units missing; 甲乙 of three units: one missing; nothing of four: all.
    assert responses["ned"].to_list() == pytest.approx([1 / 2, 1, 2 / 3, 1, 1, 0])
    assert responses["char_f1"].to_list() == pytest.approx([2 / 3, 1, 4 / 5, 1, 1, 0])
    # Protocol-consistent: runs of □ are one on both sides.
    assert responses["lenient_ned"].to_list()[:2] == [1, 1]


def test_media_weigh_the_same_whatever_their_size(study) -> None:
    human, model = build_table11(score_study(study)).rows
    # People: seals (1/2 + 1)/2 = 3/4; stele (2/3 + 1 + 1 + 0)/4 = 2/3; mean 17/24, not 25/36.
    assert human.means["ned"] == Fraction(17, 24)
    # Model: seals 1; stele (1/3 + 0)/2 = 1/6 by NED, (1 + 0)/2 by F1, which knows no order.
    assert (model.means["ned"], model.means["char_f1"]) == (Fraction(7, 12), Fraction(3, 4))
    assert model.gaps["ned"] == Fraction(17, 24) - Fraction(7, 12)


def test_agreement_is_the_mean_similarity_of_pairs(study) -> None:
    seals, stele = category_agreement(score_study(study))
    # q1: 1/2. q2: 2/3, q3: 0; mean 1/3. Overall (1/2 + 1/3)/2 = 5/12.
    assert (seals.similarity, stele.similarity) == (Fraction(1, 2), Fraction(1, 3))
    assert build_table11(score_study(study)).rows[0].agreement == Fraction(5, 12)


def test_the_table_has_text_columns_in_place_of_labels(study) -> None:
    write_results(study, score_study(study))
    with (study.results_folder / "table11.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    names = ["evaluator", "kind", "n_text", "ned", "char_f1", "agreement", "ned_gap"]
    assert list(rows[0])[:7] == names
    assert [rows[0][name] for name in names[2:6]] == ["6", "70.83", "76.67", "41.67"]
    assert rows[1]["ned_gap"] == "12.50"


def test_a_study_of_labels_and_texts_has_both_kinds_of_columns(write_study) -> None:
    vocabularies = {**VOCABULARIES, "Script": {"format": "single", "labels": ["Khmer"]}}
    questions = [*QUESTIONS, {"sample_id": "q4", "category": "Script"}]
    answers = [*ANSWERS, ("q4", "P1", 1, "Khmer"), ("q4", "P2", 2, "Khmer")]
    study = write_study(questions, {**KEYS, "q4": "Khmer"}, vocabularies, answers)
    row = build_table11(score_study(study)).rows[0]
    assert (row.counts["n_em"], row.counts["n_text"]) == (8, 6)
    assert row.means["ned"] == Fraction(17, 24)


def rows_of(study, name):
    with (study.results_folder / f"{name}.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


DISPLAY = """
[benchmark.display.category]
stele = "Stele"
seals = "Seal"
"""
PAPER = """
[[models]]
name = "Paper"
[models.aggregates]
overall = { ned = 52.08, char_f1 = 57.86 }
seals = { char_f1 = 38.48 }
Stele = { ned = 88.88 }
"""


@pytest.fixture(scope="module")
def paper(write_study_to, tmp_path_factory):
    """The study beside a model known by a paper's numbers, analysed, with names for its media."""
    folder = tmp_path_factory.mktemp("paper")
    toml = DISPLAY + PAPER
    study = write_study_to(folder, QUESTIONS, KEYS, VOCABULARIES, ANSWERS, {"m": MODEL}, toml)
    write_results(study, score_study(study))
    return study


def test_numbers_of_a_paper_are_marked_in_every_table_and_have_no_gap(paper) -> None:
    row = rows_of(paper, "table11")[-1]
    assert (row["evaluator"], row["kind"], row["n_text"]) == ("Paper", "reported", "")
    assert (row["ned"], row["char_f1"], row["ned_gap"]) == ("52.08", "57.86", "")
    folder = paper.results_folder
    for name in ("table11.md", "table11.tex", "by_category.tex"):
        assert "Paper (reported)" in (folder / name).read_text(encoding="utf-8"), name
    for name in ("table11.md", "table11.json", "report.html"):
        assert "Reported, not recomputed: Paper." in (folder / name).read_text(encoding="utf-8")
    assert '<td dir="auto">reported</td>' in (folder / "report.html").read_text(encoding="utf-8")


def test_numbers_of_a_paper_stand_by_medium_under_either_of_its_names(paper) -> None:
    typed = [row for row in rows_of(paper, "by_category") if row["evaluator"] == "Paper"]
    assert [(row["condition"], row["group"], row["ned"], row["char_f1"]) for row in typed] == [
        ("reported", "Seal", "", "38.48"),
        ("reported", "Stele", "88.88", ""),
    ]


def test_a_group_that_no_table_has_is_named_under_table_11(write_study) -> None:
    typo = PAPER.replace("seals =", "seal =")
    study = write_study(QUESTIONS, KEYS, VOCABULARIES, ANSWERS, {}, DISPLAY + typo)
    notes = write_results(study, score_study(study)).notes
    assert notes[-1] == (
        "Paper: no group is called 'seal' (did you mean 'Seal'?); its numbers are in no table."
    )


def test_media_have_their_display_names_in_their_declared_order_everywhere(paper) -> None:
    people = [row for row in rows_of(paper, "by_category") if row["evaluator"] == "Human"]
    assert [row["group"] for row in people] == ["Stele", "Seal"]
    assert [row["category"] for row in rows_of(paper, "agreement")] == ["Stele", "Seal", "overall"]
    for name in ("error_counts", "simultaneous_categories"):
        column = "category" if name == "error_counts" else "group"
        assert {row[column] for row in rows_of(paper, name)} == {"Stele", "Seal"}, name


def test_the_protocol_consistent_score_is_a_labelled_table_of_its_own(paper) -> None:
    human, model = rows_of(paper, "transcriptions")
    # As above 17/24 and 23/30. With runs of □ as one q1 is right twice: (1 + 2/3)/2 and
    # (1 + (4/5 + 1 + 1 + 0)/4)/2 = 17/20.
    assert (human["n"], human["n_empty"]) == ("6", "1")
    assert (human["ned"], human["char_f1"]) == ("70.83", "76.67")
    assert (human["consistent_ned"], human["consistent_char_f1"]) == ("83.33", "85.00")
    assert (model["evaluator"], model["n_empty"]) == ("m", "0")
    assert "protocol-consistent scoring" in {row["choice"] for row in rows_of(paper, "multiverse")}
    report = (paper.results_folder / "report.html").read_text(encoding="utf-8")
    assert "Scores as they are, and protocol-consistent (secondary)" in report


def test_what_only_labels_can_have_is_left_out_of_a_study_of_texts(paper) -> None:
    assert rows_of(paper, "chance_floors") == rows_of(paper, "above_chance") == []
    report = (paper.results_folder / "report.html").read_text(encoding="utf-8")
    for words in ("majority of three", "Exact match before", "The gap taken apart", "a cell of 32"):
        assert words not in report
    assert "Pairwise similarity, and corrected for chance" in report
    for name, label in (("categories", "NED (edit similarity), %"), ("participants", "NED, %")):
        # The picture's words are paths; its comments keep them.
        picture = (paper.results_folder / "figures" / f"{name}.svg").read_text(encoding="utf-8")
        assert f"<!-- {label}" in picture, name


def test_agreement_of_a_medium_has_an_interval_within_0_and_100(paper) -> None:
    for row in rows_of(paper, "agreement"):
        for name in ("similarity", "exact"):
            ends = [row[f"{name}_low"], row[f"{name}_high"]]
            assert all(end == "" or 0 <= float(end) <= 100 for end in ends), row["category"]


def test_models_of_a_group_are_averaged_by_the_scores_of_texts(write_study) -> None:
    study = write_study(QUESTIONS, KEYS, VOCABULARIES, ANSWERS, {"m": MODEL})
    toml = study.root / "study.toml"
    toml.write_text(toml.read_text(encoding="utf-8") + 'group = "all"\n', encoding="utf-8")
    study = open_study(study.root)
    write_results(study, score_study(study))
    # The one model: 7/12 and 3/4, as above.
    row = rows_of(study, "model_groups")[0]
    assert (row["ned_mean"], row["char_f1_mean"]) == ("58.33", "75.00")


def test_the_bundle_of_texts_has_their_table_and_is_checked_by_the_same_rules(write_study) -> None:
    # With a token of the study's own, 甲<gone>乙 is three units, not six signs more.
    rules = '[text]\nspecial_tokens = ["<gone>"]\n'
    keys = {"q1": "甲<gone>乙"}
    answers = [("q1", "P1", 1, "甲乙"), ("q1", "P2", 2, "甲<gone>乙")]
    study = write_study(QUESTIONS[:1], keys, VOCABULARIES, answers, toml=rules)
    write_results(study, score_study(study))
    write_bundle(study, score_study(study), "key")
    released = (study.release_folder / "transcriptions.csv").read_text(encoding="utf-8")
    assert released.splitlines()[1].startswith("Human,,2,0,83.33,")
    assert verify_bundle(study.release_folder) == []
