"""`lontar verify`: recomputes and checks a sample, a plan, a freeze, a log and a bundle."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click
from rich.console import Console

from analysis.release.contents import SUMS
from analysis.release.verification import verify_bundle
from sampling.errors import StudyError
from sampling.plan_verification import verify_plan
from sampling.sample_verification import verify_sample
from sampling.study_folder import StudyFolder, open_study
from sampling.verdicts import State, Verdict, verdict, verdict_lines
from study_server.erasure_verification import erased_people, left_in_bundle, left_in_exports
from study_server.freeze_verification import verify_freeze
from study_server.log_verification import events_of_study, verify_log

BUNDLE_HOLDS = "every file as released, every answer scored again"


@click.command("verify")
@click.argument(
    "bundle", required=False, type=click.Path(path_type=Path, file_okay=False, exists=True)
)
@click.pass_obj
def command(folder: Path, bundle: Path | None) -> None:
    """Draw the sample again, count the plan's rules again, check freeze, log and bundle.

    BUNDLE checks a released bundle alone, without its study. Exit 1 when anything differs; what
    is absent is said to be absent.
    """
    if bundle is not None:
        found = [verdict("bundle", BUNDLE_HOLDS, verify_bundle(bundle))]
    else:
        study = open_study(folder)
        parts = {
            "sample": verify_sample,
            "plan": verify_plan,
            "freeze": verify_freeze,
            "log": verify_log,
            "erasure": _erasure,
            "bundle": _bundle,
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


def _bundle(study: StudyFolder) -> Verdict:
    if not (study.release_folder / SUMS).is_file():
        return Verdict("bundle", State.ABSENT, "no release/; `lontar release` builds the bundle")
    problems = verify_bundle(study.release_folder) or left_in_bundle(study)
    return verdict("bundle", BUNDLE_HOLDS, problems)


def _erasure(study: StudyFolder) -> Verdict:
    if not erased_people(events_of_study(study)):
        return Verdict("erasure", State.ABSENT, "nobody was erased")
    held = "nothing of those who were erased is in responses/ or results/"
    return verdict("erasure", held, left_in_exports(study))
