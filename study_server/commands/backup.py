"""`lontar backup`: writes a consistent copy of the database."""

from __future__ import annotations

from pathlib import Path

import click

from sampling.study.folder import open_study
from study_server.folder.existing_database import open_existing
from study_server.store.schema.backup import backup


@click.command("backup")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--force", is_flag=True, help="Write over an existing file.")
@click.pass_obj
def command(folder: Path, file: Path, force: bool) -> None:
    """Copy the database to FILE while the study runs.

    FILE is a SQLite database whatever the study runs on. To restore, stop the server, put FILE in
    the place of study.db and start again.
    """
    rows = backup(open_existing(open_study(folder)), file, force)
    click.echo(f"{file}: {rows} rows in one consistent copy", err=True)
