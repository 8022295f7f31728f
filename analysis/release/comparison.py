"""Makes what a bundle's tables say of people again, and sees whether the tables fit together.

Prints Table 11 once more from its own CSV, to compare what is there to read with it.
Compares printed tables cell by cell: what a file says with what was made again.
Compares a bundle with what its study would release now, file by file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from analysis.release.bundle_reading import BundleContents, read_cells
from analysis.release.contents import SUMS, bundle_files
from analysis.scoring.scored import LENIENT, ScoredStudy
from analysis.statistics.agreement_tables import agreement_tables
from analysis.table11.breakdowns import GROUPINGS, breakdown, transcriptions
from analysis.table11.files import agreement_rows, as_markdown, csv_rows
from analysis.table11.table11 import HUMAN, Measure, Table11, Table11Row, build_table11, measures_of
from sampling.answers.vocabularies import AnswerFormat
from sampling.study.folder import StudyFolder
from sampling.tables.row_files import read_text

Cells = Mapping[str, str]


def table_differences(
    name: str, said: Sequence[Cells], again: Sequence[Cells], key: Sequence[str]
) -> Iterator[str]:
    """Say where a table is not what was made again, in the columns that were.

    Parameters
    ----------
    name : of the file
    said, again : rows of the file and rows made again; the file may have further columns
    key : columns that tell the rows apart

    Examples
    --------
    >>> list(table_differences("a.csv", [{"who": "A", "em": "1"}], [{"who": "A", "em": "2"}],
    ...                        ["who"]))
    ['a.csv: A: em is 1, made again it is 2']
    """
    held = {_name(row, key): row for row in said}
    wanted = {_name(row, key): row for row in again}
    if len(held) < len(said):
        yield f"{name}: a row appears twice"
    for row in sorted(held.keys() - wanted.keys()):
        yield f"{name}: has a row {row!r} that is not there when it is made again"
    for row, cells in wanted.items():
        if row not in held:
            yield f"{name}: has no row {row!r}"
            continue
        for column, now in cells.items():
            before = held[row].get(column)
            if before is None:
                yield f"{name}: has no column {column}"
            elif before != now:
                what = f"{name}: {row}: {column} is {_shown(before)}"
                yield f"{what}, made again it is {_shown(now)}"


def _name(row: Cells, key: Sequence[str]) -> str:
    return ", ".join(row.get(column) or "" for column in key if row.get(column))


def _shown(cell: str) -> str:
    return cell or "empty"


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


# What the package writes in its own words, which differ from version to version.
OWN_WORDS = ("datasheet.md", "instructions/")
REMEDY = "`lontar release` builds the bundle again"


def differences_from_study(
    study: StudyFolder, scored: ScoredStudy, key: str, *, own_codes: bool, pooled: bool = False
) -> Iterator[str]:
    """Say which data of a bundle are not those of the study.

    `own_codes` is whether `key` is what people's codes were shuffled by. Where it may be another
    one, answers are compared without their codes, and the plan is not. `pooled` is whether the
    bundle was made without codes.

    Raises
    ------
    StudyError
        When `results/` is not there, or made from other responses.
    """
    files = bundle_files(study, scored, key, pooled=pooled)
    for path in sorted(study.release_folder.iterdir()):
        if path.is_file() and path.name not in {*files, SUMS, "croissant.json"}:
            yield f"release/{path.name}: is no file that the study has to release; {REMEDY}"
    for name, text in sorted(files.items()):
        path = study.release_folder / name
        if name.startswith(OWN_WORDS) or (name == "assignment.csv" and not own_codes):
            continue
        found = path.read_text(encoding="utf-8") if path.is_file() else None
        if name == "responses.jsonl" and not own_codes and found is not None:
            found, text = _without_codes(found), _without_codes(text)  # noqa: PLW2901 - both alike
        if found is None:
            yield f"release/{name}: is not in the bundle; {REMEDY}"
        elif found != text:
            yield f"release/{name}: is not that of the study; {REMEDY}"


def _without_codes(rows: str) -> str:
    """Give rows of JSON without the participants' codes."""
    records = [json.loads(line) for line in rows.split("\n") if line]
    return "\n".join(json.dumps({**record, "participant": ""}) for record in records)
