"""Simulated people and models are right about as often as intended, and wrong in allowed ways."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sampling.answers.normalization import ScoringStatus, normalize
from sampling.answers.vocabularies import AnswerFormat, Vocabulary
from sampling.answers.vocabulary_files import parse_vocabularies
from sampling.benchmark.question_files import write_keys, write_questions
from sampling.study.questions import Key, Question
from sampling.synthetic.answers import simulate_answer, write_simulated_predictions
from sampling.synthetic.attributes import COLLECTIONS, invent_folios
from sampling.synthetic.benchmark import write_vocabularies
from sampling.synthetic.keys import ASKED, key_of
from sampling.synthetic.vocabulary import VOCABULARIES

VOCABULARY = parse_vocabularies(VOCABULARIES, {})
PAIRS = [
    (
        Question(f"{folio.name}__{asked.question_id}", f"{folio.name}.jpg", asked.category, "?"),
        Key(
            f"{folio.name}__{asked.question_id}",
            tuple(key) if isinstance(key := key_of(folio, asked.category), list) else key,
        ),
    )
    for collection in COLLECTIONS
    for folio in invent_folios("test", collection, [f"{collection}_{n}" for n in range(4)])
    for asked in ASKED
]
TEXT = Vocabulary("Label", AnswerFormat.TEXT)


def share_right(skill: float) -> float:
    right = [
        simulate_answer(question, key, VOCABULARY[question.category], skill, "s") == key.answer
        for question, key in PAIRS
    ]
    return sum(right) / len(right)


def test_a_sure_person_gives_every_key_and_a_hopeless_one_none() -> None:
    assert share_right(1.0) == 1
    assert share_right(0.0) == 0


def test_skill_decides_how_often_the_key_is_given() -> None:
    # 256 answers at a chance near the skill: the spread is about 0.02.
    assert 0.80 < share_right(0.87) < 0.94
    assert share_right(0.5) < share_right(0.7) < share_right(0.95)


def test_eight_people_like_the_demonstrations_are_right_about_as_often_as_experts() -> None:
    skills = (0.96, 0.94, 0.93, 0.91, 0.89, 0.87, 0.84, 0.78)
    assert 0.85 < sum(map(share_right, skills)) / len(skills) < 0.90


def test_wrong_answers_are_ones_that_a_participant_may_give() -> None:
    for question, key in PAIRS:
        vocabulary = VOCABULARY[question.category]
        answer = simulate_answer(question, key, vocabulary, 0.0, "s")
        raw = list(answer) if isinstance(answer, tuple) else answer
        found = normalize(raw, vocabulary)
        assert found.status is ScoringStatus.VALID
        assert found.note is None
        assert answer != key.answer


def test_what_one_reads_as_tamil_another_reads_as_kambaramayanam() -> None:
    question = Question("q", "leaf.jpg", "Script Name", "?")
    taken_for = {
        simulate_answer(
            question, Key("q", "Kambaramayanam"), VOCABULARY["Script Name"], 0.0, f"{n}"
        )
        for n in range(60)
    }
    assert taken_for == {"Tamil", "Grantha"}


@pytest.mark.parametrize("right", [0, 1, 40])
def test_a_miscount_stays_within_bounds(right: int) -> None:
    question = Question("q", "leaf.jpg", "Visible Line Count", "?")
    counted = {
        simulate_answer(question, Key("q", right), VOCABULARY["Visible Line Count"], 0.0, f"{n}")
        for n in range(60)
    }
    assert right not in counted
    assert counted <= set(range(41))


@pytest.mark.parametrize("text", ["MS 64", "ᨀᨁ", "山"])
def test_a_misread_text_is_another_text(text: str) -> None:
    question = Question("q", "leaf.jpg", "Label", "?")
    for n in range(40):
        assert simulate_answer(question, Key("q", text), TEXT, 0.0, f"{n}") not in (text, "")


def test_the_same_seed_gives_the_same_answer_and_people_differ() -> None:
    question, key = PAIRS[1]
    vocabulary = VOCABULARY[question.category]
    by_seed = [simulate_answer(question, key, vocabulary, 0.5, f"P{n}") for n in range(20)]
    again = [simulate_answer(question, key, vocabulary, 0.5, f"P{n}") for n in range(20)]
    assert by_seed == again
    assert len(set(by_seed)) > 1


@pytest.fixture(scope="module")
def predictions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, object]]]:
    """The rows of both simulated models, by file name."""
    folder = tmp_path_factory.mktemp("models")
    write_questions(folder / "sample" / "questions.jsonl", [question for question, _ in PAIRS])
    write_keys(folder / "sample" / "keys.jsonl", [key for _, key in PAIRS])
    write_vocabularies(folder / "benchmark" / "answer_vocabularies.json", VOCABULARIES)
    write_simulated_predictions(folder, "test")
    return {
        path.name: [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        for path in sorted(Path(folder / "predictions").iterdir())
    }


def test_two_models_answer_every_question_in_both_conditions_and_say_they_are_simulated(
    predictions: dict[str, list[dict[str, object]]],
) -> None:
    assert list(predictions) == ["simulated-model-a.jsonl", "simulated-model-b.jsonl"]
    for rows in predictions.values():
        assert len({(row["sample_id"], row["prompt_condition"]) for row in rows}) == 2 * 256
        assert {row["prompt_condition"] for row in rows} == {"constrained", "open"}
        assert all(row["simulated"] is True for row in rows)


def test_one_model_wraps_its_answers_the_other_writes_them_plainly(
    predictions: dict[str, list[dict[str, object]]],
) -> None:
    wrapped = [str(row["raw_prediction"]) for row in predictions["simulated-model-a.jsonl"]]
    plain = [str(row["raw_prediction"]) for row in predictions["simulated-model-b.jsonl"]]
    assert sum(text.startswith('{"answer": ') for text in wrapped) > 480
    assert not any(text.startswith("{") for text in plain)


def test_the_better_model_is_better_and_both_give_some_unusable_outputs(
    predictions: dict[str, list[dict[str, object]]],
) -> None:
    keys = {key.sample_id: key.answer for _, key in PAIRS}
    category = {question.sample_id: question.category for question, _ in PAIRS}
    right: dict[str, int] = {}
    unusable: dict[str, int] = {}
    for name, rows in predictions.items():
        headline = [row for row in rows if row["prompt_condition"] == "constrained"]
        found = {
            str(row["sample_id"]): normalize(
                row["raw_prediction"], VOCABULARY[category[str(row["sample_id"])]]
            ).value
            for row in headline
        }
        right[name] = sum(
            value == (tuple(sorted(key)) if isinstance(key := keys[sample_id], tuple) else key)
            for sample_id, value in found.items()
        )
        unusable[name] = sum(value is None for value in found.values())
    a, b = right["simulated-model-a.jsonl"], right["simulated-model-b.jsonl"]
    # Skills 0.66 and 0.52 of 256 questions.
    assert 145 < a < 190
    assert 105 < b < 155
    assert a > b
    assert all(count > 0 for count in unusable.values())
