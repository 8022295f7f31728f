"""The one family of errors that the person at the keyboard can fix."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class StudyError(Exception):
    """What is wrong with the study's inputs, every problem at once.

    Shown without a traceback, from one place for the command line and one for the web.
    Each problem names the place, the fault and the remedy.

    >>> print(StudyError("study.toml: no [study]", "participants.csv: empty"))
    2 problems:
    - study.toml: no [study]
    - participants.csv: empty
    """

    def __init__(self, *problems: str) -> None:
        super().__init__(*problems)
        self.problems = problems

    def __str__(self) -> str:
        if len(self.problems) == 1:
            return self.problems[0]
        lines = "\n".join(f"- {problem}" for problem in self.problems)
        return f"{len(self.problems)} problems:\n{lines}"


class Problems:
    """Collects what is wrong while a file is read, then raises once."""

    def __init__(self) -> None:
        self._found: list[str] = []

    def add(self, where: str, what: str) -> None:
        """Note a problem: `where` is a place such as `questions.jsonl line 3`."""
        self._found.append(f"{where}: {what}")

    def extend(self, error: StudyError) -> None:
        """Note every problem of an error that was caught."""
        self._found.extend(error.problems)

    def __len__(self) -> int:
        return len(self._found)

    def raise_if_any(self) -> None:
        """Raise one `StudyError` that holds every problem noted, if there is any."""
        if self._found:
            raise StudyError(*self._found)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Give ` (did you mean 'x'?)` for the nearest known word, or nothing.

    >>> did_you_mean("Crack", ["cracks", "stains"])
    " (did you mean 'cracks'?)"
    >>> did_you_mean("zzz", ["cracks"])
    ''
    """
    by_folded = {candidate.casefold(): candidate for candidate in known}
    near = difflib.get_close_matches(word.casefold(), by_folded, n=1, cutoff=0.6)
    return f" (did you mean {by_folded[near[0]]!r}?)" if near else ""
