"""What the person at the terminal sees of a demonstration while it runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from study_server.demonstration.server import run_lontar


def say(console: Console, words: str) -> None:
    """Announce a part of the job."""
    console.print(f"\n[bold]{words}[/bold]")


def show_and_run(console: Console, folder: Path, *arguments: str) -> None:
    """Show a `lontar` command as a coordinator would type it, then run it."""
    console.print(f"$ lontar -C {folder} {' '.join(arguments)}", style="dim", highlight=False)
    run_lontar(folder, *arguments)


@contextmanager
def bar(console: Console, words: str) -> Iterator[Callable[[int, int], None]]:
    """Show how far long work has come; the function given takes what is done, and of how many."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console) as progress:
        task = progress.add_task(words, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
