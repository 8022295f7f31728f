"""The annotators file: who wrote, reviewed or adjudicated each question's key."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sampling.benchmark.image_names import composed
from sampling.study.errors import Problems, StudyError, did_you_mean
from sampling.tables.row_files import RowTable, read_rows

COLUMNS = ("sample_id", "annotator", "role")


@dataclass(frozen=True)
class Annotation:
    """One person's part in one question's key."""

    sample_id: str
    annotator: str
    role: str


def read_annotators(path: Path) -> tuple[Annotation, ...]:
    """Read `sample_id,annotator,role`, in the order of the file.

    Raises
    ------
    StudyError
        With every problem at once: a missing file or column, an empty cell.
    """
    problems = Problems()
    table = read_rows(path, problems)
    if table.rows:
        check_columns(table, COLUMNS)
    annotations = []
    for place, row in table.places():
        cells = [str(row.get(column) or "").strip() for column in COLUMNS]
        for column, cell in zip(COLUMNS, cells, strict=True):
            if not cell:
                problems.add(place, f"has no {column!r}", f"rows without {column!r}")
        annotations.append(Annotation(*cells))
    problems.raise_if_any()
    return tuple(annotations)


def unknown_questions(annotations: Iterable[Annotation], known: Iterable[str]) -> list[str]:
    """List the ids that no question has, in whichever Unicode form it is written.

    >>> unknown_questions([Annotation("q1", "A1", "author")], ["q2"])
    ['q1']
    """
    names = set(map(composed, known))
    return sorted({one.sample_id for one in annotations if composed(one.sample_id) not in names})


def columns_of(table: RowTable) -> list[str]:
    """List the fields that any row of a table has, in the order in which they appear."""
    return list(dict.fromkeys(name for _, row in table.rows for name in row))


def check_columns(table: RowTable, required: tuple[str, ...]) -> None:
    """Refuse a table in which no row has a required column, naming the one it may be under.

    Raises
    ------
    StudyError
        With every missing column.
    """
    present = columns_of(table)
    missing = [column for column in required if column not in present]
    if missing:
        raise StudyError(
            *(
                f"{table.name}: no column {column!r}{did_you_mean(column, present)}; "
                f"it has {', '.join(present)}"
                for column in missing
            )
        )
