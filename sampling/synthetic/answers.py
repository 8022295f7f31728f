"""Simulated answers: right as often as a skill allows, otherwise wrong as people are wrong.

Two simulated models: outputs of differing quality in the shapes that real runs leave behind.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sampling.answers.vocabularies import AnswerFormat, Vocabulary
from sampling.answers.vocabulary_files import read_vocabularies
from sampling.benchmark.question_files import read_keys, read_questions, write_json_lines
from sampling.study.keyed import digest, shuffled
from sampling.study.questions import Key, Question

Answer = str | int | tuple[str, ...]

# How much easier or harder than choosing one label, in log odds.
EASE = {
    AnswerFormat.SINGLE: 0.5,
    AnswerFormat.BINARY: 0.7,
    AnswerFormat.COUNT: 0.1,
    AnswerFormat.MULTI: -0.2,
    AnswerFormat.TEXT: -0.2,
}
# Questions differ too, for everybody alike: log odds up to this much either way.
QUESTION_SPREAD = 1.4

# Labels that people take for one another.
LOOKALIKES = {
    "Kambaramayanam": ("Tamil", "Tamil", "Grantha"),
    "Tamil": ("Kambaramayanam", "Kambaramayanam", "Grantha"),
    "Grantha": ("Tamil", "Jathakam"),
    "Jathakam": ("Grantha", "Kannada"),
    "Kannada": ("Jathakam", "Grantha"),
    "Balinese": ("Sundanese", "Khmer"),
    "Sundanese": ("Balinese",),
    "Khmer": ("Balinese",),
    "one hole": ("two holes", "no hole"),
    "two holes": ("one hole", "three or more holes"),
    "three or more holes": ("two holes",),
    "cracks": ("scratches", "edge damage"),
    "scratches": ("cracks",),
    "missing fragment": ("edge damage",),
    "edge damage": ("missing fragment", "insect damage"),
    "incised and inked": ("surface inked",),
    "surface inked": ("incised and inked",),
    "plain leaf": ("oiled or varnished",),
    "oiled or varnished": ("plain leaf",),
}


def simulate_answer(
    question: Question, key: Key, vocabulary: Vocabulary, skill: float, seed: str
) -> Answer:
    """Answer a question as a person of some skill would.

    Parameters
    ----------
    question, key, vocabulary : what is asked, what there is to see, and what may be answered
    skill : the chance from 0 to 1 of a right answer to an average question
    seed : names the person and the study; the same seed gives the same answer

    Returns
    -------
    A label, a number, a tuple of labels or a text, as the format wants it. A vocabulary of one
    label leaves no way to be wrong.

    Examples
    --------
    >>> question = Question("q1", "leaf.jpg", "Lines", "How many lines?")
    >>> lines = Vocabulary("Lines", AnswerFormat.COUNT, maximum=40)
    >>> simulate_answer(question, Key("q1", 5), lines, 1.0, "seed P01")
    5
    >>> simulate_answer(question, Key("q1", 5), lines, 0.0, "seed P01") in (3, 7)
    True
    """
    chance = _unit("right", seed, key.sample_id)
    if chance < chance_of_right(question, vocabulary, skill):
        return key.answer
    name = (seed, "wrong", key.sample_id)
    match key.answer:
        case int(number):
            return _miscounted(number, vocabulary, skill, name)
        case tuple(labels):
            return _missed_or_added(labels, vocabulary, name)
        case text if vocabulary.format is AnswerFormat.TEXT:
            return _misread(text, name)
        case label:
            return _mistaken(label, vocabulary, name)


def chance_of_right(question: Question, vocabulary: Vocabulary, skill: float) -> float:
    """Give the chance of a right answer: skill, format and question added in log odds."""
    if skill <= 0 or skill >= 1:
        return skill
    spread = QUESTION_SPREAD * (2 * _unit("hardness", question.sample_id) - 1)
    return 1 / (1 + math.exp(-(math.log(skill / (1 - skill)) + EASE[vocabulary.format] + spread)))


def _mistaken(label: str, vocabulary: Vocabulary, name: tuple[str, ...]) -> str:
    """Take a label for one that looks like it, else for any other."""
    others = [other for other in LOOKALIKES.get(label, ()) if other in vocabulary.labels]
    others = others or [other for other in vocabulary.labels if other != label]
    return shuffled(others, *name)[0] if others else label


def _missed_or_added(
    labels: tuple[str, ...], vocabulary: Vocabulary, name: tuple[str, ...]
) -> tuple[str, ...]:
    """Overlook a label, see one too many, or take one for another."""
    exclusive = vocabulary.exclusive
    spare = [other for other in vocabulary.labels if other not in labels and other not in exclusive]
    if set(labels) & exclusive:
        return tuple(shuffled(spare, *name)[:1]) or labels
    alike = [
        (label, other) for label in labels for other in LOOKALIKES.get(label, ()) if other in spare
    ]
    turn = _unit("how", *name)
    if len(labels) > 1 and turn < 0.45:
        lost = shuffled(labels, *name)[0]
        return tuple(label for label in labels if label != lost)
    if alike and turn < 0.75:
        lost, seen = shuffled(alike, *name)[0]
        return _in_order({*labels, seen} - {lost}, vocabulary)
    if spare:
        return _in_order({*labels, shuffled(spare, *name)[0]}, vocabulary)
    return labels[1:] or labels


def _in_order(labels: set[str], vocabulary: Vocabulary) -> tuple[str, ...]:
    return tuple(label for label in vocabulary.labels if label in labels)


def _miscounted(number: int, vocabulary: Vocabulary, skill: float, name: tuple[str, ...]) -> int:
    """Count one too many or too few, or two: the less skill, the more often two."""
    step = 1 if _unit("step", *name) < skill else 2
    wrong = number + (step if _unit("way", *name) < 0.5 else -step)
    top = vocabulary.maximum
    if wrong < vocabulary.minimum or (top is not None and wrong > top):
        return 2 * number - wrong
    return wrong


def _misread(text: str, name: tuple[str, ...]) -> str:
    """Leave a character out, double it, or take it for its neighbour."""
    if len(text) < 2:
        return "?"
    place = int(_unit("place", *name) * (len(text) - 1))
    how = _unit("slip", *name)
    if how < 0.4:
        return text[:place] + text[place + 1 :]
    if how < 0.7:
        return text[: place + 1] + text[place:]
    return text[:place] + text[place + 1] + text[place + 1 :]


def _unit(*name: str) -> float:
    """Give a number from 0 up to 1 that follows from a name."""
    return int.from_bytes(digest("simulated answer", *name)[:8], "big") / float(1 << 64)


CONSTRAINED, OPEN = "constrained", "open"
REFUSALS = (
    "I'm sorry, but I can't help with identifying this.",
    "",
    "The image is too unclear to tell.",
    "unknown",
)
HEDGES = ("It might be {answer}, but I am not certain.", "Possibly {answer}.")


@dataclass(frozen=True)
class SimulatedModel:
    """A made-up model: its skill, how often it gives no usable answer, and how it writes.

    `wrapped` outputs are JSON such as `{"answer": ["cracks"]}`; others plain text.
    """

    name: str
    file_name: str
    skill: float
    unusable: float
    wrapped: bool


MODELS = (
    SimulatedModel("Simulated model A", "simulated-model-a.jsonl", 0.66, 0.02, wrapped=True),
    SimulatedModel("Simulated model B", "simulated-model-b.jsonl", 0.52, 0.05, wrapped=False),
)


def write_simulated_predictions(folder: Path, seed: str) -> None:
    """Write the outputs of two simulated models for a study's sample into `predictions/`.

    Reads `sample/questions.jsonl`, `sample/keys.jsonl` and the benchmark's vocabularies. Each
    row says `"simulated": true`. Both prompt conditions are there; in the open one, which shows
    no choices, the models do worse.
    """
    questions = read_questions(folder / "sample" / "questions.jsonl")
    keys = {key.sample_id: key for key in read_keys(folder / "sample" / "keys.jsonl")}
    vocabularies = read_vocabularies(folder / "benchmark" / "answer_vocabularies.json")
    for model in MODELS:
        write_json_lines(
            folder / "predictions" / model.file_name,
            simulated_predictions(model, questions, keys, vocabularies, seed),
        )


def simulated_predictions(
    model: SimulatedModel,
    questions: Sequence[Question],
    keys: Mapping[str, Key],
    vocabularies: Mapping[str, Vocabulary],
    seed: str,
) -> list[dict[str, Any]]:
    """Give a model's rows: `sample_id, model_name, prompt_condition, raw_prediction, simulated`."""
    return [
        {
            "sample_id": question.sample_id,
            "model_name": model.name,
            "prompt_condition": condition,
            "raw_prediction": _output(
                model,
                question,
                keys[question.sample_id],
                vocabularies[question.category],
                condition,
                seed,
            ),
            "simulated": True,
        }
        for condition in (CONSTRAINED, OPEN)
        for question in questions
    ]


