"""The demonstration from the first folio to Table 11, with the commands a coordinator types.

The end of the demonstration: its pages stay up, with a link for each kind of visitor.
"""

from __future__ import annotations

import csv
import itertools
import math
import shlex
import subprocess
import sys
import time
import urllib.parse
from contextlib import ExitStack
from pathlib import Path

import click
from rich.console import Console

from sampling.study.folder import StudyFolder
from sampling.synthetic.answers import write_simulated_predictions
from sampling.synthetic.shaping import LATIN, typeface
from study_server.demonstration.answering import Allowance, answer_all
from study_server.demonstration.server import HOST, free_port, run_lontar, serving
from study_server.demonstration.study import (
    GUEST,
    SEED,
    SKILLS,
    answered_before,
    make_study,
    make_try_it,
    prepare_folder,
    read_intentions,
)
from study_server.folder.terminal import progress_bar

COORDINATOR = "demo"


def run_study(
    console: Console, stack: ExitStack, folder: Path, stop_at: float, port: int | None
) -> str:
    """Do the whole job; leave the server up in `stack` and give its address."""
    # Where what draws is not installed, that is said before anything is made.
    typeface(LATIN)
    prepare_folder(folder)
    say(console, "1. A benchmark: synthetic folios, and what can be seen on them")
    with progress_bar("Drawing folios") as drawn:
        study = make_study(folder, drawn)
    say(console, "2. A balanced sample and a plan of who answers what, then fixed")
    show_and_run(console, folder, "check")
    draw_and_plan(console, folder)
    run_once(console, folder, "freeze.json", "freeze")
    say(console, "3. A coordinator, personal links, and the server")
    sign_in(console, folder)
    address, links = invite_and_serve(console, stack, folder, port)
    say(console, "4. Eight simulated participants answer over HTTP")
    if collect(console, study, links, stop_at):
        analyze(console, folder)
    return address


def analyze(console: Console, folder: Path) -> None:
    """Bring the answers out of the database and hold them against two simulated models."""
    say(console, "5. The analysis: people beside two simulated models")
    show_and_run(console, folder, "export")
    write_simulated_predictions(folder, SEED)
    show(console, folder, "analyze")
    run_lontar(folder, "analyze")


def say(console: Console, words: str) -> None:
    """Announce a part of the job."""
    console.print(f"\n{words}", style="bold", highlight=False)


def show(console: Console, folder: Path, *arguments: str) -> None:
    """Show a `lontar` command as a coordinator would type it."""
    shown = shlex.join(["lontar", "-C", str(folder), *arguments])
    console.print(f"$ {shown}", style="dim", highlight=False, soft_wrap=True)


def show_and_run(console: Console, folder: Path, *arguments: str) -> None:
    """Show a `lontar` command, then run it; what it prints is words here, not data."""
    show(console, folder, *arguments)
    run_lontar(folder, *arguments, output=sys.stderr)


def run_once(console: Console, folder: Path, product: str, *arguments: str) -> None:
    """Run a command unless an earlier demonstration has left its product."""
    if not (folder / product).is_file():
        show_and_run(console, folder, *arguments)


def draw_and_plan(console: Console, folder: Path) -> None:
    """Draw the sample and plan who answers what."""
    run_once(console, folder, "sample/manifest.json", "sample")
    run_once(console, folder, "plan/assignment.csv", "assign")


def invite_and_serve(
    console: Console, stack: ExitStack, folder: Path, wanted_port: int | None = None
) -> tuple[str, dict[str, str]]:
    """Leave a study's server up in `stack`; give its address and each participant's link.

    Links are shown once, so a demonstration keeps them.
    """
    port = free_port(wanted_port)
    address = f"http://{HOST}:{port}"
    kept = folder / "links.csv"
    run_once(console, folder, kept.name, "invite", "--csv", str(kept), "--url", address)
    show(console, folder, "serve", "--port", str(port))
    stack.enter_context(serving(folder, port))
    with kept.open(newline="", encoding="utf-8") as file:
        links = {row["participant"]: at(address, row["link"]) for row in csv.DictReader(file)}
    return address, links


def sign_in(console: Console, folder: Path) -> str:
    """Give what a coordinator types; it is shown once, so a demonstration keeps it."""
    kept = folder / "coordinator.txt"
    if not kept.is_file():
        arguments = ("coordinator", "add", COORDINATOR)
        show(console, folder, *arguments)
        told = run_lontar(folder, *arguments, output=subprocess.PIPE)
        kept.touch(mode=0o600)
        kept.write_text(told, encoding="utf-8")
    return ", ".join(kept.read_text(encoding="utf-8").splitlines())


def at(address: str, link: str) -> str:
    """Move a link to where the server is this time.

    >>> at("http://127.0.0.1:8001", "http://localhost:8000/j/abc?d=1")
    'http://127.0.0.1:8001/j/abc?d=1'
    """
    place = urllib.parse.urlsplit(address)
    return urllib.parse.urlsplit(link)._replace(scheme=place.scheme, netloc=place.netloc).geturl()


def collect(console: Console, study: StudyFolder, links: dict[str, str], stop_at: float) -> int:
    """Let the simulated participants answer up to `stop_at` percent of the plan; count answers."""
    show_and_run(console, study.root, "export")
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
    return given


def offer_try_it(console: Console, stack: ExitStack, folder: Path) -> str:
    """Serve the ten-question study; give the link of its one participant."""
    say(console, "6. A study of ten questions for you to try")
    make_try_it(folder)
    draw_and_plan(console, folder)
    _, links = invite_and_serve(console, stack, folder)
    return links[GUEST]


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
