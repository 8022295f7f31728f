"""The state of a study for the terminal: the dashboard's numbers in a few lines.

`lontar erase`: deletes a participant's answers.
`lontar export`: writes the responses out of the database.
`lontar status`: the completion table in the terminal.
`lontar backup`: writes a consistent copy of the database.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from string import ascii_uppercase

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text
from sqlalchemy.orm import Session

from sampling.record.event_log import event_line
from sampling.study.errors import StudyError
from sampling.study.files import write_whole
from sampling.study.folder import open_study
from study_server.coordinator.forecast import Level, Outlook, outlook
from study_server.coordinator.progress import (
    Cell,
    Matrix,
    Projection,
    build_matrix,
    project,
    since_text,
    unheld_answers,
    window_start,
)
from study_server.folder.existing_database import open_existing, reading_existing
from study_server.folder.loading import write_replacements
from study_server.folder.response_files import (
    write_completion_codes,
    write_csv,
    write_json,
    write_json_lines,
)
from study_server.folder.terminal import names_nobody_option, question_reason
from study_server.store.answering.withdrawal import erase
from study_server.store.asking.participants import find_participant
from study_server.store.assigning.run_state import load_run_state
from study_server.store.schema.backup import backup, compact
from study_server.store.schema.database import reading, taken_for_one, transaction
from study_server.store.schema.events import read_log
from study_server.store.schema.tables import ParticipantTable
from study_server.store.steering.dashboard import (
    ParticipantCount,
    Study,
    cell_counts,
    first_answer_at,
    participant_counts,
    study_row,
)
from study_server.store.steering.exporting import (
    completion_records,
    participant_flow,
    read_responses,
)
from study_server.web import clock

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
    return Status(
        study,
        outlook(load_run_state(session)),
        matrix,
        project(people, unheld_answers(matrix, people), at, since, study.state),
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


SECONDS = 2.0


@click.command("status")
@click.option("--watch", is_flag=True, help="Keep it up to date until Ctrl-C.")
@click.pass_obj
def status_command(folder: Path, watch: bool) -> None:
    """Show what is done, by collection and category and by participant."""
    study = open_study(folder)
    console = Console()
    with reading_existing(study) as session:
        status = load_status(session, clock.now())
    if not watch:
        console.print(status_text(status, console.width))
        return
    engine = open_existing(study)
    try:
        with Live(status_text(status, console.width), console=console, auto_refresh=False) as live:
            while True:
                time.sleep(SECONDS)
                with reading(engine) as session:
                    status = load_status(session, clock.now())
                live.update(status_text(status, console.width), refresh=True)
    except KeyboardInterrupt:
        return


@click.command("export")
@click.pass_obj
def export_command(folder: Path) -> None:
    """Write responses/responses.jsonl, .csv, flow.json and events.jsonl from one snapshot.

    Questions that were replaced on the coordinator's pages are replaced in sample/ as well. Where
    people have finished, completion_codes.csv says whose code is whose; no bundle takes it in.
    """
    study = open_study(folder)
    engine = open_existing(study)
    with taken_for_one(engine):
        replaced = write_replacements(engine, study)
    with reading_existing(study) as session:
        records = read_responses(session)
        flow = participant_flow(session)
        codes = completion_records(session)
        events = [event_line(event) + "\n" for event in read_log(session)]
    write_json_lines(study.responses_file, records)
    write_csv(study.responses_file.with_suffix(".csv"), records)
    write_json(study.responses_file.with_name("flow.json"), flow)
    write_completion_codes(study.completion_codes_file, codes)
    write_whole(study.responses_file.with_name("events.jsonl"), "".join(events))
    if replaced:
        what = "1 question was" if replaced == 1 else f"{replaced} questions were"
        click.echo(f"{what} replaced: sample/ and plan/ written again", err=True)
    counts = Counter(record["status"] for record in records)
    told = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    what = "1 response" if len(records) == 1 else f"{len(records)} responses"
    click.echo(f"{what} written to responses/ ({told or 'none yet'})", err=True)


@click.command("backup")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--force", is_flag=True, help="Write over an existing file.")
@click.pass_obj
def backup_command(folder: Path, file: Path, force: bool) -> None:
    """Copy the database to FILE while the study runs.

    FILE is a SQLite database whatever the study runs on. To restore, stop the server, put FILE in
    the place of study.db and start again.
    """
    rows = backup(open_existing(open_study(folder)), file, force)
    click.echo(f"{file}: {rows} rows in one consistent copy", err=True)


@click.command("erase")
@click.argument("participant")
@click.option("--reason", default="", help="Why, for the log; never a name or an answer.")
@names_nobody_option
@click.option("--yes", is_flag=True, help="Do not ask, as is usual on a terminal.")
@click.pass_obj
def erase_command(
    folder: Path, participant: str, reason: str, names_nobody: bool, yes: bool
) -> None:
    """Delete everything PARTICIPANT answered and wrote; only that they took part remains."""
    question_reason(reason, names_nobody)
    study = open_study(folder)
    engine = open_existing(study)
    with reading(engine) as session:
        known = _known(session, participant).pseudonym
    if not yes and on_terminal():
        click.confirm(f"Delete every answer of {known} for good?", abort=True, err=True)
    with transaction(engine) as session:
        person = _known(session, participant)
        done = erase(session, person.id, clock.now(), "command line", reason)
    compact(engine)
    click.echo(
        f"{person.pseudonym}: {'erased; their slots are free' if done else 'was erased already'}. "
        "Write responses/, results/ and release/ again (`lontar export`, `analyze`, `release`), "
        "and delete older backups.",
        err=True,
    )


def _known(session: Session, participant: str) -> ParticipantTable:
    """Find the person, or say that there is none."""
    person = find_participant(session, participant)
    if person is None:
        raise StudyError(f"{participant!r}: no such participant in the database")
    return person


def on_terminal() -> bool:
    """Tell whether somebody is there to be asked."""
    return sys.stdin.isatty()
