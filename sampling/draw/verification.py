"""Verifies a sample: draws it again from its manifest and says exactly what differs.

Compares a manifest, number by number, with what a draw from it gives again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from sampling.benchmark.benchmark import Benchmark, read_benchmark
from sampling.benchmark.image_files import file_digest
from sampling.benchmark.image_names import image_file
from sampling.benchmark.question_files import question_fields, read_keys, read_questions
from sampling.draw.draw import Sample, draw_sample, key_of
from sampling.draw.manifest import (
    ANEW,
    build_manifest,
    frame_digest,
    read_manifest,
    recorded_faults,
    sample_settings,
)
from sampling.record.verdicts import State, Verdict, verdict
from sampling.study.definition import BenchmarkTable, SampleTable, StudyDefinition, StudyTable
from sampling.study.errors import StudyError
from sampling.study.folder import StudyFolder
from sampling.study.questions import Key, Question

COUNTED = ("rule", "n_frame", "n_sample", "shortages", "spread", "replacements")


def manifest_differences(
    study: StudyFolder,
    sample: Sample,
    definition: StudyDefinition,
    benchmark: Benchmark,
    manifest: Mapping[str, Any],
) -> list[str]:
    """Name what the manifest records and is not so: inputs, counts, strata, images.

    `definition` has the seed and settings of the manifest, and `sample` was drawn by it.
    """
    again = build_manifest(sample, definition, {}, "", {}, ())
    again = json.loads(json.dumps(again))
    return [
        *_input_differences(study, benchmark, manifest["inputs"]),
        *(
            f"manifest.json: {name} {_was(before, now)}"
            for name in COUNTED
            if (before := _numbers(manifest.get(name))) != (now := _numbers(again.get(name)))
        ),
        *_strata_differences(manifest["strata"], again["strata"]),
        *_image_differences(study, sample, manifest["images"]),
    ]


def _numbers(value: Any) -> Any:
    """Leave out a note in words, which another version may word otherwise."""
    if not isinstance(value, dict):
        return value
    return {name: part for name, part in value.items() if name != "note"}


def _input_differences(
    study: StudyFolder, benchmark: Benchmark, inputs: Mapping[str, Any]
) -> list[str]:
    differences = []
    if frame_digest(benchmark.records) != inputs["questions"]["sha256_of_sorted_records"]:
        differences.append(
            f"benchmark: its {len(benchmark.records)} records are not the "
            f"{inputs['questions']['n']} that the sample was drawn from"
        )
    if file_digest(study.vocabularies_file) != inputs["vocabularies"]["sha256"]:
        differences.append(f"{study.vocabularies_file.name}: changed since the draw")
    return differences


def _strata_differences(
    recorded: Sequence[Mapping[str, Any]], again: Sequence[Mapping[str, Any]]
) -> list[str]:
    """Name the numbers and questions of each stratum that are not those of the draw."""
    written = {_label(one): one for one in recorded}
    drawn = {_label(one): one for one in again}
    differences = []
    for label in sorted(written.keys() | drawn.keys()):
        if label not in written or label not in drawn:
            fault = "is not in it" if label not in written else "is none of the strata"
            differences.append(f"manifest.json: {label} {fault}")
            continue
        before, now = written[label], drawn[label]
        differences += [
            f"manifest.json: {label}: {name} {_was(before.get(name), now.get(name))}"
            for name in sorted(before.keys() | now.keys())
            if before.get(name) != now.get(name)
        ]
    return differences


def _label(stratum: Mapping[str, Any]) -> str:
    return " × ".join(stratum["stratum"].values())


def _was(recorded: Any, again: Any) -> str:
    """Say what stands in the manifest and what the draw gives; of lists of ids, what differs.

    >>> _was(0.5, 0.25)
    'is 0.5, and 0.25 when drawn again'
    >>> _was(["a", "b"], ["b", "c"])
    'has a and not c'
    """
    if not (_is_ids(recorded) and _is_ids(again)):
        return f"is {recorded!r}, and {again!r} when drawn again"
    more, fewer = (
        ", ".join(one for one in these if one not in set(those))
        for these, those in ((recorded, again), (again, recorded))
    )
    parts = [
        f"has {more}" if more else "",
        f"{'not' if more else 'lacks'} {fewer}" if fewer else "",
    ]
    return " and ".join(filter(None, parts)) or "is in another order"


def _is_ids(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _image_differences(
    study: StudyFolder, sample: Sample, recorded: Mapping[str, str]
) -> list[str]:
    folder = study.images_folder
    if folder is None or not folder.is_dir() or not recorded:
        return []
    names = {question.image_name for question in sample.questions}
    differences = [
        f"manifest.json: has no digest of image {name}" for name in sorted(names - recorded.keys())
    ]
    return differences + [
        f"image {name}: {fault}"
        for name, digest in recorded.items()
        if (fault := _image_fault(image_file(folder, name), digest)) is not None
    ]


def _image_fault(path: Path, digest: str) -> str | None:
    if not path.is_file():
        return "is not there any more"
    return None if file_digest(path) == digest else "changed since the draw"


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
