"""`lontar score`: predictions against keys, without a study folder.

`lontar prompts`: what a model must be asked, for the same questions and vocabularies.
`lontar check-reported`: tells whether published percentages are possible for their n.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, TextIO

import click

from analysis.predictions.prompts import (
    constrained_prompts,
    image_prompts,
    instruction_notes,
    model_format_texts,
    model_instructions,
    open_prompts,
    turned_images,
    turned_note,
    unseen_note,
    write_upright,
)
from analysis.scoring.basis import read_questions_and_vocabularies
from analysis.table11.alone import DEFAULT_CONDITION, score_files, summary
from analysis.table11.reported import check_reported_file
from analysis.table11.scored_files import prediction_lines
from sampling.answers.vocabularies import OLD_RULE, READING_RULE
from sampling.benchmark.question_files import write_json_lines
from sampling.study.folder import open_study
from sampling.study.questions import QUESTION_FIELDS

UPRIGHT_FOLDER = "upright"


@click.command("prompts")
@click.option("--per-image", is_flag=True, help="Ask all questions of an image in one call.")
@click.pass_obj
def prompts_command(folder: Path, *, per_image: bool) -> None:
    """Write prompts/open.jsonl and prompts/constrained.jsonl.

    Each line holds the question's sample_id, its image, the prompt and a JSON schema of the reply;
    `upright_image` where EXIF turns the image. The prompt begins with the study's own instructions.
    """
    study = open_study(folder)
    questions, vocabularies = read_questions_and_vocabularies(study)
    marks = study.definition.text.palette
    said: Any = {
        "instructions": model_instructions(study),
        "by_format": model_format_texts(study),
    }
    if per_image:
        asked = image_prompts(questions, vocabularies, constrained=False, **said)
        told = image_prompts(questions, vocabularies, constrained=True, marks=marks, **said)
    else:
        asked = open_prompts(questions, vocabularies, **said)
        told = constrained_prompts(questions, vocabularies, marks, **said)
    turned = turned_images(study, (question.image_name for question in questions))
    upright = write_upright(study, turned, study.prompts_folder / UPRIGHT_FOLDER)
    for line in (*asked, *told):
        if line["image"] in upright:
            line["upright_image"] = f"{UPRIGHT_FOLDER}/{upright[line['image']]}"
    write_json_lines(study.prompts_folder / "open.jsonl", asked)
    write_json_lines(study.prompts_folder / "constrained.jsonl", told)
    if turned:
        remedy = f"send `upright_image`, written under {study.prompts_folder.name}/"
        click.echo(f"note: {turned_note(len(turned), remedy)}", err=True)
    unseen = unseen_note(study, (question.image_name for question in questions))
    for note in [*([unseen] if unseen else []), *instruction_notes(study)]:
        click.echo(f"note: {note}", err=True)
    calls = "calls, one an image" if per_image else "calls, one a question"
    click.echo(
        f"{study.prompts_folder}: {len(asked)} open and {len(told)} constrained {calls}", err=True
    )


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
    "--reading-rule",
    type=click.IntRange(OLD_RULE, READING_RULE),
    default=READING_RULE,
    show_default=True,
    help="The rule by which answers are read; 1 is that of version 0.1.0.",
)
@click.option(
    "-o",
    "--output",
    type=click.File("w", encoding="utf-8"),
    default="-",
    help="Write the lines into this file (default: to standard output).",
)
@click.argument("predictions", nargs=-1, required=True)
def score_command(
    questions: Path,
    keys: Path,
    vocabularies: Path,
    format_name: str | None,
    condition: str,
    fields: tuple[str, ...],
    reading_rule: int,
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
        questions, keys, vocabularies, predictions, format_name, condition, sources, reading_rule
    )
    output.writelines(prediction_lines(scored))
    for warning in scored.warnings:
        click.echo(f"note: {warning}", err=True)
    click.echo(summary(scored), err=True)
    click.echo(f"answers were read by reading rule {reading_rule}", err=True)


@click.command(name="check-reported")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def check_reported_command(file: Path) -> None:
    """Tell whether published percentages are possible for their n.

    FILE is CSV with the columns name,value,n; the value is written as it was printed, with its
    trailing zeros (86.0). The verdicts are printed as CSV: `possible` with the counts k that
    print so and the ways of rounding that allow it, or `impossible`.
    """
    click.echo(check_reported_file(file), nl=False)
