"""Writes the synthetic benchmark: questions, vocabularies, annotators and pictures."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sampling.benchmark.question_files import write_json_lines
from sampling.study.keyed import shuffled
from sampling.synthetic.attributes import COLLECTIONS, Folio, invent_folios
from sampling.synthetic.keys import ASKED, key_of, record
from sampling.synthetic.pictures import Progress, write_pictures
from sampling.synthetic.practice import invent_practice, write_practice
from sampling.synthetic.vocabulary import VOCABULARIES

ANNOTATORS = tuple(f"A{number:02}" for number in range(1, 13))
ROSTER = (
    ("P01", "A01"),
    ("P02", "A02"),
    ("P03", "A03;A04"),
    ("P04", "A05"),
    ("P05", "A06"),
    ("P06", "A07"),
    ("P07", ""),
    ("P08", ""),
)
OTHER_SPLITS = ("train", "val")


def write_synthetic_benchmark(
    folder: Path,
    seed: str,
    folios_per_collection: int = 12,
    progress: Progress | None = None,
) -> None:
    """Write a benchmark of synthetic folios into a study's folder.

    Eight collections of `folios_per_collection` folios, eight questions each, in the split
    `test`; one more folio a collection in `train` or `val`, as real benchmarks have them; and
    practice questions about other folios.

    Parameters
    ----------
    folder : where `benchmark/` and `practice/` are written
    seed : the same seed gives the same questions everywhere, and the same pictures on a machine
    folios_per_collection : at least 12 show every feature in every collection
    progress : hears (pictures drawn, pictures in all)
    """
    folios = _folios(seed, folios_per_collection)
    rows = [
        record(folio, asked, split, key_of(folio, asked.category))
        for folio, split in folios
        for asked in ASKED
    ]
    place = folder / "benchmark"
    write_json_lines(place / "test.jsonl", rows)
    write_vocabularies(place / "answer_vocabularies.json", VOCABULARIES)
    _write_table(
        place / "annotators.csv", ("sample_id", "annotator", "role"), _annotations(rows, seed)
    )
    practice = invent_practice(seed)
    write_practice(folder / "practice", practice)
    pictures = [(place / "images", folio) for folio, _ in folios]
    pictures += [(folder / "practice" / "images", folio) for folio in practice]
    write_pictures(pictures, seed, progress)


def write_roster(path: Path) -> None:
    """Write the roster of eight pseudonyms, six of whom have signed keys of the benchmark."""
    _write_table(path, ("participant", "annotator_ids"), ROSTER)


def write_vocabularies(path: Path, vocabularies: Mapping[str, Any]) -> None:
    """Write vocabularies as JSON that a person can read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(vocabularies, ensure_ascii=False, indent=1)
    path.write_text(text + "\n", encoding="utf-8", newline="\n")


def _folios(seed: str, count: int) -> list[tuple[Folio, str]]:
    """Invent the folios of every collection, each with its split."""
    found: list[tuple[Folio, str]] = []
    for number, collection in enumerate(COLLECTIONS):
        names = [f"{collection}_{place:04}" for place in range(1, count + 2)]
        folios = invent_folios(seed, collection, names)
        found += [(folio, "test") for folio in folios[:-1]]
        found.append((folios[-1], OTHER_SPLITS[number % len(OTHER_SPLITS)]))
    return found


def _annotations(rows: Sequence[Mapping[str, Any]], seed: str) -> Iterator[tuple[str, str, str]]:
    """Give each image an author and a reviewer, who sign all its questions."""
    for row in rows:
        author, reviewer, *_ = shuffled(ANNOTATORS, seed, "annotators", row["image_name"])
        yield row["sample_id"], author, "author"
        yield row["sample_id"], reviewer, "reviewer"


def _write_table(path: Path, columns: Sequence[str], rows: Iterator[Any] | Sequence[Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
