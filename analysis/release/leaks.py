"""Looks through files that are about to be public for what must not be in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

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
