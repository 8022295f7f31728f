"""Checks a public bundle by itself: checksums, every answer once more, and the tables of people.

Compares results with what they were made from, and makes their tables of means again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from analysis.release.bundle_reading import read_bundle, read_cells
from analysis.release.bundle_scoring import rescored, score_bundle, unlinked
from analysis.release.comparison import misfits, people_differences, table_differences
from analysis.release.contents import SUMS
from analysis.results import RUN, headline_table, tables_by_group
from analysis.scoring.study import score_study
from analysis.table11.breakdowns import by_participant
from analysis.table11.files import agreement_rows, as_markdown, csv_rows
from analysis.table11.run_record import recorded_inputs, run_record
from sampling.record.verdicts import State, Verdict, verdict
from sampling.study.errors import StudyError
from sampling.study.folder import StudyFolder
from sampling.tables.row_files import read_text

# What `verify_bundle` does, and what nobody can do with a bundle alone: said, and no more.
HOLDS = (
    "every file has its checksum, every answer is scored again, and people's numbers in table11, "
    "agreement, by_category and by_collection are made again from the answers"
)
NOT_CHECKED = (
    "not made again: models' numbers (their outputs are in no bundle; table11.md, gaps.csv and "
    "intervals.csv must only agree with table11.csv), intervals and tests, days and times, the "
    "plan, the checklist and the texts"
)


def verify_bundle(folder: Path) -> list[str]:
    """List what is wrong with a bundle; an empty list says that all that is checked holds.

    Every file is compared with its checksum; every answer is to a question of the bundle, nobody
    answers one twice and no two answers share an index; every answer scores today what it says;
    what the tables say of people is made again from the answers; and models' numbers do not
    contradict each other from table to table. What cannot be read is a difference too.
    """
    problems: list[str] = []
    try:
        problems += _changed_files(folder)
        if not problems:
            problems.extend(_differences(folder))
    except StudyError as error:
        problems += error.problems
    return problems


def bundle_digest(folder: Path) -> str:
    """Give the SHA-256 of `SHA256SUMS`, which stands for every byte of the bundle."""
    return hashlib.sha256((folder / SUMS).read_bytes()).hexdigest()


def _changed_files(folder: Path) -> Iterator[str]:
    """Compare every file with `SHA256SUMS`, and every line there with a file."""
    if not (folder / SUMS).is_file():
        yield f"{SUMS}: not found; this is no bundle, or an incomplete one"
        return
    listed = {}
    for line in read_text(folder / SUMS, SUMS).splitlines():
        sha256, _, name = line.partition("  ")
        listed[name] = sha256
    present = {
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    } - {SUMS}
    for name in sorted(listed.keys() | present):
        if name not in present:
            yield f"{name}: is missing"
        elif name not in listed:
            yield f"{name}: is not in {SUMS}"
        elif hashlib.sha256((folder / name).read_bytes()).hexdigest() != listed[name]:
            yield f"{name}: was changed after the bundle was made"


def _differences(folder: Path) -> Iterator[str]:
    """Say what is wrong inside the files; tables are made again if every answer has its place."""
    contents = read_bundle(folder)
    faults = list(unlinked(contents))
    if faults or not contents.rows:
        yield from faults or ["responses.jsonl: holds no answer"]
        return
    scored = score_bundle(contents)
    yield from rescored(contents, scored)
    yield from people_differences(contents, scored)
    yield from misfits(contents, scored)


PART = "results"
REMEDY = "`lontar analyze` makes results/ again"
RESULTS_HOLD = (
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
    return verdict(PART, RESULTS_HOLD, list(_table_differences(study)), [NOT_COMPARED])


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
