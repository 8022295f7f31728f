"""`lontar erase`: deletes a participant's answers."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from sqlalchemy.orm import Session

from sampling.study.errors import StudyError
from sampling.study.folder import open_study
from study_server.folder.existing_database import open_existing
from study_server.store.answering.withdrawal import erase
from study_server.store.asking.participants import find_participant
from study_server.store.schema.backup import compact
from study_server.store.schema.database import reading, transaction
from study_server.store.schema.tables import ParticipantTable
from study_server.web import clock


@click.command("erase")
@click.argument("participant")
@click.option("--reason", default="", help="Why, for the log; never a name or an answer.")
@click.option("--yes", is_flag=True, help="Do not ask, as is usual on a terminal.")
@click.pass_obj
def command(folder: Path, participant: str, reason: str, yes: bool) -> None:
    """Delete everything PARTICIPANT answered and wrote; only that they took part remains."""
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
