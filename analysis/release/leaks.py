"""Looks through files that are about to be public for what must not be in them.

Names that are also words: where such a name is found, it need not be anybody's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from analysis.release.contents import built_in_texts
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


_PATTERNS = {
    "an e-mail address": re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    "a personal link": re.compile(r"/p/[A-Za-z0-9_-]{20,}"),
    # Four single digits are the number of a section, such as 2.6.2.1.
    "an internet address": re.compile(
        r"(?<![\w.])(?!(?:\d\.){3}\d(?!\d))(?:\d{1,3}\.){3}\d{1,3}(?![\w.])"
    ),
    "a path on somebody's machine": re.compile(r"(?:/home/|/Users/|/root/|[A-Z]:\\Users\\)\w+"),
    "a telephone number": re.compile(r"(?<!\w)\+\d{1,3}[ -]?(?:\d[ -]?){7,12}(?!\w)"),
}


@dataclass(frozen=True)
class Leak:
    """One place that holds what must not be public.

    `word` is the pseudonym or id that was found, which the coordinator gave out; contact data and
    links are never repeated.
    """

    file: str
    line: int
    kind: str
    word: str = ""

    def __str__(self) -> str:
        named = f", {self.word!r}" if self.word else ""
        return f"{self.file} line {self.line}: holds {self.kind}{named}"


def find_leaks(
    files: Mapping[str, str], forbidden: Mapping[str, Iterable[str]], free_text: Iterable[str] = ()
) -> list[Leak]:
    r"""Find contact data, personal links, machine paths and forbidden words.

    Parameters
    ----------
    files : file name to its text
    forbidden : a kind such as "an annotator's id" to the words that must not stand anywhere
    free_text : names of files people wrote for participants; a contact address there is meant
        for the public, so that only forbidden words and personal links are looked for

    Examples
    --------
    >>> find_leaks({"a.csv": "P01,yes\nP02,see me@example.org"}, {"a pseudonym": ["P01"]})
    ... # doctest: +NORMALIZE_WHITESPACE
    [Leak(file='a.csv', line=1, kind='a pseudonym', word='P01'),
     Leak(file='a.csv', line=2, kind='an e-mail address', word='')]
    """
    written = set(free_text)
    words = {kind: _any_word(group) for kind, group in forbidden.items()}
    found = []
    for name, text in sorted(files.items()):
        patterns = (
            {"a personal link": _PATTERNS["a personal link"]} if name in written else _PATTERNS
        )
        for number, line in enumerate(text.split("\n"), start=1):
            found += [
                Leak(name, number, kind) for kind, search in patterns.items() if search.search(line)
            ]
            for kind, word in words.items():
                match = word.search(line) if word else None
                if match:
                    found.append(Leak(name, number, kind, match.group()))
    return found


def _any_word(words: Iterable[str]) -> re.Pattern[str] | None:
    """Match any of the words where it stands alone, or nothing when there are none."""
    escaped = sorted(
        {re.escape(word) for word in words if word}, key=lambda word: (-len(word), word)
    )
    return re.compile(rf"(?<!\w)(?:{'|'.join(escaped)})(?!\w)") if escaped else None
