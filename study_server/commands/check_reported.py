"""`lontar check-reported`: tells whether published percentages are possible for their n."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.table11.reported_files import check_reported_file


@click.command(name="check-reported")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def command(file: Path) -> None:
    """Tell whether published percentages are possible for their n.

    FILE is CSV with the columns name,value,n; the value is written as it was printed, with its
    trailing zeros (86.0). The verdicts are printed as CSV: `possible` with the counts k that
    print so and the ways of rounding that allow it, or `impossible`.
    """
    click.echo(check_reported_file(file), nl=False)
