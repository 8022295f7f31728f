"""`lontar sample`: draws the subset that people will answer."""

from __future__ import annotations

from pathlib import Path

import click

from sampling.manifest import read_manifest, recorded_faults
from sampling.sample_files import draw_study, write_sample
from sampling.study_folder import open_study
from study_server.may_change import overwrite_notice, refuse_when_begun
from study_server.progress_bars import progress_bar


@click.command("sample")
@click.pass_obj
def command(folder: Path) -> None:
    """Draw the subset: writes sample/questions.jsonl, keys, reserve and manifest."""
    study = open_study(folder)
    refuse_when_begun(study, "sample")
    manifest = read_manifest(study.manifest_file)
    faulty = recorded_faults(manifest) if manifest is not None else []
    with progress_bar("looking at images") as progress:
        drawn = draw_study(study, faulty, progress)
    for note in (overwrite_notice(study.questions_file), *drawn.notes):
        if note is not None:
            click.echo(note, err=True)
    write_sample(study, drawn)
    strata = len(drawn.sample.draw.strata)
    click.echo(f"{len(drawn.sample.questions)} questions from {strata} strata", err=True)
