"""`lontar verify`: recomputes and checks a study, part by part, or a bundle alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click
from rich.console import Console

from analysis.release.results_verification import verify_results
from sampling.draw.sample_verification import verify_sample
from sampling.plan.verification import verify_plan
from sampling.record.verdicts import State, Verdict, verdict, verdict_lines
from sampling.study.errors import StudyError
from sampling.study.folder import StudyFolder, open_study
from study_server.folder.bundle_verification import verify_bundle_alone, verify_bundle_of
from study_server.folder.erasure_verification import erased_people, left_in_exports
from study_server.folder.freeze_verification import verify_freeze
from study_server.folder.log_verification import events_of_study, verify_log
from study_server.folder.responses_verification import verify_responses


@click.command("verify")
@click.argument(
    "bundle", required=False, type=click.Path(path_type=Path, file_okay=False, exists=True)
)
@click.pass_obj
def command(folder: Path, bundle: Path | None) -> None:
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
