"""The end of the demonstration: its pages stay up, with a link for each kind of visitor."""

from __future__ import annotations

import time
from contextlib import ExitStack
from pathlib import Path

import click
from rich.console import Console

from study_server.demonstration.run import offer_try_it, sign_in


def leave_up(console: Console, servers: ExitStack, folder: Path, address: str) -> None:
    """Offer the study to try, print the links, and wait until the person has seen enough."""
    guest = offer_try_it(console, servers, folder / "try-it")
    click.echo(
        f"\n"
        f"Coordinator  {address}/coordinator\n"
        f"             {sign_in(console, folder)}\n"
        f"Participant  {guest}\n"
        f"             ten questions to try, in every answer format\n"
        f"Report       {folder / 'results' / 'report.html'}\n"
    )
    console.print("The servers stay up until you press Ctrl-C.")
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        console.print("\nStopping the servers.")
