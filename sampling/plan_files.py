"""Reads and writes `plan/assignment.csv`."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import Path

from sampling.errors import Problems, StudyError
from sampling.plan import Slot
from sampling.whole_files import write_whole

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

    Whether the plan keeps the study's rules is for `sampling.plan_check` to say.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise StudyError(
            f"{path.name}: not found; plan who answers what with `lontar assign`"
        ) from None
    except UnicodeDecodeError:
        raise StudyError(f"{path.name}: not UTF-8 text; save it as UTF-8") from None
    reader = csv.DictReader(io.StringIO(text, newline=""))
    problems = Problems()
    missing = [column for column in COLUMNS if column not in (reader.fieldnames or ())]
    if missing:
        raise StudyError(f"{path.name} line 1: no column {', '.join(missing)}")
    slots = []
    for row in reader:
        numbers = [(column, row[column] or "") for column in COLUMNS[2:]]
        bad = [column for column, value in numbers if not value.isdecimal() or int(value) < 1]
        for column in bad:
            problems.add(
                f"{path.name} line {reader.line_num}",
                f"{column} {row[column]!r} is not a whole number from 1",
            )
        if not row["participant"] or not row["sample_id"]:
            problems.add(f"{path.name} line {reader.line_num}", "no participant or no sample_id")
        elif not bad:
            first, second, third = (int(value) for _, value in numbers)
            slots.append(Slot(row["participant"], row["sample_id"], first, second, third))
    problems.raise_if_any()
    return tuple(slots)


def write_plan_report(path: Path, text: str) -> None:
    """Write `plan/report.md`."""
    write_whole(path, text)
