"""`lontar check`: reads every input and says all that is wrong."""

from __future__ import annotations

from pathlib import Path

import click

from sampling.embedded_images import write_embedded_images
from sampling.errors import Problems
from sampling.input_checks import check_inputs
from sampling.study_folder import open_study
from study_server.catalogs import describe_languages
from study_server.model_checks import check_models
from study_server.progress_bars import progress_bar


@click.command("check")
@click.option(
    "--extract-images",
    is_flag=True,
    help="First write images that the question files hold (base64, Parquet) into `images`.",
)
@click.pass_obj
def command(folder: Path, extract_images: bool) -> None:
    """Read every input and say all that is wrong, also whether the people can finish.

    Questions, vocabularies, images, checksums, annotators, roster, practice, predictions.
    Nothing is written, except by --extract-images.
    """
    study = open_study(folder)
    if extract_images:
        with progress_bar("writing images") as progress:
            written = write_embedded_images(study, progress)
        click.echo(f"{written} images written to {study.images_folder}", err=True)
    problems = Problems()
    checked = check_inputs(study, problems)
    languages = describe_languages(study.definition.server.languages)
    lines = [*checked.lines, ("languages", languages), *check_models(study, checked, problems)]
    problems.raise_if_any()
    width = max(len(subject) for subject, _ in lines)
    click.echo(f"{study.definition.study.name}: every input is in order")
    for subject, words in lines:
        click.echo(f"  {subject.ljust(width)}  {words}")
    for note in checked.notes:
        click.echo(f"note: {note}", err=True)
