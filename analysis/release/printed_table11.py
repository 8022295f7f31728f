"""Prints Table 11 once more from its own CSV, to compare what is there to read with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from analysis.table11.table11 import Measure, Table11, Table11Row
from analysis.table11.table11_files import as_markdown

Cells = Mapping[str, str]


def printed_rows_of(
    table: Sequence[Cells], measures: tuple[Measure, ...], *, balanced: bool
) -> list[str]:
    """Give the rows that `table11.md` must have, headers among them.

    >>> from analysis.table11.table11 import LABEL_MEASURES
    >>> human = {"evaluator": "Human", "kind": "human", "n_em": "3", "em": "66.67"}
    >>> printed_rows_of([human], LABEL_MEASURES[:1], balanced=True)[-1]
    '| Human | 3 | 66.67 | — | — |'
    """
    rows = tuple(_row(cells, measures) for cells in table)
    return table_lines(as_markdown(Table11(measures, rows, balanced, ())))


def table_lines(markdown: str) -> list[str]:
    """Give the lines of a Markdown text that are rows of a table."""
    return [line for line in markdown.splitlines() if line.startswith("|")]


def _row(cells: Cells, measures: Sequence[Measure]) -> Table11Row:
    def shares(ending: str) -> dict[str, Fraction | None]:
        return {one.name: _share(cells.get(one.name + ending, "")) for one in measures}

    counts = {one.count: cells.get(one.count, "") for one in measures}
    return Table11Row(
        evaluator=cells.get("evaluator", ""),
        kind=cells.get("kind", ""),
        counts={name: int(count) for name, count in counts.items() if count.isdecimal()},
        means=shares(""),
        question_means=shares("_question_mean"),
        agreement=_share(cells.get("agreement", "")),
        gaps=shares("_gap"),
        question_gaps=shares("_question_gap"),
    )


def _share(cell: str) -> Fraction | None:
    """Read a printed percentage; what is none is taken for empty, and then differs."""
    try:
        return Fraction(cell) / 100
    except (ValueError, ZeroDivisionError):
        return None
