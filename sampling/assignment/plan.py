"""Reads and writes `plan/assignment.csv`.

The plan: who answers which question, in which session and at which position.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sampling.study.errors import Problems, StudyError, did_you_mean
from sampling.study.files import write_whole


@dataclass(frozen=True, order=True)
class Slot:
    """One of the k places for an answer to a question, given to one participant.

    `response_index` runs from 1 to k within a question; `session` from 1; `position` from 1
    within a participant, across sessions.
    """

    participant: str
    sample_id: str
    response_index: int
    session: int
    position: int


COLUMNS = ("participant", "sample_id", "response_index", "session", "position")


def write_plan(path: Path, slots: Iterable[Slot]) -> None:
    """Write a plan, each person's slots in the order they are answered."""
    table = io.StringIO(newline="")
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(COLUMNS)
    for slot in sorted(slots, key=lambda one: (one.participant, one.position)):
        writer.writerow([getattr(slot, column) for column in COLUMNS])
    write_whole(path, table.getvalue())


def read_plan(path: Path) -> tuple[Slot, ...]:
    """Read a plan; every line that cannot be read is named in one `StudyError`.

    Whether the plan keeps the study's rules is for `sampling.plan.check` to say.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise StudyError(
            f"{path.name}: not found; plan who answers what with `lontar assign`"
        ) from None
    except UnicodeDecodeError:
        raise StudyError(f"{path.name}: not UTF-8 text; save it as UTF-8") from None
    reader = csv.reader(io.StringIO(text, newline=""))
    head = next(reader, [])
    missing = [column for column in COLUMNS if column not in head]
    if missing:
        named = ", ".join(f"{column!r}{did_you_mean(column, head)}" for column in missing)
        raise StudyError(f"{path.name} line 1: no column {named}; it has {', '.join(head)}")
    places = [head.index(column) for column in COLUMNS]
    problems = Problems()
    slots = []
    for cells in reader:
        row = cells if len(cells) >= len(head) else [*cells, *[""] * (len(head) - len(cells))]
        participant, sample_id, *numbers = (row[place] for place in places)
        if participant and sample_id and all(one.isdecimal() and int(one) for one in numbers):
            slots.append(Slot(participant, sample_id, *map(int, numbers)))
        elif any(row):
            _tell_faults(problems, f"{path.name} line {reader.line_num}", row, places)
    problems.raise_if_any()
    return tuple(slots)


def _tell_faults(problems: Problems, place: str, row: list[str], places: list[int]) -> None:
    """Add what is wrong with a row of the plan."""
    participant, sample_id, *numbers = (row[place] for place in places)
    for column, value in zip(COLUMNS[2:], numbers, strict=True):
        if not value.isdecimal() or not int(value):
            problems.add(place, f"{column} {value!r} is not a whole number from 1")
    if not participant or not sample_id:
        problems.add(place, "no participant or no sample_id")


def write_plan_report(path: Path, text: str) -> None:
    """Write `plan/report.md`."""
    write_whole(path, text)
