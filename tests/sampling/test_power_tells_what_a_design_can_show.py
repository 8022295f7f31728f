from __future__ import annotations

from dataclasses import replace
from math import sqrt

import pytest

from sampling.answers.vocabularies import AnswerFormat, Vocabulary
from sampling.draw.power import (
    Assumptions,
    PowerDesign,
    exact_match,
    f1_score,
    more_of_each,
    precision,
    questions_needed,
    within_one,
)
from sampling.draw.power_study import power_text, study_power
from sampling.study.questions import Question

PAPER = PowerDesign(256, 3, 8)
# People .875, model .5859, correlation .53 within questions: the middle of the published range.
MIDDLE = Assumptions(human=0.875, model=0.5859, icc=0.528, participant_sd=0.025, shared=0.23)


@pytest.mark.parametrize(("icc", "points"), [(0.36, 3.07), (0.528, 3.35), (0.863, 3.86)])
def test_the_width_for_new_questions_is_the_published_one(icc: float, points: float) -> None:
    # sqrt(.875 x .125 x (icc + (1 - icc) / 3) / 256) x 1.96 = 3.07, 3.35, 3.86 points; Student's
    # t with 255 degrees of freedom is 0.5 % wider than 1.96.
    found = precision(exact_match(replace(MIDDLE, icc=icc)), "all", PAPER, replace(MIDDLE, icc=icc))
    assert found.human_questions is not None
    assert 100 * found.human_questions * 1.96 / 1.9693 == pytest.approx(points, abs=0.015)


def test_new_people_widen_it_as_simulated() -> None:
    # Simulation of 1,500 studies: truth +-3.75 (EM) and +-6.3 to 6.5 (gap) with people differing
    # by 2.5 points; the formula's t makes it a little wider.
    found = precision(exact_match(MIDDLE), "all", PAPER, MIDDLE)
    assert found.human_people is not None
    assert found.gap_people is not None
    assert 100 * found.human_people == pytest.approx(3.85, abs=0.1)
    assert 100 * found.gap_people == pytest.approx(6.5, abs=0.2)


def test_the_detectable_gap_is_7_to_8_points_over_all_and_20_to_26_in_a_category() -> None:
    over_all = precision(exact_match(MIDDLE), "all", PAPER, MIDDLE).detectable_questions
    category = precision(
        exact_match(MIDDLE), "c", replace(PAPER, questions=32), MIDDLE
    ).detectable_questions
    # A model 7.5 points below .875: sqrt(1.71² + 100² x .8 x .2 / 256 - shared) = 2.7 points of
    # standard error, times 2.8. At the model's own .5859 it varies more, but is 29 points away.
    assert over_all is not None
    assert category is not None
    assert 0.07 < over_all < 0.08
    assert 0.20 < category < 0.26


def test_counts_detect_18_to_22_points() -> None:
    found = precision(within_one(MIDDLE), "w1", replace(PAPER, questions=32), MIDDLE)
    assert found.detectable_questions is not None
    # At the assumed scores' own variance it would be 14.4, which 47 % of such studies find.
    assert 0.18 < found.detectable_questions < 0.22


def test_more_questions_buy_more_than_more_answers() -> None:
    designs = {
        (one.questions, one.responses, one.people): precision(exact_match(MIDDLE), "", one, MIDDLE)
        for one in more_of_each(PAPER)
    }
    # Half-widths of EM at K = 1, 3, 5: 4.05, 3.35, 3.20 points; twice the questions: / sqrt(2).
    widths = {key: 100 * (one.human_questions or 0) for key, one in designs.items()}
    assert widths[256, 1, 8] == pytest.approx(4.07, abs=0.02)
    assert widths[256, 5, 8] == pytest.approx(3.21, abs=0.02)
    assert widths[512, 3, 8] == pytest.approx(widths[256, 3, 8] / sqrt(2), rel=0.01)
    assert designs[256, 3, 16].human_people < designs[256, 3, 8].human_people


def test_people_set_a_floor_that_questions_cannot_break() -> None:
    differ = replace(MIDDLE, participant_sd=0.05)
    score = exact_match(differ)
    # 2.8 x .05 / sqrt(8) = 4.95 points: no number of questions detects 3.
    assert questions_needed(0.03, score, PAPER, differ, with_people=True) is None
    assert questions_needed(0.03, score, PAPER, differ, with_people=False) is not None


def test_the_questions_needed_detect_the_gap() -> None:
    for with_people in (False, True):
        needed = questions_needed(0.05, exact_match(MIDDLE), PAPER, MIDDLE, with_people)
        assert needed is not None
        found = precision(exact_match(MIDDLE), "", replace(PAPER, questions=needed), MIDDLE)
        gap = found.detectable_people if with_people else found.detectable_questions
        assert gap == pytest.approx(0.05, abs=1e-4)


def test_partial_credit_makes_f1_higher_and_less_variable() -> None:
    assumed = Assumptions()
    f1, em = f1_score(assumed, 0.5), exact_match(assumed)
    assert f1.human > em.human
    assert f1.human_variance < em.human_variance
    # Without questions of several labels F1 is exact match.
    assert f1_score(assumed, 0.0).human_variance == pytest.approx(em.human_variance)


def test_one_question_or_one_person_gives_no_interval() -> None:
    alone = precision(exact_match(MIDDLE), "", PowerDesign(1, 3, 8), MIDDLE)
    assert alone.human_questions is None
    single = precision(exact_match(MIDDLE), "", PowerDesign(256, 1, 1), MIDDLE)
    assert single.human_people is None
    assert single.human_questions is not None


def test_a_text_study_is_measured_by_its_edit_similarity() -> None:
    questions = [Question(f"q{n}", "i", "Reading", "?") for n in range(50)]
    vocabularies = {"Reading": Vocabulary("Reading", AnswerFormat.TEXT)}
    found = study_power(questions, vocabularies, 2, 4, Assumptions())
    assert [(one.metric, one.group) for one in found.own] == [("ned", "all"), ("ned", "Reading")]
    assert "ned     all" in power_text(found)


def test_no_design_has_more_answers_to_a_question_than_people() -> None:
    shown = {one.responses for one in more_of_each(PowerDesign(20, 2, 4))}
    assert shown == {1, 2, 3}
