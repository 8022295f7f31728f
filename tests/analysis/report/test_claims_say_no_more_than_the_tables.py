"""What the report says in words is what the tables hold, and where nothing is known it says so."""

from __future__ import annotations

import re

from analysis.report.blocks import table_of
from analysis.report.claims import (
    claim_sentence,
    difference_claims,
    same_width_note,
    score_claims,
    score_intervals,
)
from analysis.report.page import lead_sentence, write_report
from analysis.scoring.study import score_study

HUMAN = {
    "evaluator": "Human",
    "em": "87.50",
    "em_t2_low": "84.94",
    "em_t2_high": "90.06",
    "em_t3_low": "",
    "em_t3_high": "",
    "w1": "96.88",
}


def test_people_have_a_claim_with_the_intervals_there_are() -> None:
    assert score_claims([HUMAN], "95 %") == [
        "People, exact match: 87.50 %, 95 % interval 84.94 to 90.06 (new questions)."
    ]


def test_only_scores_with_an_interval_are_listed_with_one() -> None:
    (row,) = score_intervals([HUMAN])
    assert (row["metric"], row["score"], row["t2_low"]) == ("exact match", "87.50", "84.94")


def test_a_gap_below_zero_has_minus_signs() -> None:
    row = {"model": "M", "metric": "em", "gap": "-1.17", "statement": "no claim: one question"}
    row |= {"t2_low": "-9.00", "t2_high": "6.66", "t3_low": "", "t3_high": ""}
    assert claim_sentence(row, "95 %") == (
        "M, exact match: gap −1.17 points, 95 % interval −9.00 to 6.66 (new questions). "
        "No claim: one question."
    )


def test_few_models_are_compared_in_words_and_many_in_the_table_alone() -> None:
    row = {"model_a": "A", "model_b": "B", "metric": "em", "difference": "-1.17"}
    row["statement"] = "no difference shown between A and B: the interval covers zero"
    (claim,) = difference_claims([row])
    assert claim == (
        "A and B, exact match: difference −1.17 points. No difference shown between A and B: "
        "the interval covers zero."
    )
    assert difference_claims([row] * 10) == []


def test_a_variance_of_zero_is_explained_with_what_does_not_rest_on_it(tmp_path) -> None:
    (tmp_path / "variance_components.csv").write_text(
        "metric,component,value\nem,participant,0.000000\nf1,participant,0.002500\n", "utf-8"
    )
    (tmp_path / "intervals.csv").write_text(
        "evaluator,metric,target,low,high,method,headline\n"
        "Human,em,T3,84.94,90.06,crossed,yes\nHuman,em,T3,83.27,91.28,product bootstrap,no\n",
        "utf-8",
    )
    (note,) = same_width_note(tmp_path)
    assert note.startswith("In exact match, people differed no more than chance")
    assert note.endswith("83.27 to 91.28 (product bootstrap).")
    (tmp_path / "variance_components.csv").write_text(
        "metric,component,value\nem,participant,\n", "utf-8"
    )
    assert same_width_note(tmp_path) == []


def test_the_ends_of_an_interval_stand_in_one_cell() -> None:
    (table,) = table_of("c", [{"model": "M", "low": "-4.07", "high": "16.57", "reason": ""}])
    assert list(table.columns) == [("model", "model"), ("low", "interval")]
    assert table.rows[0]["low"] == "−4.07 to 16.57"
    (table,) = table_of("c", [{"model": "M", "low": "", "high": "", "reason": "one question"}])
    assert [heading for _, heading in table.columns] == ["model", "reason"]


def test_a_study_without_models_has_no_section_of_gaps(finished) -> None:
    study, scored = finished
    text = write_report(study, scored).read_text(encoding="utf-8")
    assert '<section id="gaps">' not in text
    assert "detectable gap" not in text.casefold()


def test_the_checklist_is_printed_and_no_other_long_table(finished) -> None:
    study, scored = finished
    text = write_report(study, scored).read_text(encoding="utf-8")
    summaries = re.findall(r"<details( class=\"long\")?>\s*<summary>([^<]*)", text)
    assert ("", "Every question and its answer (70 rows, checklist.md)") in summaries
    for long, summary in summaries:
        rows = int(re.search(r"\((\d+) row", summary)[1])
        assert bool(long) == (rows > 16 and "checklist" not in summary), summary


def test_the_first_sentence_counts_the_questions_that_were_answered(write_study) -> None:
    questions = [{"sample_id": name, "category": "Script"} for name in ("q1", "q2")]
    keys = dict.fromkeys(("q1", "q2"), "Khmer")
    vocabulary = {"Script": {"format": "single", "labels": ["Khmer", "Tamil"]}}
    answers = [("q1", "P1", 1, "Khmer")]
    scored = score_study(write_study(questions, keys, vocabulary, answers))
    assert lead_sentence(scored) == (
        "1 response by 1 person to 1 of the 2 questions about 2 images, beside 0 models on the "
        "same questions."
    )
