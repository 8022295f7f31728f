"""How long a draw from up to 1,000,000 candidate questions takes, with and without spread."""

from __future__ import annotations

import argparse
import json
import platform
import resource
import time
from pathlib import Path

from sampling.draw.strata import Candidate, draw
from sampling.study.definition import SampleTable


def candidates(number: int) -> list[Candidate]:
    """8 collections of images, a question of each of 8 categories for every image."""
    images = number // 64
    return [
        Candidate(
            f"c{collection}_{image:06d}__{category}",
            (f"c{collection}", f"q{category}"),
            f"c{collection}_{image:06d}.jpg",
        )
        for collection in range(8)
        for image in range(images)
        for category in range(8)
    ]


def measure(frame: list[Candidate], per_stratum: int, spread: str | None) -> dict[str, object]:
    table = SampleTable(strata=("collection", "category"), per_stratum=per_stratum, spread=spread)
    before, cpu_before = time.perf_counter(), time.process_time()
    drawn = draw(frame, "benchmark", table)
    return {
        "candidates": len(frame),
        "drawn": sum(len(one.drawn) for one in drawn.strata),
        "spread": spread or "none",
        "seconds": round(time.perf_counter() - before, 2),
        "cpu_seconds": round(time.process_time() - cpu_before, 2),
        "peak_megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--largest", type=int, default=1_000_000, metavar="CANDIDATES")
    options = parser.parse_args()
    rows = []
    for number in (10_000, 100_000, 1_000_000):
        if number > options.largest:
            continue
        frame = candidates(number)
        for per_stratum in (4, number // 640):
            rows += [measure(frame, per_stratum, spread) for spread in (None, "image")]
    print("\t".join(rows[0]))
    for row in rows:
        print("\t".join(str(value) for value in row.values()))
    if options.json is not None:
        record = {"benchmark": "draw", "python": platform.python_version(), "rows": rows}
        options.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
