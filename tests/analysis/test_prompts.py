"""Prompts hold the same questions, rules and labels that people have."""

from __future__ import annotations

import json

import pytest

from analysis.predictions.prompts import (
    MARKS,
    constrained_prompts,
    image_prompts,
    open_prompts,
    rule,
)
from sampling.answers.vocabularies import AnswerFormat, Vocabulary
from sampling.study.definition import TextTable
from sampling.study.errors import StudyError
from sampling.study.questions import Question

VOCABULARIES = {
    "Script": Vocabulary(
        "Script", AnswerFormat.SINGLE, ("Khmer", "Tamil"), help={"Khmer": "round"}
    ),
    "Damage": Vocabulary(
        "Damage", AnswerFormat.MULTI, ("intact", "cracks"), exclusive=frozenset({"intact"})
    ),
    "Lines": Vocabulary("Lines", AnswerFormat.COUNT, maximum=40),
    "Drawing": Vocabulary("Drawing", AnswerFormat.BINARY, ("yes", "no")),
    "Text": Vocabulary("Text", AnswerFormat.TEXT),
}
QUESTIONS = [
    Question(f"Secret_1__{number}", "Leaf.jpg", category, f"Ask {category}?", question_id=number)
    for number, category in enumerate(VOCABULARIES, start=1)
]


def test_an_open_prompt_names_no_label_and_no_id() -> None:
    for row in open_prompts(QUESTIONS, VOCABULARIES):
        assert "Khmer" not in row["prompt"]
        assert "Secret_1" not in row["prompt"]
        assert list(row) == ["sample_id", "image", "prompt", "schema"]


def test_a_constrained_prompt_gives_the_rule_of_its_format() -> None:
    by_id = {row["sample_id"][-1]: row for row in constrained_prompts(QUESTIONS, VOCABULARIES)}
    assert (
        "exactly one of these labels, as it is written:\n- Khmer: round\n- Tamil"
        in by_id["1"]["prompt"]
    )
    assert "every label that applies, separated by commas" in by_id["2"]["prompt"]
    assert "stands alone: intact" in by_id["2"]["prompt"]
    assert "one whole number from 0 to 40, without text" in by_id["3"]["prompt"]
    assert "only yes or no" in by_id["4"]["prompt"]
    assert "transcribe or translate" not in by_id["5"]["prompt"]
    answers = [row["schema"]["properties"]["answer"] for row in by_id.values()]
    assert answers == [
        {"type": "string", "enum": ["Khmer", "Tamil"]},
        {"type": "string"},
        {"type": "integer", "minimum": 0, "maximum": 40},
        {"type": "string", "enum": ["yes", "no"]},
        {"type": "string"},
    ]


def test_the_note_that_people_read_about_a_category_is_given_to_models_too() -> None:
    noted = Vocabulary("Holes", AnswerFormat.BINARY, ("yes", "no"), help={"": "Cord counts"})
    assert rule(noted) == "Answer only yes or no.\nNote: Cord counts"


def test_labels_with_a_comma_are_asked_for_as_a_list() -> None:
    commas = Vocabulary("Ink", AnswerFormat.MULTI, ("faded, uneven", "dark"))
    assert "as a JSON list" in rule(commas)
    (row,) = constrained_prompts([Question("q", "a.jpg", "Ink", "?")], {"Ink": commas})
    assert row["schema"]["properties"]["answer"]["type"] == "array"


def test_one_call_an_image_holds_all_its_questions_and_a_schema_of_their_ids() -> None:
    (row,) = image_prompts(QUESTIONS, VOCABULARIES, constrained=True)
    assert row["sample_id"] == [question.sample_id for question in QUESTIONS]
    assert row["question_id"] == ["1", "2", "3", "4", "5"]
    assert all(f"Question {number}: Ask" in row["prompt"] for number in range(1, 6))
    answers = row["schema"]["properties"]["answers"]
    assert (answers["minItems"], answers["maxItems"]) == (5, 5)
    assert answers["items"]["properties"]["question_id"]["enum"] == row["question_id"]
    assert json.dumps(row)
    (open_row,) = image_prompts(QUESTIONS, VOCABULARIES, constrained=False)
    assert "Khmer" not in open_row["prompt"]


def test_images_whose_questions_share_an_id_are_refused() -> None:
    twins = [Question(f"q{number}", "a.jpg", "Lines", "?", question_id=1) for number in (1, 2)]
    with pytest.raises(StudyError, match=r"1 image \(a.jpg\): .* without --per-image"):
        image_prompts(twins, VOCABULARIES, constrained=True)


def test_a_model_is_told_the_marks_that_people_may_insert() -> None:
    told = rule(VOCABULARIES["Text"], ("□", "<note></note>", "@"))
    assert "columns from the right-hand one to the left" in told
    assert "- □ for each sign that is too damaged to read" in told
    assert "- <note></note> round notes in the margins" in told
    # Nobody knows what a mark of one's own means, and those that are not offered stay unsaid.
    assert "@" not in told
    assert "<unrecognizable>" not in told


def test_every_mark_of_the_page_has_a_meaning_for_models() -> None:
    assert set(TextTable().palette) == set(MARKS)
