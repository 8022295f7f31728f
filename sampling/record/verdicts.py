"""What a verification found, a part of the study at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

MOST_LINES = 20


class State(StrEnum):
    """Whether a part of a study is there, and is what it should be."""

    HOLDS = "holds"
    DIFFERS = "differs"
    ABSENT = "absent"


@dataclass(frozen=True)
class Verdict:
    """What was found out about one part: in a sentence, then what differs, a line each.

    `notes` say what was not compared, and what else a reader needs.
    """

    part: str
    state: State
    sentence: str
    differences: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def verdict(
    part: str, sentence: str, differences: Sequence[str], notes: Sequence[str] = ()
) -> Verdict:
    """Say that a part holds, or differs in so many ways."""
    if not differences:
        return Verdict(part, State.HOLDS, sentence, notes=tuple(notes))
    count = f"{len(differences)} differences" if len(differences) > 1 else "1 difference"
    return Verdict(part, State.DIFFERS, count, tuple(differences), tuple(notes))


def verdict_lines(found: Verdict) -> list[str]:
    """Write a verdict for the terminal, the first twenty differences spelled out.

    >>> print(*verdict_lines(Verdict("plan", State.DIFFERS, "1 difference", ("q1: nobody",))))
    plan      differs  1 difference   - q1: nobody
    """
    lines = [f"{found.part:<9} {found.state:<8} {found.sentence}"]
    lines += [f"  - {line}" for line in found.differences[:MOST_LINES]]
    more = len(found.differences) - MOST_LINES
    lines += [f"  - and {more} more"] if more > 0 else []
    return lines + [f"  ({note})" for note in found.notes]
