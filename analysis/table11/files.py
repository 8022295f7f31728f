"""Writing Table 11 as CSV, Markdown, LaTeX and JSON.

`agreement.csv`: agreement by category with a macro-averaged last row.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from analysis.scoring.exact import percent_or_empty
from analysis.scoring.scored import ScoredStudy
from analysis.table11.breakdowns import in_order
from analysis.table11.latex import latex_table
from analysis.table11.pair_agreement import category_agreement
from analysis.table11.table11 import REPORTED, Measure, Table11, Table11Row

HOW_TO_READ = "Human: the mean over single answers, never a majority."
OF_GAPS = (
    "Gap: human minus model on the same questions, in percentage points, rounded half up from the "
    "exact difference."
)
Cells = Mapping[str, str]


def write_table11(
    table: Table11, folder: Path, extra: Mapping[str, Mapping[str, str]] | None = None
) -> None:
    """Write `table11.csv`, `.md`, `.tex` and `.json`.

    `extra` gives further columns, such as interval ends, by evaluator and column name.
    """
    rows = csv_rows(table, extra or {})
    (folder / "table11.csv").write_text(as_csv(rows), encoding="utf-8", newline="")
    (folder / "table11.md").write_text(as_markdown(table), encoding="utf-8", newline="")
    (folder / "table11.tex").write_text(table11_latex(table), encoding="utf-8", newline="")
    (folder / "table11.json").write_text(as_json(table, rows), encoding="utf-8", newline="")


def csv_rows(table: Table11, extra: Mapping[str, Mapping[str, str]]) -> list[dict[str, str]]:
    """Lay the table out by the columns of the results contract, everything printed."""
    extra_names = list(dict.fromkeys(name for cells in extra.values() for name in cells))
    rows = []
    for row in table.rows:
        cells = {"evaluator": row.evaluator, "kind": row.kind}
        for measure in table.measures:
            cells[measure.count] = _count(row, measure)
            cells[measure.name] = percent_or_empty(row.means.get(measure.name))
        cells["agreement"] = percent_or_empty(row.agreement)
        for measure in table.measures:
            cells[f"{measure.name}_gap"] = percent_or_empty(row.gaps.get(measure.name))
        cells |= {name: extra.get(row.evaluator, {}).get(name, "") for name in extra_names}
        cells |= _last_cells(table, row)
        rows.append(cells)
    return rows


def _last_cells(table: Table11, row: Table11Row) -> dict[str, str]:
    """Give what the gaps are taken over, the means over questions, and the model's group."""
    cells = {
        "gap_questions": "" if row.shared_questions is None else str(row.shared_questions),
        "gap_responses": "" if row.shared_responses is None else str(row.shared_responses),
    }
    for measure in table.measures:
        name = measure.name
        cells[f"{name}_question_mean"] = percent_or_empty(row.question_means.get(name))
        cells[f"{name}_question_gap"] = percent_or_empty(row.question_gaps.get(name))
    cells["group"] = row.group or ""
    return cells


def _count(row: Table11Row, measure: Measure) -> str:
    count = row.counts.get(measure.count)
    return "" if count is None else str(count)


def as_csv(rows: Sequence[Cells]) -> str:
    """Print rows with a header, comma-separated, each line ended by a line feed."""
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def printed_header(table: Table11) -> list[str]:
    """Name the columns that people read."""
    titles = [f"{one.title} (%)" for one in table.measures]
    gaps = [f"{one.title} gap" for one in table.measures]
    return ["Evaluator", "n", *titles, "Agreement (%)", *gaps]


def printed_rows(table: Table11) -> list[list[str]]:
    """Lay the table out for people: one count that says it all, a dash for "does not apply"."""
    rows = []
    for row in table.rows:
        means = [_dash(row.means.get(one.name)) for one in table.measures]
        gaps = [_dash(row.gaps.get(one.name)) for one in table.measures]
        counts = list(dict.fromkeys(_count(row, one) for one in table.measures))
        n = " / ".join(count for count in counts if count not in {"", "0"}) or "—"
        rows.append([_name(row), n, *means, _dash(row.agreement), *gaps])
    return rows


def _name(row: Table11Row) -> str:
    """Name an evaluator, marking numbers that were typed in."""
    return f"{row.evaluator} ({REPORTED})" if row.kind == REPORTED else row.evaluator


def _dash(fraction: Fraction | None) -> str:
    return percent_or_empty(fraction) or "—"


def title(table: Table11) -> str:
    """Name the table; only equal numbers of answers make it the paper's."""
    return "Table 11. Human baseline" if table.balanced else "Human baseline"


def as_markdown(table: Table11) -> str:
    """Print the table and its notes in Markdown."""
    header = printed_header(table)
    lines = [f"# {title(table)}", "", _markdown_row(header)]
    lines.append("|" + "|".join([" --- ", *[" ---: "] * (len(header) - 1)]) + "|")
    lines.extend(_markdown_row(row) for row in printed_rows(table))
    if not table.balanced:
        lines += ["", "Means over questions (each question weighs the same):", ""]
        lines.extend(_question_mean_lines(table))
    lines += ["", *(f"- {note}" for note in (*standing_notes(table), *table.notes))]
    return "\n".join(lines) + "\n"


