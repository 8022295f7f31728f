"""The words that stand over columns and for metrics, and how rows become a table.

What a section of the report is made of: paragraphs, tables and pictures.
Reads the tables of `results/` back as rows of text, for the report alone.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

Row = Mapping[str, str]


@dataclass(frozen=True)
class Paragraph:
    """Plain text; `kind` is `plain`, `claim` (what the reader should take away) or `warning`."""

    text: str
    kind: str = "plain"


@dataclass(frozen=True)
class DataTable:
    """A table: columns are (key, heading); `folded` shows it only when the reader opens it.

    The first `text_columns` columns and those in `words` are words, the others numbers. `source`
    is the file under `results/` that holds all of it. A long folded table is left out on paper
    unless it is `printed`.
    """

    caption: str
    columns: Sequence[tuple[str, str]]
    rows: Sequence[Row]
    text_columns: int = 1
    folded: bool = False
    source: str = ""
    words: frozenset[str] = frozenset()
    printed: bool = False


@dataclass(frozen=True)
class Picture:
    """A figure, as SVG text to be set into the page."""

    caption: str
    svg: str


Block = Paragraph | DataTable | Picture


@dataclass(frozen=True)
class Section:
    """One part of the page, reached by its anchor."""

    anchor: str
    title: str
    blocks: Sequence[Block]


def kind_of(block: Block) -> str:
    """Name a block's kind for the template."""
    return {Paragraph: "paragraph", DataTable: "table", Picture: "picture"}[type(block)]


def read_rows(folder: Path, name: str) -> list[dict[str, str]]:
    """Read `name.csv`; an absent table has no rows."""
    path = folder / f"{name}.csv"
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def read_notes(folder: Path) -> list[str]:
    """Read the notes under Table 11; there are none without it."""
    path = folder / "table11.json"
    return list(json.loads(path.read_text(encoding="utf-8"))["notes"]) if path.is_file() else []


def read_title(folder: Path) -> str:
    """Read how the table of people and models is called; only a complete one is Table 11."""
    path = folder / "table11.json"
    title = json.loads(path.read_text(encoding="utf-8"))["title"] if path.is_file() else ""
    return str(title) or "Human baseline"


def number(text: str) -> float | None:
    """Read a printed number; an empty cell is none.

    >>> number("28.91"), number("")
    (28.91, None)
    """
    return float(text) if text else None


def interval(row: Row, low: str, high: str) -> tuple[float, float] | None:
    """Read the two ends of an interval; none where either is empty."""
    ends = number(row.get(low, "")), number(row.get(high, ""))
    return None if ends[0] is None or ends[1] is None else (ends[0], ends[1])


def filled_columns(rows: Sequence[Row], leave_out: Sequence[str] = ()) -> list[str]:
    """Name the columns in which some row has something, in their order.

    >>> filled_columns([{"a": "1", "b": ""}, {"a": "", "b": ""}])
    ['a']
    """
    names = list(rows[0]) if rows else []
    return [name for name in names if name not in leave_out and any(row[name] for row in rows)]


METRIC_NAMES = {
    "em": "exact match",
    "f1": "F1",
    "w1": "counts within one",
    "ned": "NED",
    "char_f1": "character F1",
}

SIMILARITY = "NED (edit similarity)"

