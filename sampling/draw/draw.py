"""The draw: which questions of a benchmark are asked, with their keys and a reserve."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sampling.benchmark.benchmark import Benchmark, BenchmarkRecord
from sampling.draw.reserve import Replacement, replace_questions
from sampling.draw.strata import Candidate, Draw, draw
from sampling.study.definition import SampleTable, StudyDefinition
from sampling.study.errors import Problems
from sampling.study.questions import Key, Question


@dataclass(frozen=True)
class Sample:
    """The drawn questions and their keys sorted by id, the reserve by stratum and rank."""

    questions: tuple[Question, ...]
    keys: tuple[Key, ...]
    reserve: tuple[Question, ...]
    draw: Draw
    replacements: tuple[Replacement, ...] = ()


def draw_sample(
    benchmark: Benchmark,
    definition: StudyDefinition,
    faulty: Sequence[tuple[str, str]] = (),
) -> Sample:
    """Draw the sample that `[sample]` describes from a benchmark that was read and checked.

    Parameters
    ----------
    benchmark : Benchmark
        The records that `where` keeps.
    definition : StudyDefinition
        The study's seed and `[sample]`.
    faulty : sequence of (sample_id, reason)
        Questions found faulty, in that order: each is replaced by the next in rank.

    Raises
    ------
    StudyError
        When a field named by `strata` or `spread` is missing from records, when strata have too
        few questions, when a stratum has none left to replace a faulty one.
    """
    table = definition.sample
    kept = table.reserve_per_stratum
    deep = table.model_copy(update={"reserve_per_stratum": kept + len(faulty)})
    first = draw(candidates(benchmark.records, table), definition.study.seed, deep)
    final, replacements = replace_questions(first, faulty)
    records = {record.question.sample_id: record for record in benchmark.records}
    strata = tuple(one._replace(following=one.following[:kept]) for one in final.strata)
    ids = sorted(sample_id for stratum in strata for sample_id in stratum.drawn)
    uses = Counter(str(records[one].fields[table.spread]) for one in ids) if table.spread else {}
    return Sample(
        questions=tuple(records[sample_id].question for sample_id in ids),
        keys=tuple(key_of(records[sample_id]) for sample_id in ids),
        reserve=tuple(
            records[sample_id].question for stratum in strata for sample_id in stratum.following
        ),
        draw=Draw(strata, dict(sorted(Counter(uses.values()).items()))),
        replacements=replacements,
    )


def key_of(record: BenchmarkRecord) -> Key:
    """Give a record's key as `sample/keys.jsonl` holds it."""
    answer = record.answer
    return Key(record.question.sample_id, tuple(answer) if isinstance(answer, list) else answer)


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
