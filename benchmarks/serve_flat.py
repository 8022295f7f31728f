"""Whether a question and an answer cost the same in a study 400 times as large.

The same client answers in studies that differ in one size only: 256 and 100,000 questions, 8 and
1,000 participants. The figure is the server's own CPU time a pair, which others on the machine
disturb least, and the time a pair takes; rounds of the two studies alternate.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from serving.people import Person, Tally
from serving.server import Running, databases, serving
from serving.study import make_study

SIZES = {
    "questions": ((256, 8), (100_000, 8)),
    "participants": ((8_000, 8), (8_000, 1_000)),
}
PEOPLE_MEASURED = 4
ROUNDS = 12
PAIRS_A_ROUND = 5


def cpu_seconds(process: int) -> float:
    """Give the CPU time of a process and all below it."""
    total, waiting = 0.0, [process]
    children: dict[int, list[int]] = {}
    times: dict[int, float] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            children.setdefault(int(fields[1]), []).append(int(entry.name))
            ticks = int(fields[11]) + int(fields[12])
            times[int(entry.name)] = ticks / os.sysconf("SC_CLK_TCK")
    while waiting:
        one = waiting.pop()
        total += times.get(one, 0.0)
        waiting += children.get(one, [])
    return total


async def answer(people: list[Person], pairs: int) -> None:
    for person in people:
        await person.work(person.answered + pairs)


async def prepare(running: Running, tokens: list[str], tally: Tally) -> list[Person]:
    people = [
        Person(running.host, running.port, token, tally, str(number))
        for number, token in enumerate(tokens[:PEOPLE_MEASURED])
    ]
    for person in people:
        await person.sign_in()
        await person.work(2)
    return people


async def alternate(servers: list[tuple[Running, list[str]]]) -> list[dict[str, float]]:
    """Answer by turns in each study; give the median time and the CPU time of a pair."""
    tallies = [Tally() for _server in servers]
    crowds = [
        await prepare(running, tokens, tally)
        for (running, tokens), tally in zip(servers, tallies, strict=True)
    ]
    for tally in tallies:
        tally.timings.pair.clear()
    before = [cpu_seconds(running.process.pid) for running, _tokens in servers]
    for _round in range(ROUNDS):
        for people in crowds:
            await answer(people, PAIRS_A_ROUND)
    after = [cpu_seconds(running.process.pid) for running, _tokens in servers]
    pairs = ROUNDS * PAIRS_A_ROUND * PEOPLE_MEASURED
    return [
        {
            "cpu_ms": round(1000 * (last - first) / pairs, 2),
            "median_ms": round(1000 * statistics.median(tally.timings.pair), 2),
        }
        for first, last, tally in zip(before, after, tallies, strict=True)
    ]


def measure(
    kind: str, sizes: tuple[tuple[int, int], ...], empty: Callable[[str], str | None]
) -> list[dict[str, float]]:
    folder = Path(tempfile.mkdtemp(prefix="lontar-flat-"))
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        servers = []
        for number, (questions, people) in enumerate(sizes):
            study = make_study(folder / str(number), questions, people, database=empty(kind))
            running = stack.enter_context(serving(study, 1))
            servers.append((running, list(study.tokens.values())))
        return asyncio.run(alternate(servers))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--databases", nargs="+", default=["sqlite", "postgres"])
    parser.add_argument("--short", action="store_true", help="SQLite only")
    parser.add_argument("--json", type=Path, help="write the figures here as well")
    chosen = parser.parse_args()
    kinds = ["sqlite"] if chosen.short else chosen.databases
    found = {}
    print("database  what grows    small study      large study      ratio of CPU, of time")
    with databases(kinds) as empty:
        for kind in kinds:
            for what, sizes in SIZES.items():
                small, large = measure(kind, sizes, empty)
                place = 0 if what == "questions" else 1
                ratios = [large[name] / small[name] for name in ("cpu_ms", "median_ms")]
                found[f"{kind} {what}"] = {"small": small, "large": large, "ratios": ratios}
                print(
                    f"{kind:9} {what:12} {sizes[0][place]:>7}: {small['cpu_ms']:5.2f} ms"
                    f" {sizes[1][place]:>8}: {large['cpu_ms']:5.2f} ms"
                    f"    {ratios[0]:.2f}  {ratios[1]:.2f}"
                )
                sys.stdout.flush()
    if chosen.json:
        chosen.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
