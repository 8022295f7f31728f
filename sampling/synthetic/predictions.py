"""Two simulated models: outputs of differing quality in the shapes that real runs leave behind."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sampling.answers.vocabularies import AnswerFormat, Vocabulary
from sampling.answers.vocabulary_files import read_vocabularies
from sampling.benchmark.question_files import read_keys, read_questions, write_json_lines
from sampling.study.keyed import digest
from sampling.study.questions import Key, Question
from sampling.synthetic.answers import Answer, simulate_answer

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
