"""Verifies a sample: draws it again from its manifest and says exactly what differs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from sampling.benchmark.benchmark import Benchmark, read_benchmark
from sampling.benchmark.question_files import question_fields, read_keys, read_questions
from sampling.draw.draw import draw_sample, key_of
from sampling.draw.manifest import ANEW, read_manifest, recorded_faults, sample_settings
from sampling.draw.manifest_verification import manifest_differences
from sampling.record.verdicts import State, Verdict, verdict
from sampling.study.definition import BenchmarkTable, SampleTable, StudyDefinition, StudyTable
from sampling.study.errors import StudyError
from sampling.study.folder import StudyFolder
from sampling.study.questions import Key, Question

FEW = 5


def verify_sample(study: StudyFolder) -> Verdict:
    """Draw a study's sample again from its manifest and compare what is on disk.

    Without a manifest the draw that `study.toml` describes is compared.
    """
    if not study.questions_file.exists():
        return Verdict(
            "sample", State.ABSENT, "no sample/questions.jsonl; `lontar sample` draws it"
        )
    manifest = read_manifest(study.manifest_file)
    definition = study.definition if manifest is None else _as_drawn(study.definition, manifest)
    benchmark = read_benchmark(StudyFolder(study.root, definition))
    faulty = [] if manifest is None else recorded_faults(manifest)
    sample = draw_sample(benchmark, definition, faulty)
    differences = [] if manifest is None else _setting_differences(study.definition, manifest)
    found = read_questions(study.questions_file)
    otherwise = manifest is None and ids_of(found) != ids_of(sample.questions)
    if otherwise:
        differences += drawn_otherwise(sample.questions, found)
        differences += _differences_from_benchmark(study, benchmark, found)
    else:
        differences += _question_differences("questions", sample.questions, found)
        differences += _key_differences(study, sample.keys)
    if study.reserve_file.exists() and not otherwise:
        reserve = read_questions(study.reserve_file)
        differences += _question_differences("reserve", sample.reserve, reserve)
    elif manifest is not None:
        differences.append("reserve.jsonl: is not there")
    if manifest is not None:
        differences += manifest_differences(study, sample, definition, benchmark, manifest)
    source = "study.toml (there is no manifest)" if manifest is None else "the manifest"
    count = len(sample.draw.strata)
    strata = "1 stratum" if count == 1 else f"{count} strata"
    return verdict(
        "sample",
        f"{len(sample.questions)} questions of {strata}, drawn again from {source}",
        differences,
    )


def _as_drawn(definition: StudyDefinition, manifest: Mapping[str, Any]) -> StudyDefinition:
    """Give the definition with the seed and settings that the manifest records."""
    settings = dict(manifest["settings"])
    where = settings.pop("where", {})
    try:
        tables = {
            "study": StudyTable(name=definition.study.name, seed=manifest["seed"]),
            "sample": SampleTable.model_validate(settings),
            "benchmark": BenchmarkTable.model_validate(
                {**definition.benchmark.model_dump(), "where": where}
            ),
        }
    except ValidationError as error:
        faults = [
            f"manifest.json: {'.'.join(map(str, one['loc']))}: {one['msg'].lower()}; {ANEW}"
            for one in error.errors()
        ]
        raise StudyError(*faults) from None
    return definition.model_copy(update=tables)


def ids_of(questions: Sequence[Question]) -> set[str]:
    """Give the ids of questions."""
    return {question.sample_id for question in questions}


def drawn_otherwise(drawn: Sequence[Question], found: Sequence[Question]) -> list[str]:
    """Say in one line how far a sample without a manifest is from the one that the seed draws.

    >>> questions = [Question(f"q{n}", "a.jpg", "c", "?") for n in range(4)]
    >>> drawn_otherwise(questions[:2], questions[1:3])[0].split(";")[0]
    'questions.jsonl: 1 of 2 questions is not one that the seed draws (q2)'
    """
    ids, wanted = ids_of(found), ids_of(drawn)
    others, missing = sorted(ids - wanted), sorted(wanted - ids)
    many = "is not one" if len(others) == 1 else "are not those"
    told = [f"{len(others)} of {len(ids)} questions {many} that the seed draws{_listed(others)}"]
    if len(ids) != len(wanted):
        told.append(f"{len(missing)} of the {len(wanted)} it draws are not there{_listed(missing)}")
    why = "there is no sample/manifest.json: drawn by other means, or the manifest is lost"
    return [f"questions.jsonl: {', '.join(told)}; {why}"]


def _listed(ids: Sequence[str]) -> str:
    return f" ({', '.join(ids)})" if 0 < len(ids) <= FEW else ""


def _differences_from_benchmark(
    study: StudyFolder, benchmark: Benchmark, found: Sequence[Question]
) -> list[str]:
    """Compare questions and keys with the benchmark's, whoever drew them."""
    ids = ids_of(found)
    records = [one for one in benchmark.records if one.question.sample_id in ids]
    known = {one.question.sample_id for one in records}
    foreign = [f"questions.jsonl: {one} is not in the benchmark" for one in sorted(ids - known)]
    keys = list(map(key_of, records))
    held = [one for one in found if one.sample_id in known]
    differences = _question_differences("questions", [one.question for one in records], held)
    return [*foreign, *differences, *_key_differences(study, keys)]


