"""A flood of sign-ins by names that nobody has: do others still get replies, and how much memory?

So many people send a wrong name and passcode at once to a real server. Meanwhile one asks
`/healthz` again and again, each time on a new connection.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from serve_start import children, memory_megabytes
from serving.client import Connection, hidden
from serving.server import Running, databases, serving
from serving.study import make_study

MOST_SECONDS, MOST_MB = 0.5, 100.0
SIGN_IN = "/coordinator/sign-in"


def memory_mb(running: Running) -> float:
    """Return the memory of the server and its workers, shared pages divided, in MB."""
    first = running.process.pid
    return sum(memory_megabytes(one)[1] for one in (first, *children(first)))


async def sign_in(connection: Connection, form: list[tuple[str, str]]) -> int:
    try:
        return (await connection.post(SIGN_IN, form)).status
    except (ConnectionError, asyncio.IncompleteReadError):
        return 0


async def flood(running: Running, people: int) -> tuple[Counter[int], list[float], float, float]:
    """Return the statuses, the seconds of each `/healthz`, and the memory before and at most."""
    connections = [Connection(running.host, running.port) for _ in range(people)]
    forms = []
    for number, connection in enumerate(connections):
        page = await connection.get(SIGN_IN)
        token = hidden(page.body, "csrf_token")
        forms.append([("csrf_token", token), ("name", f"nobody{number}"), ("passcode", "x" * 12)])
    before = most = memory_mb(running)
    tasks = [asyncio.create_task(sign_in(*one)) for one in zip(connections, forms, strict=True)]
    waited: list[float] = []
    while not all(task.done() for task in tasks):
        asked = time.perf_counter()
        probe = Connection(running.host, running.port)
        assert (await probe.get("/healthz")).status == 200
        waited.append(time.perf_counter() - asked)
        probe.close()
        most = max(most, await asyncio.to_thread(memory_mb, running))
        await asyncio.sleep(0.02)
    for connection in connections:
        connection.close()
    return Counter(task.result() for task in tasks), waited, before, most


def measure(
    kind: str, people: int, workers: int, empty: Callable[[str], str | None]
) -> dict[str, float]:
    folder = Path(tempfile.mkdtemp(prefix="lontar-flood-"))
    try:
        study = make_study(folder, 32, 8, 3, database=empty(kind))
        with serving(study, workers) as running:
            statuses, waited, before, most = asyncio.run(flood(running, people))
        return {
            "people": people,
            "checked": statuses[403],
            "refused": statuses[429] + statuses[503],
            "errors": people - statuses[403] - statuses[429] - statuses[503],
            "healthz_seconds": round(max(waited), 3),
            "before_mb": round(before, 1),
            "more_mb": round(most - before, 1),
        }
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--databases", nargs="+", default=["sqlite", "postgres"])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--people", type=int, default=128)
    parser.add_argument("--json", type=Path, help="write the figures here as well")
    chosen = parser.parse_args()
    found: dict[str, dict[str, float]] = {}
    with databases(chosen.databases) as empty:
        for kind in chosen.databases:
            one = found[kind] = measure(kind, chosen.people, chosen.workers, empty)
            good = (
                one["healthz_seconds"] < MOST_SECONDS
                and one["more_mb"] < MOST_MB
                and not one["errors"]
            )
            print(
                f"{kind}: {one['people']} sign-ins at once, {one['checked']} checked, "
                f"{one['refused']} refused, {one['errors']} errors; /healthz at most "
                f"{one['healthz_seconds']} s, {one['more_mb']} MB more: "
                f"{'holds' if good else 'does not hold'}"
            )
            one["holds"] = good
            sys.stdout.flush()
    if chosen.json:
        chosen.json.write_text(json.dumps(found, indent=1) + "\n")
    sys.exit(0 if all(one["holds"] for one in found.values()) else 1)


if __name__ == "__main__":
    main()
