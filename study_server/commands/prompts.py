"""`lontar prompts`: what a model must be asked, for the same questions and vocabularies."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.predictions.model_instructions import (
    instruction_notes,
    model_instructions,
    turned_images,
    turned_note,
    write_upright,
)
from analysis.predictions.prompts import constrained_prompts, image_prompts, open_prompts
from analysis.scoring.scoring_basis import read_questions_and_vocabularies
from sampling.benchmark.question_files import write_json_lines
from sampling.study.folder import open_study

UPRIGHT_FOLDER = "upright"


@click.command("prompts")
@click.option("--per-image", is_flag=True, help="Ask all questions of an image in one call.")
@click.pass_obj
def command(folder: Path, *, per_image: bool) -> None:
    """Write prompts/open.jsonl and prompts/constrained.jsonl.

    Each line holds the question's sample_id, its image, the prompt and a JSON schema of the reply;
    `upright_image` where EXIF turns the image. The prompt begins with the study's own instructions.
    """
    study = open_study(folder)
    questions, vocabularies = read_questions_and_vocabularies(study)
    marks = study.definition.text.palette
    said = model_instructions(study)
    if per_image:
        asked = image_prompts(questions, vocabularies, constrained=False, instructions=said)
        told = image_prompts(
            questions, vocabularies, constrained=True, marks=marks, instructions=said
        )
    else:
        asked = open_prompts(questions, vocabularies, instructions=said)
        told = constrained_prompts(questions, vocabularies, marks, instructions=said)
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
    for note in instruction_notes(study):
        click.echo(f"note: {note}", err=True)
    calls = "calls, one an image" if per_image else "calls, one a question"
    click.echo(
        f"{study.prompts_folder}: {len(asked)} open and {len(told)} constrained {calls}", err=True
    )
