"""A study of ten questions in all five answer formats, for a visitor to try."""

from __future__ import annotations

from pathlib import Path

from sampling.benchmark.question_files import write_json_lines
from sampling.synthetic.attributes import COLLECTIONS, Folio, invent_folios
from sampling.synthetic.benchmark import write_vocabularies
from sampling.synthetic.keys import ASKED, LABEL_QUESTION, Asked, key_of, record
from sampling.synthetic.pictures import Progress, write_pictures
from sampling.synthetic.vocabulary import (
    LABEL_TEXT,
    LABEL_TEXT_VOCABULARY,
    LINE_COUNT,
    PHYSICAL_CONDITION,
    SCRIPT_NAME,
    SYMBOLS,
    VOCABULARIES,
)

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
        for place, folio in enumerate(_folios(seed))
    ]
    rows = [record(folio, question, "test", _key(folio, question)) for folio, question in pairs]
    place = folder / "benchmark"
    write_json_lines(place / "test.jsonl", rows)
    chosen = {**VOCABULARIES, LABEL_TEXT: LABEL_TEXT_VOCABULARY}
    write_vocabularies(
        place / "answer_vocabularies.json", {category: chosen[category] for category in CATEGORIES}
    )
    write_pictures([(place / "images", folio) for folio, _ in pairs], seed, progress)


def _folios(seed: str) -> list[Folio]:
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
