"""Reading a study folder from its files alone and scoring everything in it by one scorer."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.answer_order import with_planned_order
from analysis.pausing import collection_paused
from analysis.question_index import read_question_index
from analysis.responses import ANSWERED, SHOWN_AT_MOST, ResponseRows, read_response_rows
from analysis.scored import ScoredStudy
from analysis.scored_predictions import ScoredModel, score_models
from analysis.scored_rows import ScoringBasis, score_columns
from sampling.definition import TextTable
from sampling.errors import Problems, StudyError
from sampling.normalization import (
    NormalizedAnswer,
    Policy,
    ScoringStatus,
    answer_identity,
    normalize_reference,
)
from sampling.plan_files import read_plan
from sampling.question_files import read_keys, read_questions
from sampling.questions import Key, Question
from sampling.study_folder import StudyFolder
from sampling.vocabularies import Vocabulary
from sampling.vocabulary_files import read_vocabularies

SHOWN_LINES = 5
KeyPair = tuple[NormalizedAnswer, NormalizedAnswer]  # read strictly and leniently


@collection_paused()
def score_study(study: StudyFolder) -> ScoredStudy:
    """Read the sample, the responses and every model's predictions, and score them.

    Raises
    ------
    StudyError
        When a file is missing or broken, a key is not in its vocabulary, a response is to a
        question outside the sample, or one participant answered a question twice.
    """
    definition = study.definition
    basis = read_basis(study)
    rows = read_response_rows(study.responses_file)
    responses = score_responses(rows, basis, study.responses_file.name)
    if study.assignment_file.is_file():
        responses = with_planned_order(responses, read_plan(study.assignment_file))
    models = _models(study, basis)
    return ScoredStudy(
        questions=basis.questions,
        responses=responses,
        predictions={model.name: model.by_condition[model.headline] for model in models},
        conditions={
            (model.name, condition): frame
            for model in models
            for condition, frame in model.by_condition.items()
        },
        repeats={model.name: model.repeats for model in models if len(model.repeats) > 1},
        warnings=(
            *rows.warnings,
            *odd_answers(responses, study.responses_file.name),
            *_other_numbers(responses, basis, definition.assignment.responses_per_question),
            *(warning for model in models for warning in model.warnings),
        ),
        vocabularies=basis.vocabularies,
        text_rules=basis.text_rules,
    )


def _models(study: StudyFolder, basis: ScoringBasis) -> tuple[ScoredModel, ...]:
    """Score the models, if there are any; only they need the ids of the whole benchmark."""
    models = study.definition.models
    if all(model.predictions is None for model in models):
        return ()
    index = read_question_index(study)
    headline = study.definition.analysis.condition
    return score_models(models, study.root, index, basis, headline)


def read_basis(study: StudyFolder) -> ScoringBasis:
    """Read the sample's questions, keys and vocabularies of a study folder."""
    _require_sample(study.questions_file, study.keys_file)
    return basis_of_files(
        study.questions_file,
        study.keys_file,
        study.vocabularies_file,
        study.definition.text,
    )


@collection_paused()
def basis_of_files(
    questions_file: Path, keys_file: Path, vocabularies_file: Path, rules: TextTable
) -> ScoringBasis:
    """Read questions, keys and vocabularies from their files."""
    keys = read_keys(keys_file)
    questions = read_questions(questions_file)
    vocabularies = read_vocabularies(vocabularies_file, keys_by_category(questions, keys))
    return build_basis(questions, keys, vocabularies, rules)


def read_questions_and_vocabularies(
    study: StudyFolder,
) -> tuple[tuple[Question, ...], dict[str, Vocabulary]]:
    """Read what is asked; the keys, where they are there, tell what a bare list of labels means.

    Raises
    ------
    StudyError
        With every category that has no vocabulary, besides what the readers find.
    """
    _require_sample(study.questions_file)
    questions = read_questions(study.questions_file)
    keys = read_keys(study.keys_file) if study.keys_file.is_file() else ()
    vocabularies = read_vocabularies(study.vocabularies_file, keys_by_category(questions, keys))
    problems = Problems()
    for category in sorted({question.category for question in questions} - set(vocabularies)):
        problems.add(study.vocabularies_file.name, f"no vocabulary for the category {category!r}")
    problems.raise_if_any()
    return questions, vocabularies


def _require_sample(*files: Path) -> None:
    """Name the files of `sample/` that are not there, and what writes them."""
    absent = [f"{file.parent.name}/{file.name}" for file in files if not file.is_file()]
    if absent:
        raise StudyError(
            *(f"{name}: not found; draw the sample with `lontar sample`" for name in absent)
        )


def keys_by_category(questions: Sequence[Question], keys: Sequence[Key]) -> dict[str, list[object]]:
    """Gather the raw keys of each category."""
    categories = {question.sample_id: question.category for question in questions}
    answers: dict[str, list[object]] = {}
    for key in keys:
        answers.setdefault(categories.get(key.sample_id, ""), []).append(key.answer)
    return answers


