"""What a freeze fixes, as it stands now: a digest for each file, the value of each setting."""

from __future__ import annotations

import hashlib
import importlib.resources
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

from sampling.answers.vocabularies import OLD_RULE
from sampling.record.scoring_code import code_digest, own_reading_digest, reading_digest
from sampling.study.definition import MAX_ROUNDS
from sampling.study.folder import StudyFolder

Parts = Mapping[str, Mapping[str, str]]

RULE, READING, CODE = "reading rule", "answer reading", "scoring code"
OWN, SCORES = "reading of the study's labels", "scores and averages"

# What every random choice derives from; a freeze made before it was fixed too has no such item.
SEED = "[study] seed"

# Settings that change what people see or how time is counted; addresses and sessions do not.
SERVER_SETTINGS = (
    "languages",
    "idle_cap_seconds",
    "too_fast_seconds",
    "image_adjustments",
    "confidence",
    "comments",
    "cannot_tell",
)


class _Readable(Protocol):
    """A file or folder of a package, as `importlib.resources` gives it."""

    @property
    def name(self) -> str: ...
    def is_dir(self) -> bool: ...
    def iterdir(self) -> Iterator[Any]: ...
    def read_bytes(self) -> bytes: ...


def current_parts(
    study: StudyFolder, *, with_keys: bool = True, scores: str | None = None
) -> dict[str, dict[str, str]]:
    """Digest everything a freeze fixes, as it stands now.

    Parameters
    ----------
    study : StudyFolder
    with_keys : bool
        Whether `sample/keys.jsonl` is read; the web server never does.
    scores : str, optional
        The digest of what scoring does, from whoever scores; the web server does not.

    Returns
    -------
    dict of part to dict of item to str
        SHA-256 in hexadecimal for a file, canonical JSON for a setting. Line ends do not count.
    """
    definition = study.definition.model_dump(mode="json")
    keys = [study.keys_file] if with_keys else []
    sample = [study.questions_file, study.reserve_file, study.manifest_file, *keys]
    plan = [study.assignment_file, study.roster_file]
    if study.annotators_file is not None:
        plan.append(study.annotators_file)
    if study.reading_rule == OLD_RULE:  # which knows of no such setting
        del definition["text"]["canonical_equivalence"]
    if definition["analysis"]["reading_rule"] is None:
        del definition["analysis"]["reading_rule"]
    server = {name: definition["server"][name] for name in SERVER_SETTINGS}
    models = [
        {name: model[name] for name in ("name", "condition", "group")}
        for model in definition["models"]
    ]
    return {
        "sample": _files(study.root, sample)
        | {SEED: _canonical(definition["study"]["seed"])}
        | _settings("sample", definition["sample"]),
        "plan": _files(study.root, plan) | _settings("assignment", definition["assignment"]),
        "instructions": _instructions(study) | _settings("consent", definition["consent"]),
        "vocabularies": _files(study.root, [study.vocabularies_file]),
        "pages": _settings("server", server) | _practice(definition),
        "scoring rules": _scoring_rules(study, scores) | _settings("text", definition["text"]),
        "analysis plan": _settings("analysis", definition["analysis"])
        | {"[[models]]": _canonical(models)}
        | _files(study.root, [study.root / "analysis-plan.md"]),
    }


def parts_digest(parts: Parts) -> str:
    """Digest everything that was fixed, in one number."""
    return _sha256(_canonical(parts).encode("utf-8"))


def _files(root: Path, paths: list[Path]) -> dict[str, str]:
    """Digest the files that exist, under their names within the study."""
    return {
        path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name: _sha256(
            path.read_bytes()
        )
        for path in paths
        if path.exists()
    }


def _settings(table: str, values: Mapping[str, Any]) -> dict[str, str]:
    return {f"[{table}] {name}": _canonical(value) for name, value in values.items()}


def _practice(definition: Mapping[str, Any]) -> dict[str, str]:
    """Name the settings of practice and attention; one that 0.1.0 lacks, where it is set."""
    return {
        f"[{table}] {name}": _canonical(value)
        for table in ("practice", "attention")
        for name, value in (definition[table] or {}).items()
        if (name, value) != ("max_rounds", MAX_ROUNDS)
    }


def _instructions(study: StudyFolder) -> dict[str, str]:
    """Digest the built-in texts and those of the study's own folder."""
    built_in = importlib.resources.files("instructions")
    found = {f"built-in {name}": digest for name, digest in _texts(built_in, "")}
    folder = study.definition.instructions.folder
    own = study.root / folder if folder is not None else None
    if own is not None and own.is_dir():
        found |= {f"{folder}/{name}": digest for name, digest in _texts(own, "")}
    return found


def _texts(folder: _Readable, prefix: str) -> Iterator[tuple[str, str]]:
    """Walk a folder for its Markdown files, in a fixed order."""
    for entry in sorted(folder.iterdir(), key=lambda entry: str(entry.name)):
        if entry.is_dir():
            yield from _texts(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(".md"):
            yield prefix + entry.name, _sha256(entry.read_bytes())


def _scoring_rules(study: StudyFolder, scores: str | None) -> dict[str, str]:
    """Name the rule by which answers are read, and digest what it does and the code of scoring."""
    rule = study.reading_rule
    own = own_reading_digest(study.vocabularies_file, rule)
    found = {RULE: str(rule), READING: reading_digest(rule), OWN: own, SCORES: scores}
    return {CODE: code_digest()} | {name: one for name, one in found.items() if one is not None}


def _canonical(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _sha256(content: bytes) -> str:
    """Hash bytes, whatever the line ends a checkout or an editor gave them."""
    return hashlib.sha256(content.replace(b"\r\n", b"\n")).hexdigest()