def as_text(table: Table11) -> str:
    """Print the table for a terminal: aligned columns, no notes."""
    rows = [printed_header(table), *printed_rows(table)]
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(width) if number == 0 else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    lines.insert(1, "-" * len(lines[0]))
    return "\n".join([title(table), "", *lines]) + "\n"


def _question_mean_lines(table: Table11) -> list[str]:
    titles = [f"{one.title} (%)" for one in table.measures]
    gaps = [f"{one.title} gap" for one in table.measures]
    header = ["Evaluator", *titles, *gaps]
    lines = [
        _markdown_row(header),
        "|" + "|".join([" --- ", *[" ---: "] * (len(header) - 1)]) + "|",
    ]
    for row in table.rows:
        means = [_dash(row.question_means.get(one.name)) for one in table.measures]
        differences = [_dash(row.question_gaps.get(one.name)) for one in table.measures]
        lines.append(_markdown_row([_name(row), *means, *differences]))
    return lines


def standing_notes(table: Table11) -> tuple[str, ...]:
    """Say how to read the columns, those that have a number in them."""
    text = any(one.macro for one in table.measures)
    gaps = any(gap is not None for row in table.rows for gap in row.gaps.values())
    notes = [f"{HOW_TO_READ} {OF_GAPS}" if gaps else HOW_TO_READ]
    if any(row.means.get("w1") is not None for row in table.rows):
        notes.append("W1: counts that are off by one at most; n is answers / counts.")
    if text:
        notes.append(
            "NED (a similarity: 1 is equal) and character F1: the unweighted mean of the "
            "categories' means; agreement is the mean NED of pairs of people."
        )
    elif table.rows and table.rows[0].agreement is not None:
        notes.append("Agreement: equal answers among pairs of people, mean of the categories.")
    return tuple(notes)


def _markdown_row(cells: Sequence[str]) -> str:
    escaped = (cell.replace("|", r"\|") for cell in cells)
    return "| " + " | ".join(escaped) + " |"


def table11_latex(table: Table11) -> str:
    """Print the table for a paper: booktabs, the paper's columns, nothing to edit by hand."""
    notes = (*standing_notes(table), *table.notes)
    caption = " ".join(("Human baseline on the sampled questions.", *notes))
    return latex_table(
        printed_header(table), printed_rows(table), caption, "human-baseline", rule_after=1
    )


def as_json(table: Table11, rows: Sequence[Cells]) -> str:
    """Print everything for programs: printed values and the exact fractions behind them."""
    content = {
        "title": title(table),
        "balanced": table.balanced,
        "notes": [*standing_notes(table), *table.notes],
        "rows": [
            {**cells, "exact": _exact(row)} for cells, row in zip(rows, table.rows, strict=True)
        ],
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _exact(row: Table11Row) -> dict[str, Any]:
    def written(values: Mapping[str, Fraction | None]) -> dict[str, str | None]:
        return {name: None if value is None else str(value) for name, value in values.items()}

    return {
        "means": written(row.means),
        "question_means": written(row.question_means),
        "gaps": written(row.gaps),
        "agreement": None if row.agreement is None else str(row.agreement),
    }


OVERALL = "overall"


def write_agreement(
    scored: ScoredStudy,
    folder: Path,
    extra: Mapping[str, Mapping[str, str]] | None = None,
    display: Mapping[str, str] | None = None,
) -> list[dict[str, str]]:
    """Write `agreement.csv` and give its rows.

    `extra` gives further columns by category (or `overall`) and name.
    """
    rows = agreement_rows(scored, extra or {}, display or {})
    (folder / "agreement.csv").write_text(as_csv(rows), encoding="utf-8", newline="")
    return rows


def agreement_rows(
    scored: ScoredStudy,
    extra: Mapping[str, Mapping[str, str]],
    display: Mapping[str, str],
) -> list[dict[str, str]]:
    """Lay out agreement by category; the last row averages the categories that have one.

    `exact_agreement` is exact; `similarity` is the mean pairwise NED, for texts only.
    """
    place = in_order(display)
    found = sorted(
        category_agreement(scored),
        key=lambda one: place(display.get(one.category, one.category)),
    )
    names = list(dict.fromkeys(name for cells in extra.values() for name in cells))
    rows = [
        _row(
            display.get(one.category, one.category),
            one.n_questions,
            one.n_single,
            one.exact,
            one.similarity,
        )
        | {name: extra.get(one.category, {}).get(name, "") for name in names}
        for one in found
    ]
    overall = _row(
        OVERALL,
        sum(one.n_questions for one in found),
        sum(one.n_single for one in found),
        _macro([one.exact for one in found]),
        _macro([one.similarity for one in found]),
    )
    rows.append(overall | {name: extra.get(OVERALL, {}).get(name, "") for name in names})
    return rows


def _row(
    category: str,
    n_questions: int,
    n_single: int,
    exact: Fraction | None,
    similarity: Fraction | None,
) -> dict[str, str]:
    return {
        "category": category,
        "n_questions": str(n_questions),
        "exact_agreement": percent_or_empty(exact),
        "n_single_answer": str(n_single),
        "similarity": percent_or_empty(similarity),
    }


def _macro(values: list[Fraction | None]) -> Fraction | None:
    defined = [value for value in values if value is not None]
    return sum(defined, Fraction(0)) / len(defined) if defined else None