HEADINGS = {
    "ac1": "AC1",
    "alpha": "alpha",
    "alpha_distance": "distance",
    "brennan_prediger": "Brennan–Prediger",
    "char_f1": "char. F1, %",
    "char_f1_gain": "char. F1 gain",
    "char_f1_gap": "char. F1 gap",
    "consistent_char_f1": "consistent char. F1, %",
    "consistent_ned": "consistent NED, %",
    "constant_em": "EM of the constant, %",
    "em": "EM, %",
    "em_above_chance": "EM above chance, %",
    "em_before": "EM before, %",
    "em_gain": "EM gain",
    "em_gap": "EM gap",
    "em_if_people_are_right": "EM if people are right, %",
    "em_lenient": "EM lenient, %",
    "em_unwrapped": "EM unwrapped, %",
    "em_valid": "EM of valid, %",
    "exact_agreement": "exact, %",
    "f1": "F1, %",
    "f1_gain": "F1 gain",
    "f1_gap": "F1 gap",
    "gap_from_reading": "from reading",
    "gap_lenient": "lenient gap",
    "gap_valid": "gap to valid",
    "human_em": "human EM, %",
    "invalid": "invalid, %",
    "jaccard": "Jaccard, %",
    "lenient_char_f1": "consistent char. F1, %",
    "lenient_em": "EM lenient, %",
    "lenient_f1": "F1 lenient, %",
    "lenient_ned": "consistent NED, %",
    "mde": "detectable gap",
    "model_em": "model EM, %",
    "model_em_lenient": "lenient, %",
    "n": "n",
    "n_em": "n",
    "n_empty": "nothing read",
    "n_text": "n",
    "n_w1": "n (counts)",
    "ned": "NED, %",
    "ned_gain": "NED gain",
    "ned_gap": "NED gap",
    "p_holm": "p (Holm)",
    "p_mcnemar": "p (McNemar)",
    "p_sign_flip": "p (sign-flip)",
    "p_t": "p (t)",
    "pairwise_f1": "F1 of pairs, %",
    "precision": "precision, %",
    "recall": "recall, %",
    "similarity": "similarity, %",
    "uniform_em": "EM of guessing, %",
    "w1": "W1, %",
    "w1_gain": "W1 gain",
    "w1_gap": "W1 gap",
    "within_one": "within one, %",
}
# The two ends of an interval stand in one cell, under this heading.
INTERVALS = {
    ("low", "high"): "interval",
    ("t2_low", "t2_high"): "T2 interval",
    ("t3_low", "t3_high"): "T3 interval",
    ("question_low", "question_high"): "interval by question",
    ("exact_low", "exact_high"): "interval",
    ("similarity_low", "similarity_high"): "interval",
    ("alpha_low", "alpha_high"): "interval",
}
WORDS = frozenset(
    (
        *("statement", "reason", "method", "note", "matched", "target", "headline", "unit"),
        *(
            "alpha_distance",
            "headline_condition",
            "people",
            "key",
            "models",
            "constant_answer",
            "place",
            "compared_by",
        ),
    )
)
LONG = 16  # rows, beyond which a folded table is not printed on paper
_NEGATIVE = re.compile(r"-\d[\d.,]*")


def heading(column: str) -> str:
    """Give a column's heading: its own, or its name in words.

    >>> heading("f1"), heading("n_questions")
    ('F1, %', 'questions')
    """
    words = column.removeprefix("n_") if column.startswith("n_") else column
    return HEADINGS.get(column, words.replace("_", " "))


def table_of(
    caption: str,
    rows: Sequence[Row],
    text_columns: int = 1,
    *,
    columns: Sequence[str] = (),
    folded: bool = False,
    source: str = "",
) -> list[DataTable]:
    """Lay rows out as a table, with the given columns or all that hold something.

    The two ends of an interval become one cell. Gives no table where there are no rows.
    """
    if not rows:
        return []
    filled = filled_columns(rows)
    chosen = [name for name in columns if name in filled] or filled
    pairs = []
    for name in chosen:
        ends = next((ends for ends in INTERVALS if name in ends), None)
        if ends is None or not set(ends) <= set(chosen):
            pairs.append((name, heading(name)))
        elif name == ends[0]:
            pairs.append((name, INTERVALS[ends]))
    shown = [_present(row, chosen) for row in rows]
    return [DataTable(caption, pairs, shown, text_columns, folded, source, WORDS)]


def table_from(
    folder: Path,
    name: str,
    caption: str,
    text_columns: int = 1,
    *,
    columns: Sequence[str] = (),
    folded: bool = True,
) -> list[DataTable]:
    """Lay out a file of `results/`, folded unless told otherwise; nothing where it has no rows."""
    rows = read_rows(folder, name)
    return table_of(
        caption, rows, text_columns, columns=columns, folded=folded, source=f"{name}.csv"
    )


def signed(text: str) -> str:
    """Write a negative number with a minus, not a hyphen.

    >>> signed("-4.07"), signed("4.07"), signed("Leaf-1")
    ('−4.07', '4.07', 'Leaf-1')
    """
    return f"−{text[1:]}" if _NEGATIVE.fullmatch(text) else text


def _present(row: Row, chosen: Sequence[str]) -> Row:
    """Show an empty cell as a dash, a negative number with a minus, an interval as one cell."""
    shown = {name: signed(value) or "—" for name, value in row.items()}
    for low, high in INTERVALS:
        if low in chosen and high in chosen and row[low]:
            shown[low] = f"{shown[low]} to {shown[high]}"
    return shown
