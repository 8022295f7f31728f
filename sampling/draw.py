"""The draw: which questions of a benchmark are asked, with their keys and a reserve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sampling.benchmark import Benchmark, BenchmarkRecord
from sampling.definition import SampleTable, StudyDefinition
from sampling.draw_strata import Candidate, Draw, draw
from sampling.errors import Problems
from sampling.questions import Key, Question


@dataclass(frozen=True)
class Sample:
    """The drawn questions and their keys sorted by id, the reserve by stratum and rank."""

    questions: tuple[Question, ...]
    keys: tuple[Key, ...]
    reserve: tuple[Question, ...]
    draw: Draw


def draw_sample(benchmark: Benchmark, definition: StudyDefinition) -> Sample:
    """Draw the sample that `[sample]` describes from a benchmark that was read and checked.

    Raises
    ------
    StudyError
        When a field named by `strata` or `spread` is missing from records, and as `draw` does.
    """
    table = definition.sample
    drawn = draw(candidates(benchmark.records, table), definition.study.seed, table)
    records = {record.question.sample_id: record for record in benchmark.records}
    ids = sorted(sample_id for stratum in drawn.strata for sample_id in stratum.drawn)
    return Sample(
        questions=tuple(records[sample_id].question for sample_id in ids),
        keys=tuple(Key(sample_id, records[sample_id].answer) for sample_id in ids),
        reserve=tuple(
            records[sample_id].question
            for stratum in drawn.strata
            for sample_id in stratum.following
        ),
        draw=drawn,
    )


def candidates(records: Sequence[BenchmarkRecord], table: SampleTable) -> list[Candidate]:
    """Look up the strata and the spread value of every record, or say which fields are missing."""
    needed = [*table.strata, *([table.spread] if table.spread is not None else [])]
    problems = Problems()
    for field in needed:
        without = [record for record in records if record.fields.get(field) in (None, "")]
        if without:
            problems.add(
                f"study.toml [sample] {field!r}",
                f"{len(without)} of {len(records)} questions have no such field "
                f"(first: {without[0].place})",
            )
    problems.raise_if_any()
    return [
        Candidate(
            record.question.sample_id,
            tuple(str(record.fields[field]) for field in table.strata),
            str(record.fields[table.spread]) if table.spread is not None else "",
        )
        for record in records
    ]
