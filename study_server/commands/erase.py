"""`lontar erase`: deletes a participant's answers."""

from __future__ import annotations

from pathlib import Path

import click

from sampling.errors import StudyError
from sampling.study_folder import open_study
from study_server import clock
from study_server.existing_database import open_existing
from study_server.store.backup import compact
from study_server.store.database import transaction
from study_server.store.participants import find_participant
from study_server.store.withdrawal import erase


@click.command("erase")
@click.argument("participant")
@click.option("--reason", default="", help="Why, for the log; never a name or an answer.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def command(folder: Path, participant: str, reason: str, yes: bool) -> None:
    """Delete everything PARTICIPANT answered and wrote; only that they took part remains."""
    study = open_study(folder)
    engine = open_existing(study)
    if not yes:
        click.confirm(f"Delete every answer of {participant} for good?", abort=True, err=True)
    with transaction(engine) as session:
        person = find_participant(session, participant)
        if person is None:
            raise StudyError(f"{participant!r}: no such participant in the database")
        done = erase(session, person.id, clock.now(), "command line", reason)
    compact(engine)
    click.echo(
        f"{person.pseudonym}: {'erased; their slots are free' if done else 'was erased already'}. "
        "Write responses/, results/ and release/ again (`lontar export`, `analyze`, `release`), "
        "and delete older backups.",
        err=True,
    )
