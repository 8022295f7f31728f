"""The record of a run: what the results were made from, by digest, and with which versions."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import platform
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from analysis.predictions.reading import find_prediction_files
from sampling.study.errors import StudyError
from sampling.study.folder import StudyFolder
from sampling.tables.row_files import read_text

PACKAGES = ("lontar", "numpy", "pandas", "scipy", "rapidfuzz", "matplotlib")
CHUNK_BYTES = 1 << 20


def write_run_record(study: StudyFolder, target: Path, warnings: Iterable[str]) -> None:
    """Write `run.json`; the same inputs and versions give the same bytes."""
    text = json.dumps(run_record(study, warnings), ensure_ascii=False, indent=1)
    target.write_text(text + "\n", encoding="utf-8", newline="")


def run_record(study: StudyFolder, warnings: Iterable[str] = ()) -> dict[str, Any]:
    """List the inputs with their SHA-256, the settings, the seed and the versions."""
    definition = study.definition
    return {
        "study": definition.study.name,
        "seed": definition.study.seed,
        "reading_rule": study.reading_rule,
        "settings": definition.analysis.model_dump(mode="json"),
        "inputs": {name: file_digest(path) for name, path in sorted(_inputs(study).items())},
        "versions": {
            "python": platform.python_version(),
            **{package: _version(package) for package in PACKAGES},
        },
        "warnings": list(warnings),
    }


def recorded_inputs(path: Path) -> dict[str, Any]:
    """Give the digests of the inputs that a `run.json` records.

    Raises
    ------
    StudyError
        When it is not the record of a run.
    """
    try:
        run = json.loads(read_text(path, f"results/{path.name}"))
    except json.JSONDecodeError:
        run = None
    inputs = run.get("inputs") if isinstance(run, dict) else None
    if not isinstance(inputs, dict):
        raise StudyError(
            f"results/{path.name}: is not the record of a run; `lontar analyze` makes it again"
        )
    return inputs


def file_digest(path: Path) -> str:
    """Give the SHA-256 of a file in hexadecimal."""
    found = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(CHUNK_BYTES):
            found.update(chunk)
    return found.hexdigest()


def _inputs(study: StudyFolder) -> dict[str, Path]:
    """Name every file that the results are made from and that is there."""
    fixed = (
        study.definition_file,
        study.vocabularies_file,
        study.roster_file,
        study.questions_file,
        study.keys_file,
        study.manifest_file,
        study.assignment_file,
        study.freeze_file,
        study.responses_file,
        *((study.annotators_file,) if study.annotators_file is not None else ()),
    )
    files = [path for path in fixed if path.is_file()]
    for model in study.definition.models:
        for path in find_prediction_files(study.root, model.predictions or ()):
            inside = sorted(path.glob("*.json")) if path.is_dir() else [path]
            files.extend(inside)
    return {_name(path, study.root): path for path in files}


def _name(path: Path, root: Path) -> str:
    """Name a file by its path inside the study, or by its last parts outside it."""
    try:
        return path.resolve().relative_to(root.resolve()).as_posix()
    except ValueError:
        return "/".join(("...", *path.parts[-2:]))


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"
