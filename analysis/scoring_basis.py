"""Questions, keys and vocabularies read together: what every answer is scored against."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis.scored_rows import ScoringBasis
from sampling.definition import TextTable
from sampling.errors import Problems, StudyError
from sampling.key_checks import key_fault
from sampling.normalization import (
    NormalizedAnswer,
    Policy,
    ScoringStatus,
    answer_identity,
    normalize_reference,
)
from sampling.pausing import collection_paused
from sampling.question_files import read_keys, read_questions
from sampling.questions import Key, Question
from sampling.study_folder import StudyFolder
from sampling.vocabularies import Vocabulary
from sampling.vocabulary_files import read_vocabularies


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
    answers: defaultdict[str, list[object]] = defaultdict(list)
    for key in keys:
        answers[categories.get(key.sample_id, "")].append(key.answer)
    return dict(answers)


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
    known: dict[Hashable, _Reference] = {}
    asked: list[Question] = []
    references: list[_Reference] = []
    for question in sorted(questions, key=attrgetter("sample_id")):
        vocabulary = vocabularies.get(question.category)
        answer = by_id.get(question.sample_id)
        if vocabulary is None or answer is None:
            what = (
                f"no vocabulary for its category {question.category!r}"
                if vocabulary is None
                else "has no key; draw the sample again with `lontar sample`"
            )
            problems.add(f"question {question.sample_id}", what, what)
            continue
        identity = (question.category, answer_identity(answer))
        reference = known.get(identity)
        if reference is None:
            reference = known[identity] = _read_reference(answer, vocabulary, text_rules)
        if reference.fault:
            problems.add(f"key of {question.sample_id}", reference.fault, "invalid keys")
        asked.append(question)
        references.append(reference)
    problems.raise_if_any()
    return _basis(asked, references, vocabularies, text_rules)


@dataclass(frozen=True)
class _Reference:
    """One distinct key of a category, read strictly and leniently, and what is wrong with it."""

    strict: NormalizedAnswer
    lenient: NormalizedAnswer
    fault: str
    answer_format: str
    cardinality: str
    vocabulary_size: int


def _read_reference(answer: Any, vocabulary: Vocabulary, rules: TextTable) -> _Reference:
    strict = normalize_reference(answer, vocabulary, Policy.STRICT, rules)
    lenient = normalize_reference(answer, vocabulary, Policy.LENIENT, rules)
    fault = ""
    if strict.status is not ScoringStatus.VALID:
        fault = key_fault(answer, strict, vocabulary) or ""
    several = isinstance(strict.value, tuple) and len(strict.value) > 1
    return _Reference(
        strict,
        lenient,
        fault,
        vocabulary.format.value,
        "multi" if several else "single",
        len(vocabulary.labels),
    )


def _basis(
    asked: Sequence[Question],
    references: Sequence[_Reference],
    vocabularies: Mapping[str, Vocabulary],
    text_rules: TextTable,
) -> ScoringBasis:
    index = pd.Index([question.sample_id for question in asked], name="sample_id")
    columns = {
        field: list(map(attrgetter(field), asked))
        for field in ("category", "script_name", "image_name", "question_type")
    } | {
        field: list(map(attrgetter(field), references))
        for field in ("answer_format", "cardinality")
    }
    frame = pd.DataFrame(columns, index=index)
    keys = [reference.strict.value for reference in references]
    frame["ground_truth"] = pd.Series(keys, index=index, dtype=object)
    frame["vocabulary_size"] = [reference.vocabulary_size for reference in references]
    numbers: dict[Hashable, int] = {}
    kinds = [
        numbers.setdefault((category, one.strict.value, one.lenient.value), len(numbers))
        for category, one in zip(columns["category"], references, strict=True)
    ]
    return ScoringBasis(
        questions=frame,
        vocabularies=vocabularies,
        keys=tuple(reference.strict for reference in references),
        lenient_keys=tuple(reference.lenient for reference in references),
        kinds=np.array(kinds, dtype=np.int64),
        text_rules=text_rules,
    )
