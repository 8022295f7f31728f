"""Practice: a question of each category about folios outside the benchmark, with feedback."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sampling.benchmark.question_files import write_json_lines
from sampling.synthetic.attributes import Folio, invent_folios
from sampling.synthetic.keys import ASKED, Asked, key_of, record
from sampling.synthetic.vocabulary import LINE_COUNT, SYMBOLS, VOCABULARIES

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
