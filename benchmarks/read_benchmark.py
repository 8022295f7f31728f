"""How reading a benchmark grows with its size: a tenth of a million rows against a million."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

from sampling.benchmark.benchmark import read_benchmark
from sampling.study.folder import StudyFolder
from sampling.study.study_toml import parse_definition

LABELS = ["intact", "cracks", "stains", "fading", "insect damage"]


def write(folder: Path, rows: int) -> StudyFolder:
    """Write a benchmark of so many rows in four categories."""
    vocabularies = {
        f"Category {number}": {"format": "multi", "labels": LABELS} for number in range(4)
    }
    (folder / "v.json").write_text(json.dumps(vocabularies), encoding="utf-8")
    with (folder / "q.jsonl").open("w", encoding="utf-8") as file:
        for number in range(rows):
            row = {
                "sample_id": f"leaf_{number // 4:07d}__{number % 4}",
                "image_name": f"leaf_{number // 4:07d}.jpg",
                "script_name": "Khmer",
                "question_id": number % 4,
                "category": f"Category {number % 4}",
                "question_type": "attribute recognition",
                "question_en": "Which kinds of damage or wear are visible on the leaf?",
                "answer": [LABELS[1 + number % 3], LABELS[4]],
                "split": "test",
            }
            file.write(json.dumps(row) + "\n")
    tables = {
        "study": {"name": "s", "seed": "s"},
        "benchmark": {"questions": "q.jsonl", "vocabularies": "v.json", "where": {"split": "test"}},
        "sample": {"strata": ["category"], "per_stratum": 1},
    }
    return StudyFolder(folder, parse_definition(tables))


def seconds_to_read(rows: int) -> float:
    """Write, read, and take the processor's time of the reading alone."""
    with tempfile.TemporaryDirectory() as folder:
        study = write(Path(folder), rows)
        started = time.process_time()
        read_benchmark(study)
        return time.process_time() - started


if __name__ == "__main__":
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    small, large = seconds_to_read(rows // 10), seconds_to_read(rows)
    print(f"{rows // 10:,} rows: {small:.1f} s")
    print(f"{rows:,} rows: {large:.1f} s, {large / small:.1f} times as long (10 is linear)")
