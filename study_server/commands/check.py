"""`lontar check`: reads every input and says all that is wrong."""

from __future__ import annotations

from pathlib import Path

import click

from sampling.errors import Problems
from sampling.input_checks import check_inputs
from sampling.study_folder import open_study
from study_server.model_checks import check_models


@click.command("check")
@click.pass_obj
def command(folder: Path) -> None:
    """Read every input and say all that is wrong, also whether the people can finish.

    Questions, vocabularies, images, checksums, annotators, roster, practice, predictions.
    Nothing is written.
    """
    study = open_study(folder)
    problems = Problems()
    checked = check_inputs(study, problems)
    lines = [*checked.lines, *check_models(study, checked, problems)]
    problems.raise_if_any()
    width = max(len(subject) for subject, _ in lines)
    click.echo(f"{study.definition.study.name}: every input is in order")
    for subject, words in lines:
        click.echo(f"  {subject.ljust(width)}  {words}")
    for note in checked.notes:
        click.echo(f"note: {note}", err=True)
