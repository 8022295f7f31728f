"""Checks a public bundle by itself: checksums, every answer once more, and the tables of people."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from analysis.release.bundle_reading import read_bundle
from analysis.release.bundle_scoring import rescored, score_bundle, unlinked
from analysis.release.bundle_tables import misfits, people_differences
from analysis.release.contents import SUMS
from sampling.study.errors import StudyError
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