def _question_differences(
    what: str, drawn: Sequence[Question], found: Sequence[Question]
) -> list[str]:
    """Name questions that are missing or too many, and fields that are not the benchmark's."""
    expected = {question.sample_id: question_fields(question) for question in drawn}
    present = {question.sample_id: question_fields(question) for question in found}
    differences = [
        f"{what}.jsonl: {sample_id} is drawn and is not there"
        for sample_id in sorted(expected.keys() - present.keys())
    ]
    differences += [
        f"{what}.jsonl: {sample_id} is there and is not drawn"
        for sample_id in sorted(present.keys() - expected.keys())
    ]
    for sample_id in sorted(expected.keys() & present.keys()):
        before, now = expected[sample_id], present[sample_id]
        names = [name for name in sorted(before | now) if before.get(name) != now.get(name)]
        differences += [
            f"{what}.jsonl: {sample_id} has {name} = {now.get(name)!r}, "
            f"the benchmark has {before.get(name)!r}"
            for name in names
        ]
    return differences


def _key_differences(study: StudyFolder, drawn: Sequence[Key]) -> list[str]:
    if not study.keys_file.exists():
        return ["keys.jsonl: is not there"]
    expected = {key.sample_id: key.answer for key in drawn}
    present = {key.sample_id: key.answer for key in read_keys(study.keys_file)}
    missing = [f"keys.jsonl: {one} has no key" for one in sorted(expected.keys() - present.keys())]
    foreign = [
        f"keys.jsonl: {one} is there and is not drawn"
        for one in sorted(present.keys() - expected.keys())
    ]
    return [*missing, *foreign] + [
        f"keys.jsonl: {sample_id} has {present.get(sample_id)!r}, "
        f"the benchmark has {expected.get(sample_id)!r}"
        for sample_id in sorted(expected.keys() & present.keys())
        if expected.get(sample_id) != present.get(sample_id)
    ]


def _setting_differences(definition: StudyDefinition, manifest: Mapping[str, Any]) -> list[str]:
    """Name what `study.toml` says now and did not when the sample was drawn."""
    now = {"seed": definition.study.seed, **sample_settings(definition)}
    before = {"seed": manifest["seed"], **manifest["settings"]}
    return [
        f"study.toml: {name} is {now.get(name)!r}, and was {before.get(name)!r} at the draw"
        for name in sorted(now.keys() | before.keys())
        if now.get(name) != before.get(name)
    ]
