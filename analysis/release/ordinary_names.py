"""Names that are also words: where such a name is found, it need not be anybody's."""

from __future__ import annotations

import ast
import importlib.resources
import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatch
from typing import Any

from analysis.release.instructions import built_in_texts
from sampling.study_folder import StudyFolder

BEFORE = ("questions.jsonl", "vocabularies.json")
OUR_PROSE = ("datasheet.md", "checklist.md", "checklist.json", "croissant.json")
PROSE_MODULES = (("analysis.release", "[cd]*.py"), ("analysis.checklist", "*.py"))
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
    prose = [files[name] for name in OUR_PROSE if name in files]
    repeated = ordinary_names(names, *_texts_of(_settings(study)))
    return ordinary_names(names, *before) | (ordinary_names(names, *prose) - repeated)


def ordinary_in_study(
    study: StudyFolder, questions: Iterable[str], names: Iterable[str]
) -> set[str]:
    """List the same before anybody answers, when another name can still be chosen.

    Our prose is not written yet: every text in the modules that write it stands for it.
    """
    names = set(names)
    vocabularies = study.vocabularies_file.read_text(encoding="utf-8-sig")
    return ordinary_names(names, vocabularies, *questions, *_built_in(study), *_prose_to_come())


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


def _prose_to_come() -> Iterator[str]:
    """Yield the texts of the modules that write the datasheet, its like and the checklist."""
    for package, pattern in PROSE_MODULES:
        for module in importlib.resources.files(package).iterdir():
            if fnmatch(module.name, pattern):
                tree = ast.parse(module.read_text(encoding="utf-8"))
                yield from (
                    node.value
                    for node in ast.walk(tree)
                    if isinstance(node, ast.Constant) and isinstance(node.value, str)
                )
