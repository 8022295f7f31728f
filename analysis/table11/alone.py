"""Scoring predictions alone: questions, keys and vocabularies from files, no study folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd

from analysis.predictions.condition_selection import choose
from analysis.predictions.detect_format import PredictionFormat, look
from analysis.predictions.joining import JoinedRow, QuestionIndex
from analysis.predictions.reading import find_prediction_files
from analysis.scoring.basis import build_basis, keys_by_category
from analysis.scoring.exact import exact_mean, percent_or_empty
from analysis.scoring.models import join_files, score_model
from analysis.scoring.scored import ScoredStudy, ScoringBasis
from analysis.table11.breakdowns import count_invalid, evaluators
from analysis.table11.table11 import HUMAN
from sampling.answers.vocabularies import READING_RULE
from sampling.answers.vocabulary_files import read_vocabularies
from sampling.benchmark.question_files import keys_of_table, questions_of_table
from sampling.input_notes import alternatives_notes
from sampling.study.definition import BenchmarkTable, TextTable
from sampling.study.errors import Problems, StudyError
from sampling.study.files import collection_paused
from sampling.tables.field_mapping import FieldMapping
from sampling.tables.find_files import read_table
from sampling.tables.row_files import Row, RowTable, format_ending

DEFAULT_CONDITION = "constrained"
REMEDY = "name the right {} with --field, such as --field sample_id=uid"
# Files that hold a part of a model's answers: their folder names the model.
PARTS = frozenset({PredictionFormat.ANSWER_LIST, PredictionFormat.ANCIENT_BENCH})


@collection_paused()
def score_files(
    questions: Path,
    keys: Path,
    vocabularies: Path,
    predictions: Sequence[str],
    format_name: str | None = None,
    condition: str = DEFAULT_CONDITION,
    fields: Mapping[str, str] = {},
    reading_rule: int = READING_RULE,
) -> ScoredStudy:
    """Score every model in some prediction files against questions with keys.

    Questions without a key are taken as outside the sample: answers to them are counted and
    ignored. `fields` says where a field of the questions and keys comes from, as
    `[benchmark.fields]` does in a study. A model that its file does not name is named after the
    file. No study names a reading rule here: it is today's, or the one given.

    Raises
    ------
    StudyError
        With every problem: missing or broken files, unknown or repeated ids with their lines.
    """
    files = _find_files((questions, keys, vocabularies), predictions)
    basis, index, notes = read_questions_and_keys(
        questions, keys, vocabularies, fields, reading_rule
    )
    rows: dict[str, list[JoinedRow]] = {}
    problems = Problems()
    for name, group in _by_name(files).items():
        found = join_files(group, format_name, index, problems)
        if not found:
            rows.setdefault(name, [])
        for joined in found:
            rows.setdefault(joined.row.model or name, []).append(joined)
    answers = []
    for name, own in rows.items():
        try:
            answers.append(choose(name, own, index.sample, condition, _headline(own, condition)))
        except StudyError as error:
            problems.extend(error)
    problems.raise_if_any()
    models = [score_model(one, basis) for one in answers]
    return ScoredStudy(
        questions=basis.questions,
        responses=pd.DataFrame({"sample_id": pd.Series(dtype="str")}),
        predictions={model.name: model.by_condition[model.headline] for model in models},
        conditions={
            (model.name, name): frame
            for model in models
            for name, frame in model.by_condition.items()
        },
        repeats={model.name: model.repeats for model in models if len(model.repeats) > 1},
        warnings=(*notes, *(warning for model in models for warning in model.warnings)),
        vocabularies=basis.vocabularies,
    )


def _find_files(needed: Sequence[Path], predictions: Sequence[str]) -> list[Path]:
    """List the files of predictions; name every file that is missing, the needed ones too."""
    problems = Problems()
    for path in needed:
        if not path.exists():
            problems.add(path.name, f"not found in {path.parent}")
    files: list[Path] = []
    try:
        files = find_prediction_files(Path(), predictions)
    except StudyError as error:
        problems.extend(error)
    problems.raise_if_any()
    return files


def read_questions_and_keys(
    questions: Path,
    keys: Path,
    vocabularies: Path,
    fields: Mapping[str, str] = {},
    reading_rule: int = READING_RULE,
) -> tuple[ScoringBasis, QuestionIndex, tuple[str, ...]]:
    """Read what predictions are scored against; keys may cover some of the questions only."""
    problems = Problems()
    asked = questions_of_table(_read_table(questions, fields, problems), problems, REMEDY)
    table = _read_table(keys, fields, problems)
    known = keys_of_table(table, problems, REMEDY)
    with_key = {key.sample_id for key in known}
    sample = [question for question in asked if question.sample_id in with_key]
    if not sample:
        raise StudyError(f"{keys.name}: holds no key to any question of {questions.name}")
    allowed = read_vocabularies(vocabularies, keys_by_category(asked, known), reading_rule)
    categories = {question.sample_id: question.category for question in asked}
    answered = (
        (place, {**row, "category": categories.get(str(row.get("sample_id")))})
        for place, row in table.places()
    )
    notes = alternatives_notes(answered, allowed)
    basis = build_basis(sample, known, allowed, TextTable())
    index = QuestionIndex(asked, frozenset(question.sample_id for question in sample))
    return basis, index, tuple(notes)


def _read_table(path: Path, fields: Mapping[str, str], problems: Problems) -> RowTable:
    """Read the rows of a file of any format; fields that go by another name get ours.

    A field that is mapped to one that no row of this file has is left to the file's own: questions
    and keys may be two files with names of their own.
    """
    table = read_table(path, path.name, problems)
    held = {name for _, row in table.rows for name in row}
    own = {
        field: source
        for field, source in fields.items()
        if set(source) & set("@{") or source.partition(".")[0] in held
    }
    mapping = FieldMapping(
        BenchmarkTable(questions=(path.name,), vocabularies="none", fields=own), path
    )
    rows: list[Row] = []
    for number, row in table.rows:
        try:
            rows.append((number, mapping.apply(row)))
        except StudyError as error:
            problems.add(f"{table.name} {table.unit} {number}", str(error))
    return replace(table, rows=tuple(rows))


def summary(scored: ScoredStudy) -> str:
    """Print a table of each model and condition: how many answers, and the means in percent."""
    shown = {"EM": "exact_match", "F1": "f1", "W1": "within_one", "NED": "ned", "CF1": "char_f1"}
    columns = {
        title: column
        for title, column in shown.items()
        if any(
            column in one.frame and one.frame[column].notna().any() for one in evaluators(scored)
        )
    }
    rows = [["model", "condition", "n", "invalid", *columns]]
    for one in evaluators(scored):
        if one.name == HUMAN:
            continue
        invalid = count_invalid(one.frame["scoring_status"])
        means = [percent_or_empty(exact_mean(one.frame[column])) for column in columns.values()]
        rows.append([one.name, one.condition, str(len(one.frame)), invalid, *means])
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if place < 2 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _by_name(files: Sequence[Path]) -> dict[str, list[Path]]:
    """Group files by the name of their model where they do not say one."""
    named: dict[str, list[Path]] = {}
    for path in files:
        part = path.is_file() and format_ending(path) == ".json" and look(path) in PARTS
        own = Path(path.name.removesuffix(".gz")).stem
        named.setdefault(path.resolve().parent.name if part else own, []).append(path)
    return named


def _headline(rows: Sequence[JoinedRow], condition: str) -> str:
    """Choose a condition that is there: the wanted one, else the first by name."""
    held = sorted({joined.row.condition or condition for joined in rows})
    return held[0] if held and condition not in held else condition
