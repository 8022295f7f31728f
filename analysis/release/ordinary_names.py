"""Names that are also words: where such a name is found, it need not be anybody's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from analysis.release.instructions import built_in_texts
from sampling.study_folder import StudyFolder

BEFORE = ("questions.jsonl", "vocabularies.json")
OUR_PROSE = ("datasheet.md", "checklist.md", "checklist.json", "croissant.json")
_WORD = re.compile(r"\w+")


def ordinary_names(names: Iterable[str], *texts: str) -> set[str]:
    """List the names of letters alone that stand as words in texts that nobody signed.

    >>> sorted(ordinary_names(["A", "leaf", "P01", "Anna"], "A leaf, by P01.", "Which leaf?"))
    ['A', 'leaf']
    """
    words = {word for text in texts for word in _WORD.findall(text)}
    return {name for name in names if name.isalpha() and name in words}


def ordinary_in_bundle(
    study: StudyFolder, files: Mapping[str, str], names: Iterable[str]
) -> set[str]:
    """List the names that the questions, the vocabularies or our own prose use as words.

    What the study's own texts say may mean a person, and so may our prose where it repeats them.
    """
    names = set(names)
    languages = study.definition.server.languages
    before = [files[name] for name in BEFORE] + list(built_in_texts(languages).values())
    prose = [files[name] for name in OUR_PROSE if name in files]
    settings = study.definition_file.read_text(encoding="utf-8-sig")
    repeated = ordinary_names(names, settings)
    return ordinary_names(names, *before) | (ordinary_names(names, *prose) - repeated)


def ordinary_in_study(
    study: StudyFolder, questions: Iterable[str], names: Iterable[str]
) -> set[str]:
    """List the same before anybody answers, when another name can still be chosen."""
    texts = built_in_texts(study.definition.server.languages)
    vocabularies = study.vocabularies_file.read_text(encoding="utf-8-sig")
    return ordinary_names(names, vocabularies, *questions, *texts.values())
