"""`lontar new`: writes a commented study folder."""

from __future__ import annotations

import secrets
import shlex
from pathlib import Path

import click

from sampling.study.presets import GENERIC, PRESETS, write_preset

NEXT_STEPS = """\
Next:
  1. copy the benchmark's files into {place}/benchmark (its README.md says which)
  2. read {place}/study.toml, and list the people in {place}/participants.csv
  3. lontar -C {folder} check       says what is still missing or wrong
  4. lontar -C {folder} sample      draws the questions
  5. lontar -C {folder} assign      plans who answers what
  6. lontar -C {folder} freeze      fixes it all by digest
  7. lontar -C {folder} coordinator add NAME    makes your own sign-in
  8. lontar -C {folder} invite --csv links.csv  makes personal links
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
def command(folder: Path, directory: Path, preset: str | None) -> None:
    """Write a commented study folder in DIRECTORY.

    It holds study.toml, a roster of pseudonyms, and folders for the benchmark, the models' outputs
    and practice questions. An existing study is never overwritten.
    """
    place = folder / directory
    written = write_preset(place, preset or GENERIC, secrets.token_hex(6))
    click.echo(f"{len(written)} files in {place}", err=True)
    click.echo(NEXT_STEPS.format(folder=shlex.quote(str(place)), place=place), err=True)
