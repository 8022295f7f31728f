"""Compares a manifest, number by number, with what a draw from it gives again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sampling.benchmark.benchmark import Benchmark
from sampling.benchmark.image_names import image_file
from sampling.benchmark.images_check import file_digest
from sampling.draw.draw import Sample
from sampling.draw.manifest import build_manifest, frame_digest
from sampling.study.definition import StudyDefinition
from sampling.study.folder import StudyFolder

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
