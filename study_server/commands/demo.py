"""`lontar demo`: the whole job on synthetic folios, and a study to try."""

from __future__ import annotations

import signal
from contextlib import ExitStack
from pathlib import Path
from types import FrameType

import click
from rich.console import Console

from study_server.demonstration.run import leave_up, run_study


@click.command
@click.argument("directory", type=click.Path(path_type=Path, file_okay=False), default=Path("demo"))
@click.option("--no-serve", is_flag=True, help="Stop the server and end after Table 11.")
@click.option(
    "--stop-at",
    type=click.FloatRange(0, 100),
    default=100.0,
    metavar="PERCENT",
    help="Stop the collection at this percentage of the answers.",
)
@click.option(
    "--port", type=click.IntRange(1, 65535), help="The server's port (default: a free one)."
)
@click.pass_obj
def demo_command(
    folder: Path, directory: Path, no_serve: bool, stop_at: float, port: int | None
) -> None:
    """Run a whole study on synthetic folios, ending in Table 11.

    Makes a benchmark in DIRECTORY (default: demo), samples, plans, serves, lets eight simulated
    participants answer over HTTP, analyzes two simulated models, and leaves the server up with a
    link for the coordinator and one for a ten-question study to try. An interrupted or finished
    demonstration in DIRECTORY is taken up again.
    """
    signal.signal(signal.SIGTERM, _interrupt)
    signal.signal(signal.SIGHUP, _interrupt)
    console = Console(stderr=True)
    with ExitStack() as servers:
        place = folder / directory
        address = run_study(console, servers, place, stop_at, port)
        if not no_serve:
            leave_up(console, servers, place, address)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
