"""The page about results names every file that an analysis writes, and every column of ours."""

from __future__ import annotations

from pathlib import Path

from analysis.results import COLUMNS

DOCS = Path(__file__).parents[2] / "docs"


def test_every_file_of_a_finished_study_is_named(finished) -> None:
    study, _ = finished
    pages = [(DOCS / name).read_text(encoding="utf-8") for name in ("results.md", "statistics.md")]
    text = "".join(pages).replace("`table11.csv`, `.md`, `.tex`, `.json`", _all_of_table11())
    names = [path.name for path in study.results_folder.iterdir() if path.is_file()]
    assert [name for name in names if f"`{name}`" not in text] == []


def test_every_column_is_explained() -> None:
    text = (DOCS / "results.md").read_text(encoding="utf-8")
    columns = {column for names in COLUMNS.values() for column in names}
    assert sorted(column for column in columns if f"`{column}`" not in text) == []


def _all_of_table11() -> str:
    return "".join(f"`table11.{ending}`" for ending in ("csv", "md", "tex", "json"))
