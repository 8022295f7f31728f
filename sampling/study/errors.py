"""The one family of errors that the person at the keyboard can fix."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import ClassVar

BETWEEN_WORDS = re.compile(r"[\s_-]+")
ROW = re.compile(r"(.* (?:line|item|row) )(\d+)", re.DOTALL)


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

    A fault that three or more rows of a file share is said once, with the first of them and
    how many there are. Different problems of one `kind` are listed up to `SHOWN_OF_A_KIND` times,
    then counted. So a fault in every line of a long file stays readable.

    >>> problems = Problems()
    >>> for line in range(2, 62):
    ...     problems.add(f"q.csv line {line}", "has no 'answer'")
    >>> problems.raise_if_any()
    Traceback (most recent call last):
    ...
    sampling.study.errors.StudyError: q.csv line 2 and 59 more (3, 4, 5, ...): has no 'answer'
    """

    SHOWN_OF_A_KIND = 20

    def __init__(self) -> None:
        self._found: list[tuple[_Fault, int] | str] = []
        self._faults: dict[tuple[str, str], _Fault] = {}
        self._of_kind: Counter[str] = Counter()
        self._hidden: Counter[str] = Counter()
        self._noted = 0
        self._unlisted = 0

    def add(self, where: str, what: str, kind: str | None = None) -> None:
        """Note a problem: `where` is a place such as `questions.jsonl line 3`.

        `kind` names what is wrong in general, such as `repeated ids`.
        """
        self._noted += 1
        row = ROW.fullmatch(where)
        unit, number = row.groups() if row else (where, "")
        fault = self._faults.get((unit, what)) if row else None
        if fault is None:
            if kind is not None and self._of_kind[kind] >= self.SHOWN_OF_A_KIND:
                self._hidden[kind] += 1
                return
            if kind is not None:
                self._of_kind[kind] += 1
            fault = _Fault(unit, what)
            if row:
                self._faults[unit, what] = fault
        if fault.count + 1 < _Fault.TOGETHER:
            self._found.append((fault, fault.count))
        fault.count += 1
        if fault.count <= _Fault.PLACES:
            fault.rows.append(number)

    def extend(self, error: StudyError) -> None:
        """Note every problem of an error that was caught."""
        self._noted += error.total
        self._unlisted += error.total - len(error.problems)
        self._found.extend(error.problems)

    def __len__(self) -> int:
        return self._noted

    def raise_if_any(self) -> None:
        """Raise one `StudyError` that holds every problem noted, if there is any."""
        if self._found:
            lines = []
            for found in self._found:
                lines += [found] if isinstance(found, str) else found[0].lines(found[1])
            more = [f"and {count:,} more: {kind}" for kind, count in self._hidden.items()]
            total = len(lines) + self._hidden.total() + self._unlisted
            raise StudyError(*lines, *more, total=total)


@dataclass
class _Fault:
    """One fault and the rows that have it: their number, and the first few of them."""

    PLACES: ClassVar[int] = 4
    TOGETHER: ClassVar[int] = 3

    unit: str
    what: str
    count: int = 0
    rows: list[str] = field(default_factory=list)

    def lines(self, at: int) -> list[str]:
        """Say the fault at one of its rows, or at the first of them for all where many have it."""
        if self.count < self.TOGETHER:
            return [f"{self.unit}{self.rows[at]}: {self.what}"]
        if at > 0:
            return []
        first, *others = self.rows
        named = ", ".join(others) + (", ..." if self.count > len(self.rows) else "")
        return [f"{self.unit}{first} and {self.count - 1:,} more ({named}): {self.what}"]


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Give ` (did you mean 'x'?)` for the nearest known word, or nothing.

    Capitals, blanks, underscores and hyphens make no difference.

    >>> did_you_mean("Crack", ["cracks", "stains"])
    " (did you mean 'cracks'?)"
    >>> did_you_mean("sample_id", ["ample_ids", "Sample ID"])
    " (did you mean 'Sample ID'?)"
    >>> did_you_mean("zzz", ["cracks"])
    ''
    """
    by_folded = {BETWEEN_WORDS.sub("", one.casefold()): one for one in known}
    folded = BETWEEN_WORDS.sub("", word.casefold())
    near = difflib.get_close_matches(folded, by_folded, n=1, cutoff=0.6)
    return f" (did you mean {by_folded[near[0]]!r}?)" if near else ""
