"""Writes the synthetic benchmark: questions, vocabularies, annotators and pictures.

Practice: a question of each category about folios outside the benchmark, with feedback.
A study of ten questions in all five answer formats, for a visitor to try.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sampling.benchmark.question_files import write_json_lines
from sampling.study.keyed import shuffled
from sampling.synthetic.attributes import COLLECTIONS, Folio, invent_folios
from sampling.synthetic.folio_image import Progress, write_pictures
from sampling.synthetic.keys import ASKED, LABEL_QUESTION, Asked, key_of, record
from sampling.synthetic.vocabulary import (
    LABEL_TEXT,
    LABEL_TEXT_VOCABULARY,
    LINE_COUNT,
    PHYSICAL_CONDITION,
    SCRIPT_NAME,
    SYMBOLS,
    VOCABULARIES,
)

SPLIT = "practice"
# Which of the eight questions each practice folio is asked.
_QUESTIONS = {"Khmer": (0, 2), "Balinese": (3, 1), "Kannada": (4, 5), "Tamil": (6, 7)}


def invent_practice(seed: str) -> tuple[Folio, ...]:
    """Invent the practice folios: one of each of four collections."""
    return tuple(
        invent_folios(f"{seed} practice", collection, [f"Practice_{number:02}"])[0]
        for number, collection in enumerate(_QUESTIONS, 1)
    )


def write_practice(folder: Path, folios: Sequence[Folio]) -> None:
    """Write `questions.jsonl` and `keys.jsonl`; a key's `feedback` says what there is to see."""
    pairs = [(folio, ASKED[place]) for folio in folios for place in _QUESTIONS[folio.collection]]
    questions = [record(folio, asked, SPLIT, None) for folio, asked in pairs]
    for question in questions:
        del question["answer"]
    write_json_lines(folder / "questions.jsonl", questions)
    write_json_lines(
        folder / "keys.jsonl",
        [
            {
                "sample_id": question["sample_id"],
                "answer": key_of(folio, asked.category),
                "feedback": feedback(folio, asked),
            }
            for question, (folio, asked) in zip(questions, pairs, strict=True)
        ],
    )


def feedback(folio: Folio, asked: Asked) -> str:
    """Say in a sentence or two what there is to see, and how one knows.

    Examples
    --------
    >>> folio, = invent_folios("seed", "Khmer", ["Practice_01"])
    >>> feedback(folio, ASKED[0])
    'Khmer.'
    """
    key = key_of(folio, asked.category)
    hints = VOCABULARIES[asked.category].get("help", {})
    if asked.category == LINE_COUNT:
        return (
            f"There are {key} lines. Count down one edge of the text, then once more in the middle."
        )
    if asked.category == SYMBOLS:
        seen = f"Yes, a drawing: {folio.drawing}." if folio.drawing else "No, there is only text."
        return f"{seen} {hints['']}"
    labels = key if isinstance(key, list) else [key]
    return " ".join(
        f"{str(label).capitalize()}: {hints[label][0].lower()}{hints[label][1:]}"
        if label in hints
        else f"{str(label).capitalize()}."
        for label in labels
    )


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


CATEGORIES = (SCRIPT_NAME, PHYSICAL_CONDITION, LINE_COUNT, SYMBOLS, LABEL_TEXT)
LABEL = "modern label"


def write_try_it_benchmark(folder: Path, seed: str, progress: Progress | None = None) -> None:
    """Write a benchmark of ten questions, two in each answer format, on ten folios.

    One label, several labels, yes or no, a number, and a short text to copy off a label.

    Parameters
    ----------
    folder : the study's folder; `benchmark/` is written in it
    seed : the same seed gives the same questions everywhere, and the same pictures on a machine
    progress : hears (pictures drawn, pictures in all)
    """
    asked = {question.category: question for question in (*ASKED, LABEL_QUESTION)}
    pairs = [
        (folio, asked[CATEGORIES[place % len(CATEGORIES)]])
        for place, folio in enumerate(_folios_to_try(seed))
    ]
    rows = [record(folio, question, "test", _key(folio, question)) for folio, question in pairs]
    place = folder / "benchmark"
    write_json_lines(place / "test.jsonl", rows)
    chosen = {**VOCABULARIES, LABEL_TEXT: LABEL_TEXT_VOCABULARY}
    write_vocabularies(
        place / "answer_vocabularies.json", {category: chosen[category] for category in CATEGORIES}
    )
    write_pictures([(place / "images", folio) for folio, _ in pairs], seed, progress)


def _folios_to_try(seed: str) -> list[Folio]:
    """Invent ten folios; those whose label is asked about have one."""
    collections = list(COLLECTIONS)
    folios = []
    for place in range(2 * len(CATEGORIES)):
        collection = collections[place % len(collections)]
        name = f"Leaf_{place + 1:02}"
        choices = invent_folios(f"{seed} {name}", collection, [name] * 12)
        labelled = CATEGORIES[place % len(CATEGORIES)] == LABEL_TEXT
        wanted = [folio for folio in choices if (LABEL in folio.features) or not labelled]
        folios.append(wanted[0])
    return folios


def _key(folio: Folio, question: Asked) -> str | int | list[str]:
    return folio.label_text if question is LABEL_QUESTION else key_of(folio, question.category)
