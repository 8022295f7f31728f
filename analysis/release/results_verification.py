"""Compares results with what they were made from, and makes their tables of means again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from analysis.release.bundle_reading import read_cells
from analysis.release.table_comparison import table_differences
from analysis.results import RUN, headline_table, tables_by_group
from analysis.scoring.study import score_study
from analysis.table11.agreement_file import agreement_rows
from analysis.table11.breakdowns import by_participant
from analysis.table11.run_record import recorded_inputs, run_record
from analysis.table11.table11_files import as_markdown, csv_rows
from sampling.record.verdicts import State, Verdict, verdict
from sampling.study.folder import StudyFolder
from sampling.tables.row_files import read_text

PART = "results"
REMEDY = "`lontar analyze` makes results/ again"
HOLDS = (
    "made from the files that are there, by digest; table11, exact agreement and the tables by "
    "group made again"
)
NOT_COMPARED = (
    "not made again: intervals, tests, the other tables, figures and the report; "
    "`lontar analyze` writes the same bytes where nothing differs"
)
GROUPED = ["evaluator", "condition", "group"]


def verify_results(study: StudyFolder) -> Verdict:
    """Compare the inputs with their digests in `run.json`, then the tables with fresh ones.

    Tables of other inputs differ of course, so that they are looked at only where the inputs are
    those of the run.
    """
    folder = study.results_folder
    if not (folder / RUN).is_file():
        if (folder / "table11.csv").is_file():
            return verdict(PART, "", [f"results/{RUN}: is gone; {REMEDY}"])
        return Verdict(PART, State.ABSENT, "no results/; `lontar analyze` writes them")
    inputs = recorded_inputs(folder / RUN)
    changed = list(_changed_inputs(inputs, run_record(study)["inputs"]))
    if changed:
        notes = [f"tables not compared, since they were made from other files; {REMEDY}"]
        return verdict(PART, "", changed, notes)
    return verdict(PART, HOLDS, list(_table_differences(study)), [NOT_COMPARED])


def _changed_inputs(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    for name in sorted(before.keys() | now.keys()):
        if name not in now:
            yield f"{name}: was there at `lontar analyze` and is gone"
        elif name not in before:
            yield f"{name}: was not there at `lontar analyze`"
        elif before[name] != now[name]:
            yield f"{name}: changed since `lontar analyze`"


def _table_differences(study: StudyFolder) -> Iterator[str]:
    """Compare the tables of means, cell by cell; columns of intervals are passed over."""
    scored, folder, definition = score_study(study), study.results_folder, study.definition
    table = headline_table(definition, scored)
    agreement = agreement_rows(scored, {}, definition.benchmark.display.get("category", {}))
    again = {
        "table11": (csv_rows(table, {}), ["evaluator"]),
        "agreement": (agreement, ["category"]),
        **{name: (rows, GROUPED) for name, rows in tables_by_group(scored, definition).items()},
        "by_participant": (by_participant(scored), GROUPED),
    }
    for name, (rows, key) in again.items():
        file = f"{name}.csv"
        if (folder / file).is_file():
            said = read_cells(folder, file)
            yield from (f"results/{one}" for one in table_differences(file, said, rows, key))
        else:
            yield f"results/{file}: is gone; {REMEDY}"
    printed = folder / "table11.md"
    if not printed.is_file() or read_text(printed, printed.name) != as_markdown(table):
        yield f"results/{printed.name}: is not what `lontar analyze` writes"
