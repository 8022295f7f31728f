"""`lontar release`: builds the public bundle.

`lontar analyze`: everything under `results/`, and Table 11 on the terminal.
"""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from analysis.release.verification import bundle_digest
from analysis.release.writing import write_bundle
from analysis.results import write_results
from analysis.scoring.study import score_study
from analysis.table11.files import as_text
from sampling.study.folder import open_study
from study_server.folder.secret_files import make_release_key


@click.command("analyze")
@click.pass_obj
def analyze_command(folder: Path) -> None:
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


@click.command(name="release")
@click.option(
    "--pool-participants",
    "pooled",
    is_flag=True,
    help="Leave out codes, plan, days and times: nothing joins the answers of one person.",
)
@click.pass_obj
def release_command(folder: Path, pooled: bool) -> None:
    """Build the public bundle in release/: responses, scores, agreement, plan, instructions.

    Pseudonyms become codes, times become days, comments stay out; the bundle is scanned for
    contact data and annotators' ids, and nothing is written if any is found.
    """
    study = open_study(folder)
    scored = score_study(study)
    bundle = write_bundle(study, scored, make_release_key(study.root), pooled=pooled)
    codes = (
        "Nothing in it joins the answers of one person"
        if pooled
        else "Keep secrets/release.key to yourself: with it, people's codes can be undone"
    )
    click.echo(bundle_digest(study.release_folder))
    click.echo(
        f"release/: {len(bundle.files)} files, checked for leaks; `lontar verify` checks it. "
        f"Above is the digest of SHA256SUMS; keep it where others can find it. {codes}",
        err=True,
    )
    if study.definition.benchmark.annotators is not None and not pooled:
        click.echo(
            "note: who has the benchmark's table of annotators can tell the person who answered "
            "none of an annotator's questions to be that annotator. If that table is public, "
            "`lontar release --pool-participants` leaves out what gives them away",
            err=True,
        )
    if bundle.ordinary:
        click.echo(
            f"note: {', '.join(sorted(bundle.ordinary))}: also words of the study's own texts, so "
            "the bundle could not be searched for these names; look through responses.jsonl for "
            "them. Codes stand for people in every file",
            err=True,
        )