def _output(
    model: SimulatedModel,
    question: Question,
    key: Key,
    vocabulary: Vocabulary,
    condition: str,
    seed: str,
) -> str:
    """Answer as the model would write it down."""
    own_seed = f"{seed} {model.name} {condition}"
    skill = model.skill if condition == CONSTRAINED else 0.7 * model.skill
    answer = simulate_answer(question, key, vocabulary, skill, own_seed)
    chosen = digest("output", own_seed, key.sample_id)
    if chosen[0] < 256 * model.unusable:
        return _unusable(answer, vocabulary, chosen[1])
    if model.wrapped:
        listed = list(answer) if isinstance(answer, tuple) else str(answer)
        return json.dumps({"answer": listed}, ensure_ascii=False)
    return ", ".join(answer) if isinstance(answer, tuple) else str(answer)


def _unusable(answer: Answer, vocabulary: Vocabulary, turn: int) -> str:
    """Refuse, give a range where one number is wanted, or hedge."""
    if turn % 2 == 0:
        return REFUSALS[turn // 2 % len(REFUSALS)]
    if vocabulary.format is AnswerFormat.COUNT:
        return f"{answer}-{int(str(answer)) + 1}"
    said = ", ".join(answer) if isinstance(answer, tuple) else str(answer)
    return HEDGES[turn // 2 % len(HEDGES)].format(answer=said)
