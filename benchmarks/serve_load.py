"""Answers a second and their latencies at 1, 8 and 32 clients, beside what the machine could do.

For each database: the real server under `lontar serve`, each person a closed loop of question
page and answer; then, under the same server through the same client, a bare Flask JSON view, and
one that commits a row for each answer, durably, on the same disk and database; then such commits
alone. Two requests are a pair everywhere.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from serving.ceilings import commits_per_second, table_of_ceilings
from serving.client import Connection
from serving.people import Person, Tally, crowd
from serving.server import Running, databases, free_port, serving, start
from serving.study import make_study
from serving.verdict import address, judge

Figures = dict[str, object]


def percentile(seconds: list[float], q: float) -> float:
    """Give a percentile in milliseconds."""
    return round(1000 * float(np.percentile(seconds, q)), 1) if seconds else 0.0


async def answer_all(running: Running, tokens: list[str], clients: int, most: int) -> Figures:
    """Let a crowd answer; measure from the first question to the last acknowledged answer."""
    tally = Tally()
    people = [
        Person(running.host, running.port, token, tally, str(number))
        for number, token in enumerate(tokens)
    ]
    for person in people:
        await person.sign_in()
        await person.next_question()
    before = time.perf_counter()
    await crowd(people, clients, most)
    seconds = time.perf_counter() - before
    for person in people:
        person.connection.close()
    timings, done = tally.timings, len(tally.timings.answer)
    return {
        "answers": done,
        "per_second": round(done / seconds, 1),
        "answer_p50_ms": percentile(timings.answer, 50),
        "answer_p99_ms": percentile(timings.answer, 99),
        "question_p50_ms": percentile(timings.question, 50),
        "question_p99_ms": percentile(timings.question, 99),
        "pair_p50_ms": percentile(timings.pair, 50),
        "pair_p99_ms": percentile(timings.pair, 99),
        "errors": len(tally.errors),
        "first_error": tally.errors[0] if tally.errors else "",
    }


async def bare_pairs(host: str, port: int, clients: int, seconds: float = 2.0) -> float:
    """Measure pairs a second of the bare view through the same client."""
    form = [("slot", "a" * 22), ("key", "b" * 22), ("answer", "yes"), ("active_seconds", "1.5")]
    connections = [Connection(host, port) for _client in range(clients)]
    for connection in connections:
        await connection.get("/question")
    end = time.perf_counter() + seconds

    async def one(connection: Connection) -> int:
        pairs = 0
        while time.perf_counter() < end:
            await connection.get("/question")
            await connection.post("/question", form)
            pairs += 1
        connection.close()
        return pairs

    before = time.perf_counter()
    pairs = sum(await asyncio.gather(*(one(connection) for connection in connections)))
    return pairs / (time.perf_counter() - before)


@contextmanager
def bare_server(workers: int, *database: str) -> Iterator[tuple[str, int]]:
    """Serve the bare view, or with the address of a database the one that commits."""
    host, port = "127.0.0.1", free_port()
    folder = Path(tempfile.mkdtemp(prefix="lontar-bare-"))
    script = Path(__file__).parent
    command = [sys.executable, "-m", "serving.ceilings", host, str(port), str(workers), *database]
    environment = {**os.environ, "PYTHONPATH": str(script)}
    running = start(command, environment, folder / "log", host, port, "/question")
    try:
        yield host, port
    finally:
        running.stop()
        shutil.rmtree(folder)


def measure(
    kind: str,
    workers: int,
    clients: int,
    quick: bool,
    empty: Callable[[str], str | None],
    code: Path | None = None,
) -> Figures:
    """Measure one combination; with all its answers given, judge the database as well.

    `code` is the folder of another version of Lontar that serves.
    """
    people = max(clients, 8)
    share = 256 * 3 // people
    most = share if clients > 1 and not quick else 12 if clients > 1 else 20
    folder = Path(tempfile.mkdtemp(prefix="lontar-load-"))
    try:
        study = make_study(folder, people=people, database=empty(kind))
        if code is not None:
            study.environment["PYTHONPATH"] = str(code)
        with serving(study, workers) as running:
            figures = asyncio.run(answer_all(running, list(study.tokens.values()), clients, most))
        if most == share:
            figures["verdict"] = judge(study).sentence(int(str(figures["errors"])))
        with table_of_ceilings(address(study)) as engine:
            rates = commits_per_second(engine)
            figures["commits"] = {name: round(rate) for name, rate in rates.items()}
            with bare_server(workers, address(study)) as place:
                pairs = asyncio.run(bare_pairs(*place, clients))
        return figures | {"durable_pairs_per_second": round(pairs, 1)}
    finally:
        shutil.rmtree(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--databases", nargs="+", default=["sqlite", "postgres"])
    parser.add_argument("--workers", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--clients", nargs="+", type=int, default=[1, 8, 32])
    parser.add_argument("--short", action="store_true", help="fewer answers a combination")
    parser.add_argument("--json", type=Path, help="write the figures here as well")
    parser.add_argument("--beside", type=Path, help="another version's folder, measured by turns")
    chosen = parser.parse_args()
    rows: list[Figures] = []
    print(
        "database workers clients  answers/s  answer p50/p99  question p50/p99  of bare  of durable"
    )
    with databases(chosen.databases) as empty:
        for workers in chosen.workers:
            with bare_server(workers) as (host, port):
                for kind in chosen.databases:
                    for clients in chosen.clients:
                        # Others use the machine too: the ceiling is taken before and after.
                        before = asyncio.run(bare_pairs(host, port, clients))
                        chosen_place = (kind, workers, clients, chosen.short, empty)
                        if chosen.beside is not None:
                            other = measure(*chosen_place, chosen.beside)
                            beside = {"database": f"{kind}*", "workers": workers}
                            rows.append(
                                beside
                                | {"clients": clients, "bare_pairs_per_second": before}
                                | other
                            )
                            show(rows[-1])
                        figures = measure(*chosen_place)
                        bare = (before + asyncio.run(bare_pairs(host, port, clients))) / 2
                        place: Figures = {"database": kind, "workers": workers, "clients": clients}
                        rows.append(place | figures | {"bare_pairs_per_second": round(bare, 1)})
                        show(rows[-1])
    if chosen.json:
        machine = {"python": platform.python_version(), "cores": os.cpu_count()}
        chosen.json.write_text(json.dumps({"machine": machine, "rows": rows}, indent=1) + "\n")


def show(row: Figures) -> None:
    """Print a combination as one line, and what its database holds."""
    commits = row["commits"]
    assert isinstance(commits, dict)
    rate = float(str(row["per_second"]))
    print(
        f"{row['database']:8} {row['workers']:7} {row['clients']:7} {rate:10.1f}"
        f"  {row['answer_p50_ms']:>6} /{row['answer_p99_ms']:>6}"
        f"  {row['question_p50_ms']:>7} /{row['question_p99_ms']:>6}"
        f"  {rate / float(str(row['bare_pairs_per_second'])):8.2f}"
        f"  {rate / float(str(row['durable_pairs_per_second'])):10.2f}"
        f"   (bare {row['bare_pairs_per_second']}, durable {row['durable_pairs_per_second']}, "
        f"commits {commits['driver']} by the driver, {commits['core']} Core, {commits['orm']} ORM)"
    )
    if "verdict" in row:
        print(f"         {row['verdict']}")
    if row["errors"]:
        print(f"         first error: {row['first_error']}")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
