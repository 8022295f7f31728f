"""Questions, keys and vocabularies read together: what every answer is scored against.

Which questions a prediction may be for: the benchmark's, in the order of its files.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis.predictions.joining import QuestionIndex
from analysis.scoring.scored import ScoringBasis
from sampling.answers.key_checks import key_fault
from sampling.answers.normalization import (
    NormalizedAnswer,
    Policy,
    ScoringStatus,
    answer_identity,
    normalize_reference,
)
from sampling.answers.vocabularies import READING_RULE, AnswerFormat, Vocabulary
from sampling.answers.vocabulary_files import read_vocabularies
from sampling.benchmark.question_files import question_of, read_keys, read_questions
from sampling.study.definition import BenchmarkTable, TextTable
from sampling.study.errors import Problems, StudyError
from sampling.study.files import collection_paused
from sampling.study.folder import StudyFolder
from sampling.study.questions import Key, Question
from sampling.tables.field_mapping import FieldMapping, row_test
from sampling.tables.find_files import read_question_files


def read_question_index(study: StudyFolder) -> QuestionIndex:
    """Read the ids of the benchmark and of the sample; nothing else of the benchmark is checked.

    Where the benchmark's files are not there any more, or a pattern does not fit them, only the
    sample is known, and ids outside it cannot be told from wrong ones: they are then counted as
    outside the sample.
    """
    sample = read_questions(study.questions_file)
    ids = frozenset(question.sample_id for question in sample)
    table = study.definition.benchmark
    absent = Problems()
    wanted = row_test(table.where)
    questions: list[Question] = []
    others: set[str] = set()
    unfilled = False
    for file in read_question_files(study.root, table.questions, absent):
        mapping = FieldMapping(table, file.path)
        for place, row in file.table.places():
            try:
                fields = mapping.apply(row)
            except StudyError:
                unfilled = True
                continue
            question = question_of(fields, place, Problems(), ())
            if question is None:
                continue
            if wanted(fields):
                questions.append(question)
            else:
                others.add(question.sample_id)
    if not questions or unfilled:
        return QuestionIndex(sample, ids, complete=False, id_field=id_field(table))
    return QuestionIndex(tuple(questions), ids, frozenset(others), id_field=id_field(table))


def id_field(table: BenchmarkTable) -> str:
    """Say what the benchmark calls the sample id, where `[benchmark.fields]` names one field."""
    source = table.fields.get("sample_id", "")
    return "" if set(source) & set("@{.") else source


def read_basis(study: StudyFolder) -> ScoringBasis:
    """Read the sample's questions, keys and vocabularies of a study folder."""
    _require_sample(study.questions_file, study.keys_file)
    return basis_of_files(
        study.questions_file,
        study.keys_file,
        study.vocabularies_file,
        study.definition.text,
        study.reading_rule,
    )


@collection_paused()
def basis_of_files(
    questions_file: Path,
    keys_file: Path,
    vocabularies_file: Path,
    rules: TextTable,
    reading_rule: int = READING_RULE,
) -> ScoringBasis:
    """Read questions, keys and vocabularies from their files."""
    keys = read_keys(keys_file)
    questions = read_questions(questions_file)
    vocabularies = read_vocabularies(
        vocabularies_file, keys_by_category(questions, keys), reading_rule
    )
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
    vocabularies = read_vocabularies(
        study.vocabularies_file, keys_by_category(questions, keys), study.reading_rule
    )
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
    kinds: dict[Hashable, int] = {}
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
            strict = normalize_reference(answer, vocabulary, Policy.STRICT, text_rules)
            lenient = normalize_reference(answer, vocabulary, Policy.LENIENT, text_rules)
            meaning = (question.category, strict.value, lenient.value)
            kind = kinds.setdefault(meaning, len(kinds))
            fault = _fault(answer, strict, vocabulary)
            reference = known[identity] = _Reference(strict, lenient, fault, vocabulary, kind)
        if reference.fault:
            problems.add(f"key of {question.sample_id}", reference.fault, "invalid keys")
        asked.append(question)
        references.append(reference)
    problems.raise_if_any()
    return _basis(asked, references, vocabularies, text_rules)


@dataclass(frozen=True)
class _Reference:
    """One distinct key of a category, read strictly and leniently, and what is wrong with it.

    Keys of one `kind` mean the same, however they are written.
    """

    strict: NormalizedAnswer
    lenient: NormalizedAnswer
    fault: str
    vocabulary: Vocabulary
    kind: int

    @property
    def cardinality(self) -> str:
        value = self.strict.value
        return "multi" if isinstance(value, tuple) and len(value) > 1 else "single"


def _fault(answer: Any, key: NormalizedAnswer, vocabulary: Vocabulary) -> str:
    """Say what is wrong with a key, or nothing."""
    if key.status is ScoringStatus.VALID and vocabulary.format is not AnswerFormat.TEXT:
        return ""
    return key_fault(answer, key, vocabulary) or ""


def _basis(
    asked: Sequence[Question],
    references: Sequence[_Reference],
    vocabularies: Mapping[str, Vocabulary],
    text_rules: TextTable,
) -> ScoringBasis:
    """Lay the questions out as columns; what depends on the key is worked out once a kind."""
    fields = ("category", "script_name", "image_name", "question_type")
    frame = pd.DataFrame(
        {field: list(map(attrgetter(field), asked)) for field in fields},
        index=pd.Index([question.sample_id for question in asked], name="sample_id"),
    )
    kinds = np.array([reference.kind for reference in references], dtype=np.int64)
    of_kind = {reference.kind: reference for reference in reversed(references)}
    each = [of_kind[kind] for kind in sorted(of_kind)]
    formats = [one.vocabulary.format.value for one in each]
    frame["answer_format"] = pd.array(formats, dtype="str").take(kinds)
    cardinalities = [one.cardinality for one in each]
    frame["cardinality"] = pd.array(cardinalities, dtype="str").take(kinds)
    keys = pd.Series([one.strict.value for one in each], dtype=object)
    frame["ground_truth"] = keys.to_numpy()[kinds]
    sizes = np.array([len(one.vocabulary.labels) for one in each], dtype=np.int64)
    frame["vocabulary_size"] = sizes[kinds]
    return ScoringBasis(
        questions=frame,
        vocabularies=vocabularies,
        keys=tuple(reference.strict for reference in references),
        lenient_keys=tuple(reference.lenient for reference in references),
        kinds=kinds,
        text_rules=text_rules,
    )
