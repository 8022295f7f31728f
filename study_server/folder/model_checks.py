"""Checks of the prediction files that are there already, model by model."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.predictions.joining import QuestionIndex
from analysis.predictions.reading import find_prediction_files
from analysis.scoring.basis import build_basis, id_field
from analysis.scoring.models import read_model, score_model
from analysis.scoring.scored import ScoringBasis
from analysis.table11.reported import check_aggregates, unknown_groups
from sampling.benchmark.benchmark import Benchmark
from sampling.input_checks import CheckedInputs
from sampling.study.errors import Problems, StudyError
from sampling.study.folder import StudyFolder
from sampling.study.questions import Key, Question


def check_models(
    study: StudyFolder, checked: CheckedInputs, problems: Problems
) -> tuple[list[tuple[str, str]], list[str]]:
    """Read every model's predictions and say how many answer a question of the sample.

    Files that are not there yet are no fault: models may be run after the people. Also gives
    notes: what `lontar analyze` would say of the answers.
    """
    if checked.benchmark is None:
        return [], []
    sample = frozenset(question.sample_id for question in checked.questions)
    questions = tuple(record.question for record in checked.benchmark.records)
    named = id_field(study.definition.benchmark)
    index = QuestionIndex(questions, sample, checked.benchmark.other_ids, id_field=named)
    basis = _basis(study, checked.benchmark, checked.questions)
    lines = []
    notes: list[str] = []
    _check_aggregates(study, checked.benchmark, problems)
    for model in study.definition.models:
        if model.predictions is None:
            lines.append((model.name, "aggregates typed in: reported, not recomputed"))
            continue
        try:
            files = find_prediction_files(study.root, model.predictions)
        except StudyError:
            lines.append((model.name, f"no predictions yet ({', '.join(model.predictions)})"))
            continue
        try:
            answers = read_model(model, files, index, study.definition.analysis.condition)
        except StudyError as error:
            problems.extend(error)
            continue
        answered = {row.sample_id for rows in answers.by_condition.values() for row in rows}
        lines.append((model.name, f"answers {len(answered)} of the {len(sample)} questions"))
        if basis is not None:
            notes += score_model(answers, basis, tuple(files)).warnings
    return lines, notes


def _basis(
    study: StudyFolder, benchmark: Benchmark, sample: Sequence[Question]
) -> ScoringBasis | None:
    """Join the sample with the benchmark's keys, where it has them all."""
    keys = [Key(record.question.sample_id, record.answer) for record in benchmark.records]
    try:
        return build_basis(sample, keys, benchmark.vocabularies, study.definition.text)
    except StudyError:
        return None


def _check_aggregates(study: StudyFolder, benchmark: Benchmark, problems: Problems) -> None:
    """Note metrics and groups of typed-in numbers that no table has."""
    models = study.definition.models
    try:
        check_aggregates(models)
    except StudyError as error:
        problems.extend(error)
    asked = [record.question for record in benchmark.records]
    display = study.definition.benchmark.display
    groups = {"single", "multi", *benchmark.vocabularies}
    groups |= {name for names in display.values() for name in names.values()}
    for field in ("category", "script_name", "question_type"):
        groups |= {str(getattr(one, field)) for one in asked}
    for fault in unknown_groups(models, groups):
        problems.add("study.toml [[models]] aggregates", fault)
