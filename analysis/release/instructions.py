"""The texts participants read, as they are released: the study's own before the built-in ones."""

from __future__ import annotations

import importlib.resources
from collections.abc import Iterable

from sampling.study.folder import StudyFolder


def instruction_texts(study: StudyFolder) -> dict[str, str]:
    """Give `language/step.md` to its text for every language the study offers.

    A text in the study's `[instructions] folder`, or named by `[consent] text`, replaces the
    built-in one of the same name.
    """
    texts = built_in_texts(study.definition.server.languages)
    own = study.definition.instructions.folder
    for language in study.definition.server.languages:
        if own is not None:
            for path in sorted((study.root / own / language).glob("*.md")):
                texts[f"{language}/{path.name}"] = path.read_text(encoding="utf-8-sig")
    consent = study.definition.consent.text
    if consent is not None:
        for language in study.definition.server.languages:
            texts.pop(f"{language}/consent.md", None)
        texts["consent.md"] = (study.root / consent).read_text(encoding="utf-8-sig")
    return texts


def built_in_texts(languages: Iterable[str]) -> dict[str, str]:
    """Give `language/step.md` to its text for the texts that come with the package."""
    texts: dict[str, str] = {}
    for language in languages:
        built_in = importlib.resources.files("instructions") / language
        if built_in.is_dir():
            for step in sorted(built_in.iterdir(), key=lambda entry: entry.name):
                if step.name.endswith(".md"):
                    texts[f"{language}/{step.name}"] = step.read_text(encoding="utf-8")
    return texts
