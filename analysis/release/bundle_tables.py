"""Makes what a bundle's tables say of people again, and sees whether the tables fit together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation

from analysis.release.bundle_reading import BundleContents, read_cells
from analysis.release.printed_table11 import printed_rows_of, table_lines
from analysis.release.table_comparison import table_differences
from analysis.scoring.scored import ScoredStudy
from analysis.scoring.scored_rows import LENIENT
from analysis.statistics.agreement_table import agreement_tables
from analysis.table11.agreement_file import agreement_rows
from analysis.table11.breakdowns import GROUPINGS, breakdown
from analysis.table11.table11 import HUMAN, build_table11, measures_of
from analysis.table11.table11_files import csv_rows
from analysis.table11.transcription_table import transcriptions
from sampling.answers.vocabularies import AnswerFormat
from sampling.tables.row_files import read_text

Cells = Mapping[str, str]
# A gap and two scores are each rounded to two decimals, half a unit of the last place at most.
ROUNDING = Decimal("0.015")


def people_differences(contents: BundleContents, scored: ScoredStudy) -> Iterator[str]:
    """Compare what the tables say of people with tables made of the answers scored again.

    Of texts the lenient scores are left out: the references are there only as they are scored.
    """
    folder, texts = (
        contents.folder,
        AnswerFormat.TEXT.value in set(scored.questions["answer_format"]),
    )
    table = read_cells(folder, "table11.csv")
    human = csv_rows(build_table11(scored), {})
    yield from table_differences("table11.csv", _of_people(table), human, ["evaluator"])
    agreement = _agreement(scored, contents.display.get("category", {}))
    said = read_cells(folder, "agreement.csv")
    yield from table_differences("agreement.csv", said, agreement, ["category"])
    for name in ("by_category", "by_collection"):
        field = GROUPINGS[name]
        again = breakdown(scored, field, contents.display.get(field))
        said = _of_people(read_cells(folder, f"{name}.csv"))
        unsure = [column for column in again[0] if texts and column.startswith(LENIENT)]
        again = [_without(row, unsure) for row in again]
        yield from table_differences(f"{name}.csv", said, again, ["evaluator", "group"])
    if (folder / "transcriptions.csv").is_file():
        said = _of_people(read_cells(folder, "transcriptions.csv"))
        unsure = ["consistent_ned", "consistent_char_f1"]
        again = [_without(row, unsure) for row in transcriptions(scored)]
        yield from table_differences("transcriptions.csv", said, again, ["evaluator"])


def _of_people(rows: Sequence[Cells]) -> list[dict[str, str]]:
    return [dict(row) for row in rows if row.get("evaluator") == HUMAN]


def _without(row: Cells, columns: Sequence[str]) -> dict[str, str]:
    return {name: cell for name, cell in row.items() if name not in columns}


def _agreement(scored: ScoredStudy, display: Mapping[str, str]) -> list[dict[str, str]]:
    """Lay `agreement.csv` out again, but for intervals, which need resamples."""
    further = agreement_tables(scored, seed="", resamples=0, level=0.95).columns
    rows = agreement_rows(scored, further, display)
    resampled = [name for name in rows[0] if name.endswith(("_low", "_high")) or name == "reason"]
    return [_without(row, resampled) for row in rows]


def misfits(contents: BundleContents, scored: ScoredStudy) -> Iterator[str]:
    """Say where the tables contradict each other, models' rows among them."""
    folder = contents.folder
    table = read_cells(folder, "table11.csv")
    measures = measures_of(scored.questions)
    printed = table_lines(read_text(folder / "table11.md", "table11.md"))
    balanced = build_table11(scored).balanced
    if printed != printed_rows_of(table, measures, balanced=balanced):
        yield "table11.md: its rows are not those of table11.csv"
    yield from _gaps_that_do_not_fit(table, [one.name for one in measures])
    by_name = {row.get("evaluator", ""): row for row in table}
    for name, who, column, ending, where in (
        ("intervals.csv", "evaluator", "estimate", "", {"target": "T1"}),
        ("gaps.csv", "model", "gap", "_gap", {}),
    ):
        for row in read_cells(folder, name) if (folder / name).is_file() else ():
            cell = by_name.get(row.get(who, ""), {}).get(row.get("metric", "") + ending)
            chosen = all(row.get(key) == value for key, value in where.items())
            if chosen and cell is not None and cell != row.get(column):
                what = f"{name}: {row[who]}: {row['metric']}{ending} is {row.get(column)}"
                yield f"{what}, table11.csv has {cell or 'nothing'}"


def _gaps_that_do_not_fit(table: Sequence[Cells], names: Sequence[str]) -> Iterator[str]:
    """Say which gap is not people's score less the model's, where both are over all answers."""
    human = next((row for row in table if row.get("evaluator") == HUMAN), {})
    answers = human.get("n_em") or human.get("n_text")
    for row in table:
        for name in names:
            values = [_number(human, name), _number(row, name), _number(row, f"{name}_gap")]
            if None in values or row.get("gap_responses") != answers:
                continue
            people, model, gap = (value for value in values if value is not None)
            if abs(people - model - gap) > ROUNDING:
                what = f"table11.csv: {row.get('evaluator')}: {name}_gap is {gap}"
                yield f"{what}, but {name} of people is {people} and its own {model}"


def _number(row: Cells, column: str) -> Decimal | None:
    try:
        found = Decimal(row.get(column, ""))
    except InvalidOperation:
        return None
    return found if found.is_finite() else None
