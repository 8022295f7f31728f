"""Exactly k under fire: 32 people at once, with everything that goes wrong, on both databases.

They click twice, hang up before the reply, answer in two tabs; some leave for good, by the
withdrawal page or without a word, and some of these come back late with a page that is somebody
else's by then. Meanwhile a coordinator looks, releases and re-plans (in open mode leases run out).
At the end the database is judged: k distinct unconflicted answers each, nothing lost.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from serving.fire import Coordinator, Restless
from serving.people import Tally
from serving.server import Running, databases, serving
from serving.study import LoadStudy, make_study
from serving.verdict import Verdict, judge

K = 3
LEASE_MINUTES = 0.05
LONGEST_SECONDS = 240.0


def crew(running: Running, study: LoadStudy, tally: Tally) -> list[Restless]:
    """Everybody; every fourth leaves after a few answers, by turns with and without a word."""
    people = []
    for number, token in enumerate(study.tokens.values()):
        leaves = 3 + number % 7 if number % 4 == 3 else None
        how = "withdraw" if number % 8 == 3 else "vanish"
        people.append(Restless(running.host, running.port, token, tally, str(number), leaves, how))
    return people


async def coordinate(
    coordinator: Coordinator, names: dict[str, Restless], limit: int, over: asyncio.Event
) -> None:
    """Take the slots of those who vanished and give them to others, until all is done."""
    released: set[str] = set()
    raised = False
    while not over.is_set():
        await coordinator.look()
        await asyncio.sleep(0.3)
        gone = [name for name, one in names.items() if one.gone and name not in released]
        if not limit or not gone:
            continue
        if not raised:
            raised = await coordinator.steer("limits", limit=str(limit))
        for name in gone:
            one = names[name]
            done = one.how == "withdraw" or await coordinator.steer("release", participant=name)
            if done:
                released.add(name)
        await coordinator.steer("replan")


async def burn(running: Running, study: LoadStudy, limit: int, passcode: str) -> Tally:
    """Let everything happen at once, until every question has its answers.

    `limit` is what people are allowed when others have left, 0 in open mode.
    """
    tally, over = Tally(), asyncio.Event()
    people = crew(running, study, tally)
    coordinator = Coordinator(running.host, running.port, tally)
    await coordinator.sign_in("load", passcode)
    named = dict(zip(study.tokens, people, strict=True))
    tasks = [asyncio.create_task(one.live(over)) for one in people]
    tasks.append(asyncio.create_task(coordinate(coordinator, named, limit, over)))
    before = time.monotonic()
    while not over.is_set():
        await asyncio.sleep(0.5)
        failed = [task for task in tasks if task.done() and task.exception()]
        if is_done(await asyncio.to_thread(judge, study)) or failed:
            over.set()
        if time.monotonic() - before > LONGEST_SECONDS:
            tally.errors.append("not done in time")
            over.set()
    await asyncio.gather(*tasks)
    for one in people:
        await one.come_back_late()
        one.connection.close()
    return tally


def is_done(verdict: Verdict) -> bool:
    return set(verdict.questions) == {K}


def measure(
    kind: str,
    workers: int,
    mode: str,
    size: tuple[int, int],
    empty: Callable[[str], str | None],
) -> bool:
    """Run one combination and print its verdict; tell whether all was right."""
    questions, people = size
    limit = 2 * questions * K // people
    folder = Path(tempfile.mkdtemp(prefix="lontar-exact-"))
    try:
        study = make_study(
            folder,
            questions,
            people,
            K,
            mode,
            empty(kind),
            LEASE_MINUTES,
            max_load=limit if mode == "open" else None,
        )
        shown = study.lontar("coordinator", "add", "load")
        passcode = shown.split("passcode: ")[1].split()[0]
        before = time.monotonic()
        with serving(study, workers) as running:
            tally = asyncio.run(burn(running, study, limit if mode == "plan" else 0, passcode))
        seconds = time.monotonic() - before
        verdict = judge(study, tally.acknowledged)
        print(f"{kind}, {workers} workers, {mode}: {verdict.sentence(len(tally.errors))}")
        outcomes = ", ".join(f"{n} {name}" for name, n in sorted(tally.outcomes.items()))
        print(f"    {seconds:.0f} s; submissions: {outcomes}", file=sys.stderr)
        for error in tally.errors[:5]:
            print(f"    {error}", file=sys.stderr)
        sys.stdout.flush()
        return verdict.sentence(len(tally.errors)) == (
            f"{questions * K} answers, {questions} × exactly {K} distinct, 0 conflicts, 0 errors"
        )
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--databases", nargs="+", default=["sqlite", "postgres"])
    parser.add_argument("--workers", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--modes", nargs="+", default=["plan", "open"])
    parser.add_argument("--questions", type=int, default=256)
    parser.add_argument("--people", type=int, default=32)
    parser.add_argument("--short", action="store_true", help="two workers only")
    parser.add_argument("--json", type=Path, help="write the verdicts here as well")
    chosen = parser.parse_args()
    right: dict[str, bool] = {}
    with databases(chosen.databases) as empty:
        for kind in chosen.databases:
            for workers in [2] if chosen.short else chosen.workers:
                for mode in chosen.modes:
                    right[f"{kind} {workers} {mode}"] = measure(
                        kind, workers, mode, (chosen.questions, chosen.people), empty
                    )
    if chosen.json:
        chosen.json.write_text(json.dumps(right, indent=1) + "\n")
    sys.exit(0 if all(right.values()) else 1)


if __name__ == "__main__":
    main()
