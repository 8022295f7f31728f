"""Draws a study's sample from its files, and writes `sample/`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from sampling.benchmark.benchmark import Benchmark, read_benchmark
from sampling.benchmark.image_files import (
    Progress,
    check_checksums,
    check_listed,
    file_digest,
    image_digests,
    read_checksums,
)
from sampling.benchmark.near_duplicates import NearDuplicate, find_near_duplicates
from sampling.benchmark.question_files import write_keys, write_questions
from sampling.draw.draw import Sample, draw_sample
from sampling.draw.manifest import build_manifest, frame_digest, write_manifest
from sampling.study.folder import StudyFolder

MOST_PAIRS_NAMED = 5


@dataclass(frozen=True)
class DrawnStudy:
    """A sample with its manifest and what the coordinator should know about it."""

    sample: Sample
    manifest: dict[str, Any]
    notes: tuple[str, ...]


def draw_study(
    study: StudyFolder,
    faulty: Sequence[tuple[str, str]] = (),
    progress: Progress | None = None,
) -> DrawnStudy:
    """Read a benchmark, draw its sample, and check the images of what was drawn.

    Raises
    ------
    StudyError
        When the benchmark has faults, strata are short, or files differ from their checksums.
    """
    benchmark = read_benchmark(study)
    sample = draw_sample(benchmark, study.definition, faulty)
    checked = _verify_checksums(study, benchmark, sample)
    digests: dict[str, str] = {}
    duplicates: tuple[NearDuplicate, ...] = ()
    if study.images_folder is not None:
        names = {question.image_name for question in sample.questions}
        digests = image_digests(
            study.images_folder, names, named=study.definition.benchmark.images or ""
        )
        duplicates = find_near_duplicates(study.images_folder, digests, progress)
    manifest = build_manifest(
        sample,
        study.definition,
        _inputs(study, benchmark, checked),
        version("lontar"),
        digests,
        duplicates,
    )
    return DrawnStudy(sample, manifest, (*benchmark.warnings, *_notes(sample, duplicates)))


def write_sample(study: StudyFolder, drawn: DrawnStudy) -> None:
    """Write `sample/questions.jsonl`, `keys.jsonl`, `reserve.jsonl` and `manifest.json`."""
    write_questions(study.questions_file, drawn.sample.questions)
    write_keys(study.keys_file, drawn.sample.keys)
    write_questions(study.reserve_file, drawn.sample.reserve)
    write_manifest(study.manifest_file, drawn.manifest)


def _verify_checksums(study: StudyFolder, benchmark: Benchmark, sample: Sample) -> int | None:
    """Compare the sample's images and the benchmark's own files with their published digests."""
    table = study.definition.benchmark
    if table.checksums is None:
        return None
    path = study.root / table.checksums
    folders = [study.root, path.parent]
    if study.images_folder is not None:
        folders.insert(0, study.images_folder)
    files = [*table.questions, table.vocabularies]
    checksums = read_checksums(path)
    images = (record.question.image_name for record in benchmark.records)
    check_listed(checksums, path.name, [*files, *images])
    shown = (question.image_name for question in sample.questions)
    return check_checksums(checksums, path.name, folders, [*files, *shown])


def _inputs(study: StudyFolder, benchmark: Benchmark, checked: int | None) -> dict[str, Any]:
    """Name what the draw read, each with a digest that does not hang on the order of rows."""
    table = study.definition.benchmark
    inputs: dict[str, Any] = {
        "questions": {
            "files": list(table.questions),
            "n": len(benchmark.records),
            "sha256_of_sorted_records": frame_digest(benchmark.records),
        },
        "vocabularies": {
            "file": table.vocabularies,
            "sha256": file_digest(study.vocabularies_file),
        },
    }
    if checked is not None:
        inputs["checksums"] = {"file": table.checksums, "files_verified": checked}
    return inputs


def _notes(sample: Sample, duplicates: Sequence[NearDuplicate]) -> list[str]:
    """Say what is short, and which images look alike."""
    notes = [
        f"{' × '.join(one.stratum)}: only {one.available} of {one.asked} questions, all taken"
        for one in sample.draw.strata
        if one.available < one.asked
    ]
    if duplicates:
        pairs = [
            f"{one.first} and {one.second} ({'same file' if one.identical else 'look alike'})"
            for one in duplicates[:MOST_PAIRS_NAMED]
        ]
        more = len(duplicates) - len(pairs)
        count = "1 pair" if len(duplicates) == 1 else f"{len(duplicates)} pairs"
        notes.append(
            f"{count} of images may be the same: {'; '.join(pairs)}"
            + (f"; and {more} more in manifest.json" if more else "")
            + ". Look at them; `lontar sample --replace SAMPLE_ID --reason TEXT` takes one out"
        )
    return notes
