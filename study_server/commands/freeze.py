"""`lontar freeze`: fixes sample, plan, instructions and rules by digest."""

from __future__ import annotations

from pathlib import Path

import click

from sampling.record.verdicts import State
from sampling.study.errors import StudyError
from sampling.study.folder import open_study
from study_server.coordinator.frozen import freeze_study
from study_server.folder.freeze_verification import verify_freeze
from study_server.folder.loading import prepare_database
from study_server.store.schema.database import transaction
from study_server.store.steering.coordination import Decision
from study_server.web import clock


@click.command("freeze")
@click.option("--reason", default="", help="Why now, for the log.")
@click.option("--check", is_flag=True, help="Freeze nothing; list what differs from the freeze.")
@click.pass_obj
def command(folder: Path, reason: str, check: bool) -> None:
    """Fix the study by digest, before the first answer; later differences are deviations.

    Writes freeze.json: a digest of every file of the sample, the plan, the instructions, the
    vocabularies and the scoring rules, and the value of every setting of the analysis plan,
    and the seed.
    """
    study = open_study(folder)
    if check:
        found = verify_freeze(study)
        if found.state is State.ABSENT:
            raise StudyError(f"freeze.json: {found.sentence}")
        for difference in found.differences:
            click.echo(difference)
        count = len(found.differences)
        counted = "1 deviation" if count == 1 else f"{count or 'no'} deviations"
        click.echo(f"{counted} from the freeze", err=True)
        return
    with transaction(prepare_database(study, clock.now())) as session:
        decision = Decision(clock.now(), "command line", reason)
        digest = freeze_study(session, study, decision, with_keys=True)
    click.echo(digest)
    click.echo("frozen in freeze.json; keep the digest where others can find it", err=True)
