"""Which questions a prediction may be for: the benchmark's, in the order of its files."""

from __future__ import annotations

from analysis.predictions.joining import QuestionIndex
from sampling.benchmark.question_files import question_of, read_questions
from sampling.study.definition import BenchmarkTable
from sampling.study.errors import Problems, StudyError
from sampling.study.folder import StudyFolder
from sampling.study.questions import Question
from sampling.tables.benchmark_fields import FieldMapping, row_test
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
