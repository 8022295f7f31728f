"""`lontar check`: reads every input and says all that is wrong.

`lontar new`: writes a commented study folder.
"""

from __future__ import annotations

import secrets
import shlex
from pathlib import Path

import click

from analysis.predictions.prompts import (
    instruction_notes,
    turned_images,
    turned_note,
    unseen_note,
)
from analysis.release.leaks import ordinary_in_study
from sampling.benchmark.embedded_images import write_embedded_images
from sampling.input_checks import CheckedInputs, check_inputs
from sampling.study.errors import Problems
from sampling.study.folder import StudyFolder, open_study
from sampling.study.presets import GENERIC, PRESETS, write_preset
from study_server.folder.existing_database import is_there
from study_server.folder.model_checks import check_models
from study_server.folder.terminal import progress_bar
from study_server.participant.languages import describe_languages
from study_server.web.network_sources import PROXY_IS_A_MUST, is_public, lacks_proxy

NEXT_STEPS = """\
Next:
  1. copy the benchmark's files into {place}/benchmark (its README.md says which)
  2. read {place}/study.toml, and list the people in {place}/participants.csv
  3. lontar -C {folder} check       says what is still missing or wrong
  4. lontar -C {folder} sample      draws the questions
  5. lontar -C {folder} assign      plans who answers what
  6. lontar -C {folder} freeze      fixes it all by digest
  7. lontar -C {folder} coordinator add NAME    makes your own sign-in
  8. lontar -C {folder} invite --csv {links}  makes personal links
  9. lontar -C {folder} serve       runs the pages they lead to
 10. lontar -C {folder} export      writes the responses, when they are in
 11. lontar -C {folder} analyze     scores them and prints Table 11"""


@click.command("new")
@click.argument("directory", type=click.Path(path_type=Path))
@click.option(
    "--preset",
    type=click.Choice(PRESETS),
    default=None,
    help="Begin with the design for a known benchmark (default: a design to fill in).",
)
@click.pass_obj
def new_command(folder: Path, directory: Path, preset: str | None) -> None:
    """Write a commented study folder in DIRECTORY.

    It holds study.toml, a roster of pseudonyms, and folders for the benchmark, the models' outputs
    and practice questions. An existing study is never overwritten.
    """
    place = folder / directory
    written = write_preset(place, preset or GENERIC, secrets.token_hex(6))
    click.echo(f"{len(written)} files in {place}", err=True)
    click.echo(_next_steps(place), err=True)


def _next_steps(place: Path) -> str:
    """Say what comes next; a file of links is named from here, as a shell names files."""
    links = shlex.quote(str(place / "links.csv"))
    return NEXT_STEPS.format(folder=shlex.quote(str(place)), place=place, links=links)


@click.command("check")
@click.option(
    "--extract-images",
    is_flag=True,
    help="First write images that the question files hold (base64, Parquet) into `images`.",
)
@click.pass_obj
def check_command(folder: Path, extract_images: bool) -> None:
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
    checked = check_inputs(study, problems, begun=is_there(study))
    languages = describe_languages(study.definition.server.languages)
    model_lines, model_notes = check_models(study, checked, problems)
    lines = [*checked.lines, ("languages", languages), *model_lines]
    problems.raise_if_any()
    width = max(len(subject) for subject, _ in lines)
    verdict = "every input is in order"
    if count := checked.ids_that_exclude_nobody:
        noun = "annotator id" if count == 1 else "annotator ids"
        verdict = f"every input can be read, but {count} {noun} of the roster EXCLUDES NOBODY"
    click.echo(f"{study.definition.study.name}: {verdict}")
    for subject, words in lines:
        click.echo(f"  {subject.ljust(width)}  {words}")
    turned = turned_images(study, (one.image_name for one in checked.questions))
    views = [turned_note(len(turned), "`lontar prompts` writes upright copies")] if turned else []
    unseen = unseen_note(study, (one.image_name for one in checked.questions))
    views += [*([unseen] if unseen else []), *instruction_notes(study), *_proxy_notes(study)]
    for note in [*checked.notes, *views, *_name_notes(study, checked), *model_notes]:
        click.echo(f"note: {note}", err=True)


def _proxy_notes(study: StudyFolder) -> list[str]:
    """Say that a server which others reach has no proxy in front."""
    server = study.definition.server
    if is_public(server.url) and lacks_proxy(server.url, server.trusted_proxies):
        return [f"[server] url {server.url} is reached from other machines; {PROXY_IS_A_MUST}"]
    return []


def _name_notes(study: StudyFolder, checked: CheckedInputs) -> list[str]:
    """Say which pseudonyms a release cannot be searched for."""
    questions = [one.question_en for one in checked.questions]
    ordinary = ordinary_in_study(study, questions, (one.pseudonym for one in checked.people))
    if not ordinary:
        return []
    words = (
        f"{study.roster_file.name}: {', '.join(sorted(ordinary))}: also words of the questions, "
        "answers or instructions, so that a release cannot be searched for these names; P01, P02, "
        "... are safer"
    )
    return [words]
