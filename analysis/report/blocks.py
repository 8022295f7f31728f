"""What a section of the report is made of: paragraphs, tables and pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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
