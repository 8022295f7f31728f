"""Checks of a benchmark's records: keys against vocabularies, images against their folder."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from sampling.definition import TextTable
from sampling.errors import Problems, did_you_mean
from sampling.label_keys import index_labels
from sampling.normalization import (
    EXCLUSIVE,
    NO_ANSWER,
    NormalizedAnswer,
    ScoringStatus,
    answer_identity,
    normalize_reference,
)
from sampling.vocabularies import AnswerFormat, Vocabulary
from sampling.vocabulary_files import nearest_label


class KeyCheck:
    """Checks raw keys against their vocabularies, each distinct key of a category once."""

    def __init__(self, vocabularies: Mapping[str, Vocabulary], rules: TextTable) -> None:
        self._vocabularies = vocabularies
        self._rules = rules
        self._known: dict[tuple[str, Hashable], str | None] = {}

    def fault(self, category: str, answer: Any) -> str | None:
        """Say what is wrong with a key, or None."""
        identity = (category, answer_identity(answer))
        if identity not in self._known:
            vocabulary = self._vocabularies[category]
            key = normalize_reference(answer, vocabulary, text_rules=self._rules)
            self._known[identity] = _fault(answer, key, vocabulary)
        return self._known[identity]


def _fault(answer: Any, key: NormalizedAnswer, vocabulary: Vocabulary) -> str | None:
    """Say what is wrong with one normalised key."""
    if key.reason == NO_ANSWER:
        return "has no answer; every question needs its key"
    if vocabulary.format is AnswerFormat.TEXT:
        return None if key.value else f"answer {answer!r} holds nothing that is scored"
    if key.status is ScoringStatus.VALID_OOV and isinstance(key.value, tuple):
        index = index_labels(vocabulary)
        outside = [label for label in key.value if index.find(label) is None]
        named = ", ".join(repr(label) + nearest_label(label, vocabulary) for label in outside)
        return f"answer {named} is not in the vocabulary of {vocabulary.category!r}"
    if key.status is ScoringStatus.INVALID:
        if vocabulary.format is AnswerFormat.COUNT:
            return f"answer {answer!r} of {vocabulary.category!r} is {key.reason}"
        hint = nearest_label(str(answer), vocabulary)
        return f"answer {answer!r} is not in the vocabulary of {vocabulary.category!r}{hint}"
    if key.note == EXCLUSIVE:
        return f"answer {answer!r} holds {key.note}; {vocabulary.category!r} does not allow it"
    if isinstance(key.value, int):
        highest = vocabulary.maximum
        if key.value < vocabulary.minimum or (highest is not None and key.value > highest):
            bounds = f"{vocabulary.minimum} to {'any' if highest is None else highest}"
            return f"answer {key.value} is outside {bounds} of {vocabulary.category!r}"
    return None


def check_images(
    images: Iterable[tuple[str, str]], folder: Path, named: str, problems: Problems
) -> None:
    """Note images (place, name) that are missing, or whose name leaves the folder.

    `named` is the folder as `study.toml` names it.
    """
    if not folder.is_dir():
        problems.add("study.toml [benchmark] images", f"no folder {named!r}")
        return
    first_places: dict[str, str] = {}
    for place, name in images:
        first_places.setdefault(name, place)
    present = _files(folder)
    by_name = {PurePosixPath(path).name: path for path in sorted(present)}
    for name, place in first_places.items():
        path = PurePosixPath(name.replace("\\", "/"))
        if path.is_absolute() or ".." in path.parts or ":" in name:
            problems.add(
                place, f"image {name!r} lies outside the images folder", "images outside the folder"
            )
        elif path.as_posix() not in present:
            problems.add(
                place,
                f"image {name!r} is not in {named}{_nearest_image(path, by_name)}",
                "missing images",
            )


def _files(folder: Path) -> frozenset[str]:
    """List every file under a folder by its path in it."""
    found: set[str] = set()
    for parent, _, names in os.walk(folder, followlinks=True):
        inside = PurePosixPath(Path(parent).relative_to(folder).as_posix())
        found.update((inside / name).as_posix() for name in names)
    return frozenset(found)


def _nearest_image(path: PurePosixPath, by_name: Mapping[str, str]) -> str:
    """Point to a file of the same name elsewhere, of another ending or case, or of a near name."""
    if path.name in by_name:
        return f" (it is at {by_name[path.name]!r})"
    for name, found in by_name.items():
        if PurePosixPath(name).stem.casefold() == path.stem.casefold():
            return f" (did you mean {found!r}?)"
    return did_you_mean(path.name, by_name) if len(by_name) < 1000 else ""
