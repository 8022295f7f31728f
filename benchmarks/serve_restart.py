"""Power cuts: the server is killed (SIGKILL) while people answer, again and again.

Each round starts the server on the same study and port, lets everybody answer, and kills it and
its workers a random time after it first said that it had saved something. What the server said it
had saved must be there at the end, once.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from serving.client import Connection, filled
from serving.people import JSON, Person, Tally, outcome_of
from serving.server import Running, databases, free_port, start_study
from serving.study import LoadStudy, make_study
from serving.verdict import judge

PEOPLE, K = 8, 3
QUESTIONS = 4000
# A machine that does much else takes seconds to save the first answer after a start.
PATIENCE_SECONDS = 30.0


class Survivor(Person):
    """A participant who sends what was not acknowledged again when the server is back."""

    unsure: list[tuple[str, str]] | None = None

    async def answer_until_killed(self) -> None:
        """Answer until the connection breaks."""
        self.connection = Connection(
            self.connection.host, self.connection.port, self.connection.cookies
        )
        try:
            while True:
                if self.unsure is None:
                    found = await self.next_question()
                    if found is None:
                        return
                    self.unsure = filled(found[0], self.random.randrange(99))
                reply = await self.connection.post("/question", self.unsure, JSON)
                self.tally.note(reply, "POST /question", 200)
                self.tally.outcomes[outcome_of(reply)] += 1
                self.tally.acknowledged[dict(self.unsure)["key"]] = outcome_of(reply)
                self.unsure = None
        except (ConnectionError, asyncio.IncompleteReadError):
            self.connection.close()


async def run_round(people: list[Survivor], running: Running, tally: Tally, seconds: float) -> None:
    before = len(tally.acknowledged)
    tasks = [asyncio.create_task(person.answer_until_killed()) for person in people]
    deadline = time.monotonic() + PATIENCE_SECONDS
    while len(tally.acknowledged) == before and time.monotonic() < deadline:
        await asyncio.sleep(0.01)
    await asyncio.sleep(seconds)
    await asyncio.to_thread(running.kill)
    await asyncio.gather(*tasks)


async def all_rounds(study: LoadStudy, rounds: int, workers: int, tally: Tally) -> None:
    port, chance = free_port(), random.Random("restart")
    people = [
        Survivor("127.0.0.1", port, token, tally, str(number))
        for number, token in enumerate(study.tokens.values())
    ]
    for number in range(rounds):
        running = await asyncio.to_thread(start_study, study, workers, "127.0.0.1", port)
        if number == 0:
            for person in people:
                await person.sign_in()
        await run_round(people, running, tally, chance.uniform(0.2, 2.0))


def measure(
    kind: str, rounds: int, workers: int, empty: Callable[[str], str | None]
) -> dict[str, int]:
    folder = Path(tempfile.mkdtemp(prefix="lontar-restart-"))
    try:
        study = make_study(folder, QUESTIONS, PEOPLE, K, database=empty(kind), per_session=10**6)
        tally = Tally()
        asyncio.run(all_rounds(study, rounds, workers, tally))
        verdict = judge(study, tally.acknowledged)
        return {
            "rounds": rounds,
            "acknowledged": len(tally.acknowledged),
            "stored": verdict.answers,
            "lost": verdict.lost,
            "duplicates": verdict.conflicts,
            "miscounted": verdict.miscounted,
            "errors": len(tally.errors),
        }
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--databases", nargs="+", default=["sqlite", "postgres"])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--short", action="store_true", help="five rounds")
    parser.add_argument("--json", type=Path, help="write the counts here as well")
    chosen = parser.parse_args()
    rounds = 5 if chosen.short else chosen.rounds
    found: dict[str, dict[str, int]] = {}
    with databases(chosen.databases) as empty:
        for kind in chosen.databases:
            counts = found[kind] = measure(kind, rounds, chosen.workers, empty)
            print(
                f"{kind}: {counts['rounds']} rounds, {counts['acknowledged']} acknowledged, "
                f"{counts['lost']} acknowledged answers lost, {counts['duplicates']} duplicates, "
                f"{counts['stored']} stored, {counts['errors']} errors"
            )
            sys.stdout.flush()
    if chosen.json:
        chosen.json.write_text(json.dumps(found, indent=1) + "\n")
    wrong = sum(one["lost"] + one["duplicates"] + one["errors"] for one in found.values())
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
