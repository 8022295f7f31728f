"""Names that are also words: where such a name is found, it need not be anybody's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from analysis.release.instructions import built_in_texts
from sampling.study.folder import StudyFolder

BEFORE = ("questions.jsonl", "vocabularies.json")
# Files whose words come from people or from whoever made the study; the others' are ours.
THEIRS = ("responses.jsonl", "assignment.csv", "demographics.csv", "instructions/")
# Tables of study.toml that name files, fields and roles, and no person.
STRUCTURE = {"benchmark", "sample", "assignment"}
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
    before = [files[name] for name in BEFORE] + list(_built_in(study))
    prose = [text for name, text in files.items() if not name.startswith(THEIRS)]
    repeated = ordinary_names(names, *_texts_of(_settings(study)))
    return ordinary_names(names, *before) | (ordinary_names(names, *prose) - repeated)


def ordinary_in_study(
    study: StudyFolder, questions: Iterable[str], names: Iterable[str]
) -> set[str]:
    """List those of the questions, vocabularies and instructions, while names can be chosen."""
    vocabularies = study.vocabularies_file.read_text(encoding="utf-8-sig")
    return ordinary_names(names, vocabularies, *questions, *_built_in(study))


def _built_in(study: StudyFolder) -> Iterable[str]:
    return built_in_texts(study.definition.server.languages).values()


def _settings(study: StudyFolder) -> Mapping[str, Any]:
    """Give what `study.toml` says, but for names of files and fields, and what it leaves open."""
    return study.definition.model_dump(mode="json", exclude_unset=True, exclude=STRUCTURE)


def _texts_of(value: Any) -> Iterator[str]:
    """Yield every text in a value of JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _texts_of(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _texts_of(one)
