"""The one family of errors that the person at the keyboard can fix."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable


class StudyError(Exception):
    """What is wrong with the study's inputs, every problem at once.

    Shown without a traceback, from one place for the command line and one for the web.
    Each problem names the place, the fault and the remedy. `total` is how many there are, where
    not all are listed.

    >>> print(StudyError("study.toml: no [study]", "participants.csv: empty"))
    2 problems:
    - study.toml: no [study]
    - participants.csv: empty
    """

    def __init__(self, *problems: str, total: int | None = None) -> None:
        super().__init__(*problems)
        self.problems = problems
        self.total = len(problems) if total is None else total

    def __str__(self) -> str:
        if len(self.problems) == 1:
            return self.problems[0]
        lines = "\n".join(f"- {problem}" for problem in self.problems)
        return f"{self.total:,} problems:\n{lines}"


class Problems:
    """Collects what is wrong while a file is read, then raises once.

    Problems of one `kind` are listed up to `SHOWN_OF_A_KIND` times, then counted: a fault in every
    line of a long file stays readable.
    """

    SHOWN_OF_A_KIND = 20

    def __init__(self) -> None:
        self._found: list[str] = []
        self._of_kind: Counter[str] = Counter()
        self._noted = 0

    def add(self, where: str, what: str, kind: str | None = None) -> None:
        """Note a problem: `where` is a place such as `questions.jsonl line 3`.

        `kind` names what is wrong in general, such as `repeated ids`.
        """
        self._noted += 1
        if kind is not None:
            self._of_kind[kind] += 1
        if kind is None or self._of_kind[kind] <= self.SHOWN_OF_A_KIND:
            self._found.append(f"{where}: {what}")

    def extend(self, error: StudyError) -> None:
        """Note every problem of an error that was caught."""
        self._noted += error.total
        self._found.extend(error.problems)

    def __len__(self) -> int:
        return self._noted

    def raise_if_any(self) -> None:
        """Raise one `StudyError` that holds every problem noted, if there is any."""
        if self._found:
            more = (
                f"and {count - self.SHOWN_OF_A_KIND:,} more: {kind}"
                for kind, count in self._of_kind.items()
                if count > self.SHOWN_OF_A_KIND
            )
            raise StudyError(*self._found, *more, total=self._noted)


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
