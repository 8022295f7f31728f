"""`lontar sample`: draws the subset that people will answer.

`lontar assign`: plans who answers what, in which order.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console

from sampling.assignment.feasibility import explain_shortfall, explain_slack
from sampling.assignment.inputs import exclusion_notes, read_lengths, read_plan_inputs
from sampling.assignment.plan import read_plan, write_plan, write_plan_report
from sampling.assignment.roster import check_pseudonyms
from sampling.draw.manifest import read_manifest, recorded_faults, sample_settings
from sampling.draw.sample_files import DrawnStudy, draw_study, write_sample
from sampling.plan.report import plan_report, relaxation_lines, shortfall_report
from sampling.plan.run_changes import replace_in_plan
from sampling.plan.solver import make_plan, remedy, study_feasibility
from sampling.study.errors import StudyError
from sampling.study.folder import StudyFolder, open_study
from study_server.folder.existing_database import is_there, overwrite_notice, refuse_when_begun
from study_server.folder.terminal import names_nobody_option, progress_bar, question_reason


@click.command("sample")
@click.option(
    "--replace", "faulty", metavar="SAMPLE_ID", help="Take a faulty question out of the sample."
)
@click.option("--reason", metavar="TEXT", help="Why; it is recorded in the manifest.")
@names_nobody_option
@click.pass_obj
def sample_command(
    folder: Path, faulty: str | None, reason: str | None, names_nobody: bool
) -> None:
    """Draw the subset: writes sample/questions.jsonl, keys, reserve and manifest.

    With --replace the next question in rank takes the place of a faulty one, in the sample and
    in the plan. Questions that were replaced stay out when the sample is drawn again.
    """
    if (faulty is None) != (reason is None):
        raise click.UsageError("--replace and --reason go together")
    question_reason(reason or "", names_nobody)
    study = open_study(folder)
    refuse_when_begun(study, "sample")
    if faulty is None or reason is None:
        drawn = _draw(study, _known_faults(study))
        _say(overwrite_notice(study.questions_file))
        write_sample(study, drawn)
        strata = len(drawn.sample.draw.strata)
        where = "1 stratum" if strata == 1 else f"{strata} strata"
        count = len(drawn.sample.questions)
        _say(f"{'1 question' if count == 1 else f'{count} questions'} from {where}")
        return
    _replace(study, faulty, reason)


def _known_faults(study: StudyFolder) -> list[tuple[str, str]]:
    """List the questions found faulty so far."""
    manifest = read_manifest(study.manifest_file)
    known = recorded_faults(manifest) if manifest is not None else []
    for sample_id, reason in known:
        _say(f"note: {sample_id} stays replaced ({reason}), as sample/manifest.json records")
    return known


def _draw(study: StudyFolder, faulty: Sequence[tuple[str, str]]) -> DrawnStudy:
    with progress_bar("looking at images") as progress:
        drawn = draw_study(study, faulty, progress)
    for note in drawn.notes:
        _say(f"note: {note}")
    return drawn


def _replace(study: StudyFolder, faulty: str, reason: str) -> None:
    """Replace one question, and give its slots to the same people where they may answer it."""
    manifest = read_manifest(study.manifest_file)
    if manifest is None:
        raise StudyError("sample/manifest.json: not found; draw the sample with `lontar sample`")
    if manifest["settings"] != sample_settings(study.definition) or (
        manifest["seed"] != study.definition.study.seed
    ):
        raise StudyError(
            "study.toml: changed since the sample was drawn, so another sample would come out; "
            "put [study] seed, [sample] and `where` back, or draw anew with `lontar sample`"
        )
    if not any(faulty in stratum["drawn"] for stratum in manifest["strata"]):
        raise StudyError(f"{faulty}: not a question of the sample, so there is nothing to replace")
    drawn = _draw(study, [*recorded_faults(manifest), (faulty, reason)])
    new = str(drawn.sample.replacements[-1].replacement)
    write_sample(study, drawn)
    _say(f"{faulty} is replaced by {new}")
    if study.assignment_file.exists():
        rules, seed = study.definition.assignment, study.definition.study.seed
        slots = read_plan(study.assignment_file)
        planned = replace_in_plan(slots, {faulty: new}, read_plan_inputs(study), rules, seed)
        if planned.unplaced:
            raise StudyError(
                f"{new}: {len(planned.unplaced)} of its answers could be given to nobody, so the "
                "plan is as it was; plan anew with `lontar assign`"
            )
        write_plan(study.assignment_file, planned.slots)
        _say(f"plan/assignment.csv: {len(planned.moves)} slots changed hands")


def _say(words: str | None) -> None:
    if words is not None:
        click.echo(words, err=True)


@click.command("assign")
@click.pass_obj
def assign_command(folder: Path) -> None:
    """Plan who answers what: writes plan/assignment.csv and plan/report.md."""
    study = open_study(folder)
    refuse_when_begun(study, "plan")
    inputs = read_plan_inputs(study)
    if not is_there(study):
        check_pseudonyms(inputs.participants, study.roster_file.name)
    rules = study.definition.assignment
    if rules.mode == "open":
        click.echo('note: [assignment] mode = "open" needs no plan; nobody is held to it', err=True)
    with Console(stderr=True).status("asking whether the people can finish") as status:
        found = study_feasibility(inputs.questions, inputs.participants, inputs.excluded, rules)
        if not found.possible:
            write_plan_report(study.plan_report_file, shortfall_report(found))
            advice = remedy(found, rules.responses_per_question, len(inputs.participants))
            raise StudyError(
                f"no plan: {explain_shortfall(found)}; {advice} (all in plan/report.md)"
            )
        status.update("planning who answers what")
        planned = make_plan(
            inputs.questions,
            inputs.participants,
            inputs.excluded,
            rules,
            study.definition.study.seed,
            read_lengths(study),
        )
    for note in (*exclusion_notes(study, inputs), overwrite_notice(study.assignment_file)):
        if note is not None:
            click.echo(note, err=True)
    write_plan(study.assignment_file, planned.slots)
    write_plan_report(study.plan_report_file, plan_report(planned))
    click.echo(f"{len(planned.slots)} answers planned: {explain_slack(found)}", err=True)
    for line in relaxation_lines(planned):
        click.echo(f"relaxed: {line}", err=True)
