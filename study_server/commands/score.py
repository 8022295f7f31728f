"""`lontar score`: predictions against keys, without a study folder."""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

import click

from analysis.table11.alone import DEFAULT_CONDITION, score_files, summary
from analysis.table11.scored_files import prediction_lines
from sampling.study.questions import QUESTION_FIELDS

_FILE = click.Path(path_type=Path)


@click.command("score")
@click.option("--questions", type=_FILE, required=True, help="Questions (JSONL, CSV, ...).")
@click.option("--keys", type=_FILE, required=True, help="Reference answers: sample_id, answer.")
@click.option("--vocabularies", type=_FILE, required=True, help="Allowed answers (JSON).")
@click.option("--format", "format_name", help="Force a format that is else found by looking.")
@click.option(
    "--condition",
    default=DEFAULT_CONDITION,
    show_default=True,
    help="The prompt condition of files that do not say.",
)
@click.option(
    "--field",
    "fields",
    multiple=True,
    metavar="OURS=THEIRS",
    help="Where a field of questions and keys comes from: sample_id=uid. May be repeated.",
)
@click.option(
    "-o",
    "--output",
    type=click.File("w", encoding="utf-8"),
    default="-",
    help="Write the lines into this file (default: to standard output).",
)
@click.argument("predictions", nargs=-1, required=True)
def command(
    questions: Path,
    keys: Path,
    vocabularies: Path,
    format_name: str | None,
    condition: str,
    fields: tuple[str, ...],
    output: TextIO,
    predictions: tuple[str, ...],
) -> None:
    """Score model outputs: one JSON line an answer, and a summary in words.

    PREDICTIONS are files, folders or globs in any supported format.
    """
    sources = {}
    for one in fields:
        ours, equals, theirs = one.partition("=")
        if not equals or ours not in (*QUESTION_FIELDS, "answer") or not theirs:
            known = ", ".join((*QUESTION_FIELDS, "answer"))
            raise click.BadParameter(f"{one!r} is not OURS=THEIRS; ours is one of {known}")
        sources[ours] = theirs
    scored = score_files(
        questions, keys, vocabularies, predictions, format_name, condition, sources
    )
    output.writelines(prediction_lines(scored))
    for warning in scored.warnings:
        click.echo(f"note: {warning}", err=True)
    click.echo(summary(scored), err=True)
