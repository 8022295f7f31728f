"""The demonstration from the first folio to Table 11, with the commands a coordinator types."""

from __future__ import annotations

import csv
import itertools
import math
import time
import urllib.parse
from contextlib import ExitStack
from pathlib import Path

from rich.console import Console

from sampling.study_folder import StudyFolder
from sampling.synthetic.predictions import write_simulated_predictions
from study_server.demonstration.answering import Allowance, answer_all
from study_server.demonstration.knowledge import SKILLS, read_intentions
from study_server.demonstration.server import free_port, run_lontar, serving
from study_server.demonstration.study import (
    GUEST,
    SEED,
    answered_before,
    make_study,
    make_try_it,
    prepare_folder,
)
from study_server.progress_bars import progress_bar


def run_study(
    console: Console, stack: ExitStack, folder: Path, stop_at: float, port: int | None
) -> str:
    """Do the whole job; leave the server up in `stack` and give its address."""
    prepare_folder(folder)
    say(console, "1. A benchmark: synthetic folios, and what can be seen on them")
    with progress_bar("Drawing folios") as drawn:
        study = make_study(folder, drawn)
    say(console, "2. A balanced sample, and a plan of who answers what")
    show_and_run(console, folder, "check")
    draw_and_plan(console, study.root)
    say(console, "3. The server, and a personal link for each participant")
    address = stack.enter_context(serving(folder, free_port(port)))
    links = personal_links(console, folder, address)
    say(console, "4. Eight simulated participants answer over HTTP")
    collect(console, study, links, stop_at)
    say(console, "5. The analysis: people beside two simulated models")
    show_and_run(console, folder, "export")
    write_simulated_predictions(folder, SEED)
    show_and_run(console, folder, "analyze")
    return address


def say(console: Console, words: str) -> None:
    """Announce a part of the job."""
    console.print(f"\n{words}", style="bold", highlight=False)


def show_and_run(console: Console, folder: Path, *arguments: str) -> None:
    """Show a `lontar` command as a coordinator would type it, then run it."""
    shown = " ".join(arguments)
    console.print(f"$ lontar -C {folder} {shown}", style="dim", highlight=False, soft_wrap=True)
    run_lontar(folder, *arguments)


def draw_and_plan(console: Console, folder: Path) -> None:
    """Run `sample` and `assign` where an earlier run has not."""
    for command, product in (("sample", "sample/manifest.json"), ("assign", "plan/assignment.csv")):
        if not (folder / product).is_file():
            show_and_run(console, folder, command)


def personal_links(console: Console, folder: Path, address: str) -> dict[str, str]:
    """Give each participant's link; links are shown once, so a demonstration keeps them."""
    kept = folder / "links.csv"
    if not kept.is_file():
        show_and_run(console, folder, "invite", "--csv", str(kept))
    with kept.open(newline="", encoding="utf-8") as file:
        return {row["participant"]: at(address, row["link"]) for row in csv.DictReader(file)}


def at(address: str, link: str) -> str:
    """Move a link to where the server is this time.

    >>> at("http://127.0.0.1:8001", "http://localhost:8000/j/abc?d=1")
    'http://127.0.0.1:8001/j/abc?d=1'
    """
    place = urllib.parse.urlsplit(address)
    return urllib.parse.urlsplit(link)._replace(scheme=place.scheme, netloc=place.netloc).geturl()


def collect(console: Console, study: StudyFolder, links: dict[str, str], stop_at: float) -> None:
    """Let the simulated participants answer, up to `stop_at` percent of the plan."""
    run_lontar(study.root, "export")
    before = answered_before(study)
    intentions = read_intentions(study, SKILLS, before)
    total = len(before) + sum(map(len, intentions.values()))
    wanted = max(len(before), math.ceil(total * stop_at / 100))
    numbers = itertools.count(len(before))
    started = time.monotonic()
    with progress_bar("Answering") as show:
        show(next(numbers), wanted)
        answer_all(
            links,
            intentions,
            Allowance(wanted - len(before)),
            answered=lambda: show(next(numbers), wanted),
        )
    given = next(numbers) - 1
    console.print(
        f"{given} of {total} answers, {given - len(before)} of them just now "
        f"in {time.monotonic() - started:.0f} s"
    )


def offer_try_it(console: Console, stack: ExitStack, folder: Path) -> str:
    """Serve the ten-question study; give the link of its one participant."""
    make_try_it(folder)
    say(console, "6. A study of ten questions for you to try")
    draw_and_plan(console, folder)
    address = stack.enter_context(serving(folder, free_port()))
    return personal_links(console, folder, address)[GUEST]
