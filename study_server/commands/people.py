"""`lontar invite`: makes personal links, shown once.

`lontar coordinator`: who may sign in to steer the study, or to read it.
"""

from __future__ import annotations

import os
from pathlib import Path

import click
from sqlalchemy.orm import Session

from sampling.study.errors import StudyError
from sampling.study.folder import StudyFolder, open_study
from study_server.coordinator.accounts import (
    ACTOR,
    SHORTEST,
    add_with_passcode,
    generate_passcode,
    hash_passcode,
)
from study_server.coordinator.progress import build_matrix
from study_server.folder.existing_database import open_existing
from study_server.folder.inviting import Invitation, invite, links_file
from study_server.folder.loading import prepare_database
from study_server.store.schema.database import reading, transaction
from study_server.store.schema.events import append_event
from study_server.store.steering.coordinators import accounts, disable_account, set_passcode
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
def invite_command(
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


@click.group("coordinator")
def coordinator_command() -> None:
    """Give people a sign-in: coordinators steer the study, analysts only read and export."""


@coordinator_command.command("add")
@click.argument("name")
@click.option(
    "--role",
    type=click.Choice(["coordinator", "analyst"]),
    default="coordinator",
    show_default=True,
    help="An analyst sees the dashboard, quality, log and exports, and changes nothing.",
)
@click.option("--ask", is_flag=True, help="Ask for a passcode instead of making one.")
@click.pass_obj
def add(folder: Path, name: str, role: str, ask: bool) -> None:
    """Add NAME and print a passcode, shown once."""
    engine = prepare_database(open_study(folder), clock.now())
    passcode = _passcode(ask)
    with transaction(engine) as session:
        add_with_passcode(session, name, role, clock.now(), passcode)
    _show_passcode(name, passcode, ask)


@coordinator_command.command("passcode")
@click.argument("name")
@click.option("--ask", is_flag=True, help="Ask for a passcode instead of making one.")
@click.pass_obj
def renew(folder: Path, name: str, ask: bool) -> None:
    """Give NAME a new passcode, which signs them out everywhere."""
    engine = open_existing(open_study(folder))
    passcode = _passcode(ask)
    with transaction(engine) as session:
        set_passcode(session, name, hash_passcode(passcode))
        append_event(session, clock.now(), ACTOR, "passcode.renewed", f"coordinator:{name.strip()}")
    _show_passcode(name, passcode, ask)


@coordinator_command.command("remove")
@click.argument("name")
@click.pass_obj
def remove(folder: Path, name: str) -> None:
    """End NAME's sign-in at once; the log keeps what they did."""
    engine = open_existing(open_study(folder))
    with transaction(engine) as session:
        disable_account(session, name, clock.now())
        append_event(session, clock.now(), ACTOR, "coordinator.removed", f"coordinator:{name}")
    click.echo(f"{name} can no longer sign in", err=True)


@coordinator_command.command("list")
@click.pass_obj
def show_all(folder: Path) -> None:
    """List everyone who has or had a sign-in."""
    with reading(open_existing(open_study(folder))) as session:
        for account in accounts(session):
            click.echo(f"{account.name}  {account.role}{'  removed' if account.disabled else ''}")


def _passcode(ask: bool) -> str:
    """Make a passcode, or ask for one twice."""
    if not ask:
        return generate_passcode()
    passcode: str = click.prompt("Passcode", hide_input=True, confirmation_prompt=True, err=True)
    if len(passcode.strip()) < SHORTEST:
        raise click.UsageError(f"a passcode has at least {SHORTEST} characters")
    return passcode


def _show_passcode(name: str, passcode: str, ask: bool) -> None:
    """Print the passcode that was made, once."""
    if ask:
        click.echo(f"{name} can sign in under /coordinator", err=True)
        return
    click.echo(f"name: {name.strip()}\npasscode: {passcode}")
    click.echo("Shown once: pass it on now. They sign in under /coordinator.", err=True)
