"""The state of a study for the terminal: the dashboard's numbers in a few lines."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from string import ascii_uppercase

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from sqlalchemy.orm import Session

from study_server.coordinator.forecast import Level, Outlook, outlook
from study_server.coordinator.progress import (
    Cell,
    Matrix,
    Projection,
    build_matrix,
    project,
    since_text,
    window_start,
)
from study_server.store.assigning.run_state import load_run_state
from study_server.store.steering.dashboard import (
    ParticipantCount,
    Study,
    cell_counts,
    first_answer_at,
    participant_counts,
    study_row,
)

STYLES = {Level.GOOD: "green", Level.WARNING: "yellow", Level.BAD: "bold red"}


@dataclass(frozen=True)
class Status:
    """What the terminal shows."""

    study: Study
    outlook: Outlook
    matrix: Matrix
    projection: Projection
    people: tuple[ParticipantCount, ...]
    at: datetime


def load_status(session: Session, at: datetime) -> Status:
    """Read it in one transaction."""
    study = study_row(session)
    since = window_start(at, first_answer_at(session))
    matrix = build_matrix(cell_counts(session), study.responses_per_question)
    people = participant_counts(session, since)
    unheld = matrix.total.needed - sum(person.assigned for person in people)
    return Status(
        study,
        outlook(load_run_state(session)),
        matrix,
        project(people, unheld, at, since, study.state),
        people,
        at,
    )


def status_text(status: Status, width: int = 80) -> RenderableType:
    """Lay it out for a terminal of so many columns."""
    total = status.matrix.total
    share = total.answered / total.needed if total.needed else 0.0
    title = Text.assemble(
        (status.study.name, "bold"),
        f"  {status.study.state}  {total.answered} of {total.needed} answers ({share:.0%})",
    )
    verdict = Text(status.outlook.headline, style=STYLES[status.outlook.level])
    details = [Text(f"  {detail}") for detail in status.outlook.details]
    finish = status.projection.finish_at
    end = f"Done about {finish:%Y-%m-%d %H:%M} UTC: " if finish else ""
    return Group(
        title,
        verdict,
        *details,
        Text(end + status.projection.sentence),
        *_matrix(status.matrix, width),
        _people(status),
    )


def _matrix(matrix: Matrix, width: int) -> list[RenderableType]:
    """Lay the matrix out with whole numbers and words; letters stand for names that do not fit."""
    totals = [*matrix.by_category, matrix.total]
    names = [*matrix.categories, "all"]
    numbers = [max(len(_cell(total)), 6) for total in totals]
    words = [max(len(word) for word in [*name.split(), ""]) for name in names]
    first = max([len(name) for name in matrix.collections] + [3])
    fits = first + 1 + sum(1 + max(pair) for pair in zip(words, numbers, strict=True)) <= width
    letters = list(ascii_uppercase[: len(matrix.categories)])
    heads = names if fits or len(letters) < len(matrix.categories) else [*letters, "all"]
    table = Table(show_footer=True, box=None, padding=(0, 1, 0, 0))
    table.add_column("", footer="all", no_wrap=True)
    for head, total, number in zip(heads, totals, numbers, strict=True):
        table.add_column(
            head, footer=_cell(total), justify="right", overflow="fold", min_width=number
        )
    for name, row, total in zip(matrix.collections, matrix.rows, matrix.by_collection, strict=True):
        table.add_row(name or "—", *(_cell(cell) for cell in row), _cell(total))
    if heads is names:
        return [table]
    meant = zip(letters, matrix.categories, strict=True)
    return [Text(", ".join(f"{letter}={name}" for letter, name in meant), style="dim"), table]


def _cell(cell: Cell | None) -> Text:
    if cell is None:
        return Text("")
    style = "green" if cell.answered >= cell.needed else "dim" if not cell.answered else ""
    return Text(f"{cell.answered}/{cell.needed}", style=style)


def _people(status: Status) -> Table:
    table = Table(
        "participant", "state", "answered", "session", "last seen", box=SIMPLE_HEAD, show_edge=False
    )
    for person in status.people:
        table.add_row(
            person.pseudonym,
            person.state,
            f"{person.answered}/{person.assigned}",
            f"{min(person.session, person.sessions)}/{person.sessions}",
            since_text(person.last_seen_at, status.at),
        )
    return table
