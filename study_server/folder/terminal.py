"""Progress of long work, shown on a terminal and nowhere else.

Reasons that a command is given, questioned before they enter a log that is for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from sampling.assignment.roster import looks_like_contact
from sampling.study.errors import StudyError

names_nobody_option = click.option(
    "--names-nobody", is_flag=True, help="The reason holds no contact details, though it looks so."
)


@contextmanager
def progress_bar(words: str) -> Iterator[Callable[[int, int], None]]:
    """Show how far long work has come; the function given takes what is done, and of how many."""
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task(words, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def question_reason(reason: str, names_nobody: bool) -> None:
    """Refuse a reason that looks as if it held contact details, unless it is said to hold none.

    >>> question_reason("away until 14 March 2026", False)
    >>> question_reason("shelfmark 0812-555 01 23", True)
    """
    if looks_like_contact(reason) and not names_nobody:
        raise StudyError(
            "--reason: looks as if it held contact details, and is kept for ever; nothing was "
            "changed: write it without them, or add --names-nobody if it holds none"
        )
