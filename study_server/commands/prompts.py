"""`lontar prompts`: what a model must be asked, for the same questions and vocabularies."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.prompts import constrained_prompts, image_prompts, open_prompts
from analysis.scoring_basis import read_questions_and_vocabularies
from sampling.question_files import write_json_lines
from sampling.study_folder import open_study


@click.command("prompts")
@click.option("--per-image", is_flag=True, help="Ask all questions of an image in one call.")
@click.pass_obj
def command(folder: Path, *, per_image: bool) -> None:
    """Write prompts/open.jsonl and prompts/constrained.jsonl.

    Each line holds the question's sample_id, its image, the prompt and a JSON schema of the reply.
    """
    study = open_study(folder)
    questions, vocabularies = read_questions_and_vocabularies(study)
    marks = study.definition.text.palette
    if per_image:
        asked = image_prompts(questions, vocabularies, constrained=False)
        told = image_prompts(questions, vocabularies, constrained=True, marks=marks)
    else:
        asked = open_prompts(questions, vocabularies)
        told = constrained_prompts(questions, vocabularies, marks)
    write_json_lines(study.prompts_folder / "open.jsonl", asked)
    write_json_lines(study.prompts_folder / "constrained.jsonl", told)
    calls = "calls, one an image" if per_image else "calls, one a question"
    click.echo(
        f"{study.prompts_folder}: {len(asked)} open and {len(told)} constrained {calls}", err=True
    )
