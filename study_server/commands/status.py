"""`lontar status`: the completion table in the terminal."""

from __future__ import annotations

import time
from pathlib import Path

import click
from rich.console import Console
from rich.live import Live

from sampling.study.folder import open_study
from study_server.commands.status_table import load_status, status_text
from study_server.folder.existing_database import open_existing, reading_existing
from study_server.store.schema.database import reading
from study_server.web import clock

SECONDS = 2.0


@click.command("status")
@click.option("--watch", is_flag=True, help="Keep it up to date until Ctrl-C.")
@click.pass_obj
def command(folder: Path, watch: bool) -> None:
    """Show what is done, by collection and category and by participant."""
    study = open_study(folder)
    console = Console()
    with reading_existing(study) as session:
        status = load_status(session, clock.now())
    if not watch:
        console.print(status_text(status, console.width))
        return
    engine = open_existing(study)
    try:
        with Live(status_text(status, console.width), console=console, auto_refresh=False) as live:
            while True:
                time.sleep(SECONDS)
                with reading(engine) as session:
                    status = load_status(session, clock.now())
                live.update(status_text(status, console.width), refresh=True)
    except KeyboardInterrupt:
        return