def build_basis(
    questions: Sequence[Question],
    keys: Sequence[Key],
    vocabularies: Mapping[str, Vocabulary],
    text_rules: TextTable,
) -> ScoringBasis:
    """Join questions with their keys and vocabularies, everything normalised and checked.

    Raises
    ------
    StudyError
        With every question without key or vocabulary, and every key that is invalid.
    """
    by_id = {key.sample_id: key.answer for key in keys}
    problems = Problems()
    known: dict[Hashable, KeyPair] = {}
    kept: list[tuple[Question, KeyPair]] = []
    for question in sorted(questions, key=lambda question: question.sample_id):
        vocabulary = vocabularies.get(question.category)
        if vocabulary is None or question.sample_id not in by_id:
            what = (
                f"no vocabulary for its category {question.category!r}"
                if vocabulary is None
                else "has no key; draw the sample again with `lontar sample`"
            )
            problems.add(f"question {question.sample_id}", what, what)
            continue
        answer = by_id[question.sample_id]
        identity = (question.category, answer_identity(answer))
        if identity not in known:
            known[identity] = (
                normalize_reference(answer, vocabulary, Policy.STRICT, text_rules),
                normalize_reference(answer, vocabulary, Policy.LENIENT, text_rules),
            )
        key = known[identity][0]
        if key.status is not ScoringStatus.VALID:
            problems.add(
                f"question {question.sample_id}",
                f"its key {answer!r} is not valid: {key.reason or 'outside the vocabulary'}",
                "invalid keys",
            )
        kept.append((question, known[identity]))
    problems.raise_if_any()
    return _basis(kept, vocabularies, text_rules)


def _basis(
    kept: Sequence[tuple[Question, KeyPair]],
    vocabularies: Mapping[str, Vocabulary],
    text_rules: TextTable,
) -> ScoringBasis:
    questions = [question for question, _ in kept]
    keys = [key.value for _, (key, _) in kept]
    of_category = [vocabularies[question.category] for question in questions]
    frame = pd.DataFrame(
        {
            field: [str(getattr(question, field)) for question in questions]
            for field in ("category", "script_name", "image_name", "question_type")
        },
        index=pd.Index([question.sample_id for question in questions], name="sample_id"),
    )
    frame["answer_format"] = [vocabulary.format.value for vocabulary in of_category]
    frame["cardinality"] = [
        "multi" if isinstance(key, tuple) and len(key) > 1 else "single" for key in keys
    ]
    frame["ground_truth"] = pd.Series(keys, index=frame.index, dtype=object)
    frame["vocabulary_size"] = [len(vocabulary.labels) for vocabulary in of_category]
    numbers: dict[Hashable, int] = {}
    kinds = [
        numbers.setdefault((question.category, key.value, lenient.value), len(numbers))
        for question, (key, lenient) in kept
    ]
    return ScoringBasis(
        questions=frame,
        vocabularies=vocabularies,
        keys=tuple(key for _, (key, _) in kept),
        lenient_keys=tuple(lenient for _, (_, lenient) in kept),
        kinds=np.array(kinds, dtype=np.int64),
        text_rules=text_rules,
    )


@collection_paused()
def score_responses(rows: ResponseRows, basis: ScoringBasis, name: str) -> pd.DataFrame:
    """Score the answered responses, sorted by question and response index.

    Raises
    ------
    StudyError
        When nothing was answered, or with every response to a question outside the sample and
        every second answer of one participant to one question.
    """
    answered = rows.frame[rows.frame["status"] == ANSWERED]
    if answered.empty:
        raise StudyError(f"{name}: no answered response; nothing can be analysed yet")
    positions = basis.questions.index.get_indexer(pd.Index(answered["sample_id"]))
    _check_answered(answered, positions, name)
    order = np.lexsort((answered["line"], answered["response_index"], positions))
    answered = answered.iloc[order].reset_index(drop=True)
    positions = positions[order].astype(np.int64)
    scored = score_columns(answered["raw_response"].to_list(), positions, basis)
    return pd.concat([answered.drop(columns="status"), scored], axis=1)


def odd_answers(responses: pd.DataFrame, name: str) -> list[str]:
    """Flag the answers that cannot be read and those with a label outside the vocabulary."""
    flags = []
    for status, what in (
        (ScoringStatus.INVALID, "cannot be read and are scored as wrong"),
        (ScoringStatus.VALID_OOV, "hold a label outside the vocabulary"),
    ):
        lines = responses["line"][responses["scoring_status"] == status.value].sort_values()
        if len(lines):
            shown = ", ".join(map(str, lines[:SHOWN_LINES])) + (
                ", ..." * (len(lines) > SHOWN_LINES)
            )
            flags.append(f"{name}: {len(lines)} answers {what} (line {shown})")
    return flags


def _other_numbers(responses: pd.DataFrame, basis: ScoringBasis, planned: int) -> list[str]:
    """Flag questions that have another number of answers than planned."""
    held = responses["sample_id"].value_counts().reindex(basis.questions.index, fill_value=0)
    other = held[held != planned].value_counts().sort_index()
    if other.empty:
        return []
    shown = ", ".join(f"{questions} with {answers}" for answers, questions in other.items())
    return [f"not every question has the {planned} answers planned: {shown}"]


def _check_answered(answered: pd.DataFrame, positions: NDArray[np.int64], name: str) -> None:
    problems = Problems()
    for index in np.flatnonzero(positions < 0)[:SHOWN_AT_MOST]:
        row = answered.iloc[index]
        problems.add(
            f"{name} line {row['line']}",
            f"question {row['sample_id']!r} is not in sample/questions.jsonl",
        )
    pairs = pd.DataFrame({"question": positions, "participant": answered["participant"].array})
    repeated = np.flatnonzero(pairs.duplicated().to_numpy() & (positions >= 0))
    for index in repeated[:SHOWN_AT_MOST]:
        row = answered.iloc[index]
        problems.add(
            f"{name} line {row['line']}",
            f"{row['participant']} answered question {row['sample_id']!r} a second time",
        )
    problems.raise_if_any()
