"""`lontar analyze`: everything under `results/`, and Table 11 on the terminal."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from analysis.results import write_results
from analysis.scoring.study import score_study
from analysis.table11.table11_files import as_text
from sampling.study.folder import open_study


@click.command("analyze")
@click.pass_obj
def command(folder: Path) -> None:
    """Score responses and predictions, write results/, print Table 11."""
    study = open_study(folder)
    with Console(stderr=True).status("scoring answers") as status:
        scored = score_study(study)
        table = write_results(study, scored, status.update)
    for warning in scored.warnings:
        click.echo(f"note: {warning}", err=True)
    click.echo(as_text(table), nl=False)
    for note in table.notes:
        click.echo(f"note: {note}", err=True)
    click.echo(f"written: {study.results_folder}", err=True)
