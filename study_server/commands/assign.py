"""`lontar assign`: plans who answers what, in which order."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from sampling.assignment.feasibility import explain_shortfall, explain_slack
from sampling.assignment.plan_files import write_plan, write_plan_report
from sampling.assignment.plan_inputs import exclusion_notes, read_lengths, read_plan_inputs
from sampling.plan.report import plan_report, relaxation_lines, shortfall_report
from sampling.plan.solver import make_plan, remedy, study_feasibility
from sampling.study.errors import StudyError
from sampling.study.folder import open_study
from study_server.folder.may_change import overwrite_notice, refuse_when_begun


@click.command("assign")
@click.pass_obj
def command(folder: Path) -> None:
    """Plan who answers what: writes plan/assignment.csv and plan/report.md."""
    study = open_study(folder)
    refuse_when_begun(study, "plan")
    inputs = read_plan_inputs(study)
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
