"""A study of texts: NED and character F1, media weighing the same, agreement by similarity."""

from __future__ import annotations

import csv
from fractions import Fraction

import pytest

from analysis.exact_agreement import category_agreement
from analysis.results import write_results
from analysis.scored_study import score_study
from analysis.table11 import build_table11

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
