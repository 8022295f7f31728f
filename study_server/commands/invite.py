"""`lontar invite`: makes personal links, shown once."""

from __future__ import annotations

import os
from pathlib import Path

import click
from sqlalchemy.orm import Session

from sampling.study.errors import StudyError
from sampling.study.folder import StudyFolder, open_study
from study_server.coordinator.progress import build_matrix
from study_server.folder.inviting import Invitation, invite, links_file
from study_server.folder.loading import prepare_database
from study_server.store.schema.database import transaction
from study_server.store.steering.dashboard import cell_counts, study_row
from study_server.web import clock

HERE = "http://127.0.0.1:8000"


@click.command("invite")
@click.argument("participants", nargs=-1)
@click.option(
    "--csv",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write participant,link to a new FILE that only you can read.",
)
@click.option("--renew", is_flag=True, help="Replace links that were given out; the old end.")
@click.option("--url", metavar="ADDRESS", help="Where people reach the server (or [server] url).")
@click.pass_obj
def command(
    folder: Path, participants: tuple[str, ...], file: Path | None, renew: bool, url: str | None
) -> None:
    """Make a personal link for everyone who has none, or for the PARTICIPANTS named."""
    study = open_study(folder)
    engine = prepare_database(study, clock.now())
    with transaction(engine) as session:
        invitations = invite(session, participants, renew, clock.now())
        if invitations:
            _show(study, invitations, file, url)
        finished = _has_every_answer(session)
    engine.dispose()
    if invitations and finished:
        click.echo(
            "note: every question has its answers; nobody who comes now is asked any", err=True
        )
    if not invitations:
        unwritten = "" if file is None else f", so {file} was not written"
        click.echo(
            f"everyone has a link{unwritten}; a link is shown once: to replace links, name the "
            "people after `lontar invite --renew`",
            err=True,
        )


def _show(
    study: StudyFolder, invitations: list[Invitation], file: Path | None, url: str | None
) -> None:
    """Write the links out; when that fails, none of them is kept."""
    chosen = url or study.definition.server.url
    base = (chosen or HERE).rstrip("/")
    if not base.startswith(("http://", "https://")):
        place = "--url" if url else "study.toml [server] url"
        raise StudyError(f"{place}: {base!r} must begin with https:// or http://; no link made")
    rows = [(one.pseudonym, f"{base}/p/{one.token}") for one in invitations]
    if file is None:
        for pseudonym, link in rows:
            click.echo(f"{pseudonym}  {link}")
    else:
        _write(file, rows)
    if chosen is None:
        click.echo(
            f"note: {HERE} leads to the server from this machine only; for others, put the address "
            "they reach it by before /p/ in these links, and in study.toml: [server] url",
            err=True,
        )


def _has_every_answer(session: Session) -> bool:
    """Tell whether nothing is left to answer."""
    answers = study_row(session).responses_per_question
    total = build_matrix(cell_counts(session), answers).total
    return 0 < total.needed <= total.answered


def _write(file: Path, rows: list[tuple[str, str]]) -> None:
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as opened:
            opened.write(links_file(rows))
    except FileExistsError:
        raise StudyError(
            f"{file}: is there already and may hold links that are shown nowhere else; "
            "name another file; no link made"
        ) from None
    except OSError as error:
        raise StudyError(f"{file}: cannot be written ({error.strerror}); no link made") from None
    what = "1 link written" if len(rows) == 1 else f"{len(rows)} links written"
    click.echo(f"{what} to {file}; not shown again", err=True)
