"""`lontar verify`: recomputes and checks a study, part by part, or a bundle alone.

`lontar freeze`: fixes sample, plan, instructions and rules by digest.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click
from rich.console import Console

from analysis.release.verification import verify_results
from analysis.table11.run_record import scores_digest
from sampling.draw.verification import verify_sample
from sampling.plan.verification import verify_plan
from sampling.record.verdicts import State, Verdict, verdict, verdict_lines
from sampling.study.errors import StudyError
from sampling.study.folder import StudyFolder, open_study
from study_server.coordinator.frozen import freeze_study
from study_server.folder.loading import prepare_database
from study_server.folder.terminal import names_nobody_option, question_reason
from study_server.folder.verification import (
    erased_people,
    events_of_study,
    left_in_exports,
    verify_bundle_alone,
    verify_bundle_of,
    verify_freeze,
    verify_log,
    verify_responses,
)
from study_server.store.schema.database import transaction
from study_server.store.steering.coordination import Decision
from study_server.web import clock


@click.command("freeze")
@click.option("--reason", default="", help="Why now, for the log.")
@names_nobody_option
@click.option("--check", is_flag=True, help="Freeze nothing; list what differs from the freeze.")
@click.pass_obj
def freeze_command(folder: Path, reason: str, names_nobody: bool, check: bool) -> None:
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
    question_reason(reason, names_nobody)
    with transaction(prepare_database(study, clock.now())) as session:
        decision = Decision(clock.now(), "command line", reason)
        digest = freeze_study(session, study, decision, with_keys=True, scores=scores_digest())
    click.echo(digest)
    click.echo("frozen in freeze.json; keep the digest where others can find it", err=True)


@click.command("verify")
@click.argument(
    "bundle", required=False, type=click.Path(path_type=Path, file_okay=False, exists=True)
)
@click.pass_obj
def verify_command(folder: Path, bundle: Path | None) -> None:
    """Draw the sample again, count the plan's rules again, check all that came of them.

    Freeze, log, responses against the database, results against their inputs, and the bundle
    against both. BUNDLE checks a released bundle alone, without its study. Exit 1 when anything
    differs; what is absent, or cannot be compared, is said to be so.
    """
    if bundle is not None:
        found = [verify_bundle_alone(bundle)]
    else:
        study = open_study(folder)
        parts = {
            "sample": verify_sample,
            "plan": verify_plan,
            "freeze": verify_freeze,
            "log": verify_log,
            "responses": verify_responses,
            "results": verify_results,
            "erasure": _erasure,
            "bundle": verify_bundle_of,
        }
        found = []
        with Console(stderr=True).status("") as status:
            for part, check in parts.items():
                status.update(f"checking {part}")
                found.append(_verify(part, check, study))
    for one in found:
        click.echo("\n".join(verdict_lines(one)))
    if any(one.state is State.DIFFERS for one in found):
        click.get_current_context().exit(1)


def _verify(part: str, check: Callable[[StudyFolder], Verdict], study: StudyFolder) -> Verdict:
    """Check one part; what keeps it from being checked is a difference like any other."""
    try:
        return check(study)
    except StudyError as error:
        return verdict(part, "", error.problems)


def _erasure(study: StudyFolder) -> Verdict:
    if not erased_people(events_of_study(study)):
        return Verdict("erasure", State.ABSENT, "nobody was erased")
    held = "nothing of those who were erased is in responses/ or results/"
    return verdict("erasure", held, left_in_exports(study))
