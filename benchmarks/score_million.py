"""Reading, scoring and exact agreement of a million responses: under 10 s and 2 GB.

Three people answer each of 333,333 questions in eight categories of four formats; questions and
keys are read too. Writing the scored rows is not counted. Exits 1 beyond a limit; the seconds are
the processor's, for all is done by one thread and other work on the machine stretches the rest.
With --rows N another number of responses is made, with --per-question K another number of answers
a question.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import resource
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from analysis.scoring.basis import basis_of_files
from analysis.scoring.exact import percent_or_empty
from analysis.scoring.responses import read_response_rows
from analysis.scoring.scored import ScoredStudy
from analysis.scoring.study import score_responses
from analysis.table11.pair_agreement import category_agreement, macro_agreement
from analysis.table11.table11 import build_table11
from sampling.study.definition import TextTable
from sampling.study.files import collection_paused

SECONDS, GIGABYTES = 10.0, 2.0
BEGUN = datetime(2026, 9, 1, tzinfo=UTC)
LABELS = ["cracks", "stains", "fading", "scratches", "insect damage", "edge damage", "holes"]
VOCABULARIES: dict[str, dict[str, object]] = {
    "Script": {"format": "single", "labels": ["Khmer", "Tamil", "Kannada", "Balinese", "Grantha"]},
    "Lines": {"format": "count", "max": 40},
    "Drawing": {"format": "binary", "labels": ["yes", "no"]},
    **{f"Features {number}": {"format": "multi", "labels": LABELS} for number in range(1, 6)},
}


def an_answer(category: str, chance: random.Random) -> object:
    entry = VOCABULARIES[category]
    if entry["format"] == "count":
        return chance.randint(1, 12)
    labels = entry["labels"]
    assert isinstance(labels, list)
    if entry["format"] == "multi":
        return sorted(chance.sample(labels, chance.randint(1, 3)))
    return chance.choice(labels)


def write_study(folder: Path, rows: int, per_question: int) -> None:
    """Write questions, keys, vocabularies and responses, 85 of 100 answers right."""
    chance = random.Random(1)
    categories = list(VOCABULARIES)
    (folder / "vocabularies.json").write_text(json.dumps(VOCABULARIES), encoding="utf-8")
    names = ("questions", "keys", "responses")
    questions, keys, responses = (
        (folder / f"{name}.jsonl").open("w", encoding="utf-8") for name in names
    )
    with questions, keys, responses:
        for number in range(rows // per_question):
            category = categories[number % 8]
            sample_id, key = (
                f"Leaf_{number // 8:06d}__{number % 8 + 1}",
                an_answer(category, chance),
            )
            asked = {"sample_id": sample_id, "image_name": f"Leaf_{number // 8:06d}.jpg"}
            asked |= {"category": category, "question_en": "What is visible?"}
            questions.write(json.dumps(asked) + "\n")
            keys.write(json.dumps({"sample_id": sample_id, "answer": key}) + "\n")
            for index in range(1, per_question + 1):
                right = chance.random() < 0.85
                shown = BEGUN + timedelta(seconds=chance.randrange(60 * 86_400))
                row = {
                    "sample_id": sample_id,
                    "participant": f"P{(number + index) % max(24, per_question + 1):02d}",
                    "response_index": index,
                    "status": "answered",
                    "raw_response": key if right else an_answer(category, chance),
                    "shown_at": f"{shown:%Y-%m-%dT%H:%M:%SZ}",
                    "submitted_at": f"{shown + timedelta(minutes=1):%Y-%m-%dT%H:%M:%SZ}",
                    "active_seconds": round(chance.random() * 60, 1),
                }
                responses.write(json.dumps(row) + "\n")


@collection_paused()
def measure(folder: Path) -> float:
    """Read, score, agree; print what each step takes and give the processor's seconds of all."""
    steps = [("", time.perf_counter(), time.process_time())]

    def done(step: str) -> None:
        steps.append((step, time.perf_counter(), time.process_time()))

    basis = basis_of_files(
        folder / "questions.jsonl",
        folder / "keys.jsonl",
        folder / "vocabularies.json",
        TextTable(),
    )
    done("questions and keys")
    rows = read_response_rows(folder / "responses.jsonl")
    done("responses")
    scores = score_responses(rows, basis, "responses.jsonl")
    done("scoring")
    scored = ScoredStudy(basis.questions, scores, {}, vocabularies=basis.vocabularies)
    agreement = macro_agreement(category_agreement(scored))
    done("exact agreement")
    for (_, wall, cpu), (step, wall_after, cpu_after) in itertools.pairwise(steps):
        print(f"{step:20s} {wall_after - wall:6.2f} s  (processor {cpu_after - cpu:5.2f} s)")
    human = build_table11(scored).rows[0]
    print(
        f"{len(scores):,} responses: EM {percent_or_empty(human.means['em'])} %, "
        f"agreement {percent_or_empty(agreement)} %"
    )
    return steps[-1][2] - steps[0][2]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--per-question", type=int, default=3)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        write_study(Path(name), chosen.rows, chosen.per_question)
        seconds = measure(Path(name))
    unit = 1 if sys.platform == "darwin" else 1024
    gigabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e9
    limits = f"of {SECONDS:.0f} s and {GIGABYTES:.0f} GB"
    print(f"processor {seconds:.2f} s, memory {gigabytes:.2f} GB {limits}")
    if seconds > SECONDS or gigabytes > GIGABYTES:
        sys.exit(1)


if __name__ == "__main__":
    main()
