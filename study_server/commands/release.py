"""`lontar release`: builds the public bundle."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.release.verification import bundle_digest
from analysis.release.writing import write_bundle
from analysis.scored_study import score_study
from sampling.study_folder import open_study
from study_server.secret_files import release_key


@click.command(name="release")
@click.pass_obj
def command(folder: Path) -> None:
    """Build the public bundle in release/: responses, scores, agreement, plan, instructions.

    Pseudonyms become codes, times become days, comments stay out; the bundle is scanned for
    contact data and annotators' ids, and nothing is written if any is found.
    """
    study = open_study(folder)
    key, secret = release_key(study.root, study.definition.study.seed)
    bundle = write_bundle(study, score_study(study), key)
    codes = (
        "Keep secrets/release.key to yourself: with it, people's codes can be undone"
        if secret
        else "There is no secrets/release.key, so people's codes follow from the seed: whoever "
        "knows all pseudonyms can undo them"
    )
    click.echo(bundle_digest(study.release_folder))
    click.echo(
        f"release/: {len(bundle.files)} files, checked for leaks; `lontar verify` checks it. "
        f"Above is the digest of SHA256SUMS; keep it where others can find it. {codes}",
        err=True,
    )
    if bundle.ordinary:
        click.echo(
            f"note: {', '.join(sorted(bundle.ordinary))}: also words of the study's own texts, so "
            "the bundle could not be searched for these names; look through responses.jsonl for "
            "them. Codes stand for people in every file",
            err=True,
        )
