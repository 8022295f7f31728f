"""`lontar serve`: runs the web server."""

from __future__ import annotations

from pathlib import Path

import click
from sqlalchemy import Engine

from sampling.study.folder import open_study
from study_server.coordinator.accounts import add_with_passcode
from study_server.folder.loading import prepare_database
from study_server.folder.secret_files import make_release_key, secret_key
from study_server.folder.study_content import image_folders
from study_server.serving import check_place, serve
from study_server.store.asking.image_access import forget_broken
from study_server.store.asking.participants import without_link
from study_server.store.schema.database import database_url, reading, transaction
from study_server.store.steering.coordinators import account_and_hash, accounts
from study_server.web import clock
from study_server.web.configuration import ServerConfiguration
from study_server.web.network_sources import PROXY_IS_A_MUST, is_this_machine, lacks_proxy


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(1, 65535))
@click.option("--workers", default=2, show_default=True, type=click.IntRange(1, 64))
@click.option(
    "--coordinator",
    metavar="NAME",
    help="Give NAME a sign-in first and print its passcode, unless NAME has one.",
)
@click.pass_obj
def serve_command(
    folder: Path, host: str, port: int, workers: int, coordinator: str | None
) -> None:
    """Serve the study's pages: SQLite by default, PostgreSQL with LONTAR_DATABASE_URL."""
    study = open_study(folder)
    check_place(host, port)
    engine = prepare_database(study, clock.now())
    if coordinator is not None:
        _add_coordinator(engine, coordinator)
    with transaction(engine) as session:
        forget_broken(session)
    with reading(engine) as session:
        uninvited = len(without_link(session))
        steered = any(not account.disabled for account in accounts(session))
    engine.dispose()
    make_release_key(study.root)
    configuration = ServerConfiguration(
        database_url=database_url(study.database_file),
        secret_key=secret_key(study.root),
        image_folders=image_folders(study),
        image_cache=study.root / "cache" / "images",
        study_root=study.root.absolute(),
    )
    shown = f"[{host}]" if ":" in host else host
    click.echo(f"serving {study.definition.study.name} at http://{shown}:{port}", err=True)
    if uninvited:
        click.echo(
            f"{uninvited} participants have no link yet: `lontar invite` makes them", err=True
        )
    if not steered:
        click.echo(
            "nobody can sign in under /coordinator yet: `lontar coordinator add NAME`", err=True
        )
    server = study.definition.server
    if not is_this_machine(host) and lacks_proxy(server.url, server.trusted_proxies):
        click.echo(f"note: {host} is reached from other machines; {PROXY_IS_A_MUST}", err=True)
    serve(configuration, host, port, workers)


def _add_coordinator(engine: Engine, name: str) -> None:
    """Print a new coordinator's passcode, once."""
    with transaction(engine) as session:
        if account_and_hash(session, name) is not None:
            return
        passcode = add_with_passcode(session, name, "coordinator", clock.now())
    click.echo(f"name: {name.strip()}\npasscode: {passcode}")
