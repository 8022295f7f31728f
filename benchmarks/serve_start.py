"""How soon the server answers after it was started, and how much memory a worker holds."""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import tempfile
from pathlib import Path

from serving.people import Person, Tally, crowd
from serving.server import serving
from serving.study import make_study

WORKERS = 2


def memory_megabytes(process: int) -> tuple[float, float]:
    """Give a process's resident memory, and its share of it where pages are shared (PSS)."""
    values = {}
    for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()[1:]:
        name, _, rest = line.partition(":")
        values[name] = int(rest.split()[0]) / 1024
    return values["Rss"], values["Pss"]


def children(process: int) -> list[int]:
    listed = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [int(one) for one in listed]


def measure(questions: int, people: int, most: int) -> dict[str, float]:
    folder = Path(tempfile.mkdtemp(prefix="lontar-start-"))
    try:
        study = make_study(folder, questions, people)
        starts = []
        for _again in range(3):
            with serving(study, WORKERS) as running:
                starts.append(running.start_seconds)
        with serving(study, WORKERS) as running:
            tally = Tally()
            crew = [
                Person(running.host, running.port, token, tally, str(number))
                for number, token in enumerate(list(study.tokens.values())[:8])
            ]

            async def work() -> None:
                for person in crew:
                    await person.sign_in()
                await crowd(crew, len(crew), most)

            asyncio.run(work())
            held = [memory_megabytes(one) for one in children(running.process.pid)]
        return {
            "questions": questions,
            "participants": people,
            "start_seconds": round(min(starts), 2),
            "worker_resident_mb": round(max(resident for resident, _share in held), 1),
            "worker_share_mb": round(max(share for _resident, share in held), 1),
        }
    finally:
        shutil.rmtree(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="the small study only")
    parser.add_argument("--json", type=Path, help="write the figures here as well")
    chosen = parser.parse_args()
    sizes = [(256, 8)] if chosen.short else [(256, 8), (100_000, 1_000)]
    rows = [measure(questions, people, 10) for questions, people in sizes]
    for row in rows:
        print(
            f"{row['questions']} questions, {row['participants']} people: answers "
            f"{row['start_seconds']} s after its start (best of 3); a worker holds "
            f"{row['worker_resident_mb']} MB ({row['worker_share_mb']} MB of its own share)"
        )
    if chosen.json:
        chosen.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
