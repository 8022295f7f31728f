"""How long a plan of 100,000 questions x 3 over 1,000 people takes, with 5 % of pairs excluded."""

from __future__ import annotations

import argparse
import json
import platform
import resource
import sys
import time
from pathlib import Path

import numpy as np

from sampling.assignment.roster import Participant
from sampling.plan.solver import make_plan
from sampling.study.definition import AssignmentTable
from sampling.study.questions import Question


def excluded_pairs(
    questions: list[Question], people: list[Participant], share: float
) -> frozenset[tuple[str, str]]:
    generator = np.random.default_rng(1)
    names = [person.pseudonym for person in people]
    return frozenset(
        (names[column], question.sample_id)
        for question in questions
        for column in np.flatnonzero(generator.random(len(names)) < share)
    )


def measure(n: int, people_count: int, share: float) -> dict[str, float]:
    questions = [
        Question(f"q{i:06d}", f"image{i // 2:06d}", f"c{i % 8}", "?", f"g{i // 8 % 8}")
        for i in range(n)
    ]
    people = [Participant(f"P{i:04d}") for i in range(people_count)]
    excluded = excluded_pairs(questions, people, share)
    before, cpu_before = time.perf_counter(), time.process_time()
    planned = make_plan(questions, people, excluded, AssignmentTable(), "benchmark")
    seconds, cpu_seconds = time.perf_counter() - before, time.process_time() - cpu_before
    for margin in planned.margins:
        print(
            f"    {margin.name}: {margin.smallest} to {margin.largest}, "
            f"{margin.off} of {margin.counts} off",
            file=sys.stderr,
        )
    return {
        "questions": n,
        "people": people_count,
        "excluded_pairs": len(excluded),
        "answers": len(planned.slots),
        "seconds": round(seconds, 2),
        "cpu_seconds": round(cpu_seconds, 2),
        "peak_megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--largest", type=int, default=100_000, metavar="QUESTIONS")
    options = parser.parse_args()
    sizes = [(256, 8), (1_000, 24), (10_000, 100), (100_000, 1_000)]
    rows = [measure(n, people, 0.05) for n, people in sizes if n <= options.largest]
    print("\t".join(rows[0]))
    for row in rows:
        print("\t".join(str(value) for value in row.values()))
    if options.json is not None:
        record = {"benchmark": "plan", "python": platform.python_version(), "rows": rows}
        options.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
