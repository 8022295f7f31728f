"""What scoring does, by digest; texts agree as they are scored; a model's reasoning is told."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from analysis.scoring import exact, scored, scores
from analysis.scoring.study import score_study
from analysis.table11 import run_record, table11
from analysis.table11.pair_agreement import category_agreement
from analysis.table11.run_record import scores_digest
from sampling.record.scoring_code import FIRST_SCORES

WriteStudy = Callable[..., Any]


def test_scores_are_those_of_version_0_1_0() -> None:
    assert scores_digest() == FIRST_SCORES


@pytest.mark.parametrize(
    ("module", "name", "wrong"),
    [
        (run_record, "percent_or_empty", lambda fraction: f"{float(fraction or 0):.2f}"),
        (scored, "score_transcription", lambda *_: scores.NOTHING),
        (scored, "score", lambda *_: scores.score_sets(frozenset("a"), frozenset("a"))),
        (table11, "exact_mean", lambda _: Fraction(1, 2)),
        (table11, "exact_mean_of_groups", lambda *_: Fraction(1, 2)),
        (table11, "exact_question_means", lambda *_: {"all": Fraction(1, 2)}),
        (table11, "macro_agreement", lambda _: Fraction(1, 2)),
        (run_record, "exact_mean", lambda _: exact.exact_fraction(0.5)),
    ],
)
def test_every_measure_rounding_and_average_is_in_the_digest(
    monkeypatch: pytest.MonkeyPatch, module: Any, name: str, wrong: Callable[..., Any]
) -> None:
    monkeypatch.setattr(module, name, wrong)
    assert scores_digest.__wrapped__() != FIRST_SCORES


TEXT_QUESTION = [{"sample_id": "q1", "category": "Stele"}]
TEXT_FORMAT = {"Stele": {"format": "text"}}


def test_canonically_equivalent_texts_agree_as_they_score(write_study: WriteStudy) -> None:
    answers = [("q1", "Anna", 1, "e\u0301a\u200bn"), ("q1", "Budi", 2, "\u00e9an")]
    study = write_study(TEXT_QUESTION, {"q1": "\u00e9 an"}, TEXT_FORMAT, answers)
    read = score_study(study)
    assert read.responses["ned"].to_list() == [1.0, 1.0]
    assert read.responses["normalized"].nunique() == 1
    (agreement,) = category_agreement(read)
    assert (agreement.exact, agreement.similarity) == (1, 1)


def test_equivalents_differ_in_both_where_the_study_compares_code_points(
    write_study: WriteStudy,
) -> None:
    answers = [("q1", "Anna", 1, "e\u0301"), ("q1", "Budi", 2, "\u00e9")]
    toml = "[text]\ncanonical_equivalence = false\n"
    study = write_study(TEXT_QUESTION, {"q1": "\u00e9"}, TEXT_FORMAT, answers, toml=toml)
    read = score_study(study)
    assert read.responses["ned"].to_list() == [0.0, 1.0]
    (agreement,) = category_agreement(read)
    assert (agreement.exact, agreement.similarity) == (0, 0)


def test_a_models_reasoning_is_told_and_so_is_one_that_was_cut_off(write_study: WriteStudy) -> None:
    ids = ["q1", "q2", "q3", "q4"]
    questions = [{"sample_id": one, "category": "Script"} for one in ids]
    given = ["<think>Tamil?</think>Khmer", "<think>Tamil, or", "Khmer", "<think>a</think>Tamil"]
    rows = [{"sample_id": one, "prediction": raw} for one, raw in zip(ids, given, strict=True)]
    parts = (questions, dict.fromkeys(ids, "Khmer"), {"Script": ["Khmer", "Tamil"]})
    people = [(one, "Anna", 1, "Khmer") for one in ids]
    read = score_study(write_study(*parts, people, {"m": rows}))
    assert read.predictions["m"]["exact_match"].to_list() == [1.0, 0.0, 1.0, 0.0]
    said = [one for one in read.warnings if "reasoning" in one]
    assert any("was taken off 2 answers of 4" in one for one in said), said
    assert any("1 answer ends within the reasoning, of 4" in one for one in said), said
