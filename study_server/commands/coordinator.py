"""`lontar coordinator`: who may sign in to steer the study, or to read it."""

from __future__ import annotations

from pathlib import Path

import click

from sampling.study.folder import open_study
from study_server.coordinator.accounts import ACTOR, add_with_passcode
from study_server.coordinator.passcodes import SHORTEST, generate_passcode, hash_passcode
from study_server.folder.existing_database import open_existing
from study_server.folder.loading import prepare_database
from study_server.store.schema.database import reading, transaction
from study_server.store.schema.events import append_event
from study_server.store.steering.coordinators import accounts, disable_account, set_passcode
from study_server.web import clock


@click.group("coordinator")
def command() -> None:
    """Give people a sign-in: coordinators steer the study, analysts only read and export."""


@command.command("add")
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
    _show(name, passcode, ask)


@command.command("passcode")
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
    _show(name, passcode, ask)


@command.command("remove")
@click.argument("name")
@click.pass_obj
def remove(folder: Path, name: str) -> None:
    """End NAME's sign-in at once; the log keeps what they did."""
    engine = open_existing(open_study(folder))
    with transaction(engine) as session:
        disable_account(session, name, clock.now())
        append_event(session, clock.now(), ACTOR, "coordinator.removed", f"coordinator:{name}")
    click.echo(f"{name} can no longer sign in", err=True)


@command.command("list")
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


def _show(name: str, passcode: str, ask: bool) -> None:
    """Print the passcode that was made, once."""
    if ask:
        click.echo(f"{name} can sign in under /coordinator", err=True)
        return
    click.echo(f"name: {name.strip()}\npasscode: {passcode}")
    click.echo("Shown once: pass it on now. They sign in under /coordinator.", err=True)
