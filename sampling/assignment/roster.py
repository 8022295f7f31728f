"""The roster: `participants.csv`, pseudonyms with the annotator ids they once signed with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sampling.assignment.participants import Participant, same_annotator, same_identity
from sampling.benchmark.annotators import check_columns, columns_of
from sampling.study.errors import Problems, StudyError, did_you_mean
from sampling.tables.row_files import read_rows

COLUMNS = ("participant", "annotator_ids", "quota")
NO_PSEUDONYM = frozenset("@<>")


def read_roster(path: Path) -> tuple[Participant, ...]:
    """Read `participant,annotator_ids[,quota]`, in the order of the file.

    Raises
    ------
    StudyError
        With every problem at once: no participant, a pseudonym that stands twice (`P01` and
        `p01 ` are one), an annotator id of two people, a quota that is no whole number, a column
        that a roster of pseudonyms does not hold, an e-mail address.
    """
    if not path.exists():
        raise StudyError(
            f"{path.name}: not found in {path.parent}; list the participants in it, one pseudonym "
            "a line under the header participant,annotator_ids"
        )
    problems = Problems()
    table = read_rows(path, problems)
    if not table.rows and not len(problems):
        raise StudyError(
            f"{table.name}: no participants; write the header participant,annotator_ids "
            "and then one line a person"
        )
    check_columns(table, ("participant",))
    for column in columns_of(table):
        if column not in COLUMNS:
            hint = did_you_mean(column, COLUMNS)
            problems.add(
                table.name,
                f"unknown column {column!r}{hint}; the roster holds pseudonyms only: "
                f"{', '.join(COLUMNS)}",
            )
    people = [_participant(row, place, problems) for place, row in table.places()]
    _check_identities(people, [place for place, _ in table.places()], problems)
    problems.raise_if_any()
    return tuple(people)


def _participant(row: dict[str, Any], place: str, problems: Problems) -> Participant:
    """Make a participant of a row, noting what is wrong with it."""
    pseudonym = str(row.get("participant") or "").strip()
    if not pseudonym:
        problems.add(place, "has no 'participant'")
    elif set(pseudonym) & NO_PSEUDONYM:
        problems.add(
            place,
            f"{pseudonym!r} looks like an e-mail address; the roster holds pseudonyms only, "
            "such as P01",
        )
    ids = row.get("annotator_ids") or ""
    parts = ids if isinstance(ids, list) else str(ids).split(";")
    annotator_ids = frozenset(str(part).strip() for part in parts if str(part).strip())
    quota = str(row.get("quota") if row.get("quota") is not None else "").strip()
    if not quota:
        return Participant(pseudonym, annotator_ids)
    if not quota.isdecimal():
        problems.add(place, f"quota {quota!r} must be a whole number, or empty for none")
        return Participant(pseudonym, annotator_ids)
    return Participant(pseudonym, annotator_ids, int(quota))


def _check_identities(people: list[Participant], places: list[str], problems: Problems) -> None:
    """Note one pseudonym on two lines, and one annotator id of two people."""
    seen: dict[str, str] = {}
    owners: dict[str, str] = {}
    for person, place in zip(people, places, strict=True):
        identity = same_identity(person.pseudonym)
        if identity and identity in seen:
            problems.add(place, f"{person.pseudonym!r} stands twice (also {seen[identity]})")
        seen.setdefault(identity, place)
        for annotator in sorted(person.annotator_ids):
            owner = owners.setdefault(same_annotator(annotator), person.pseudonym)
            if owner != person.pseudonym:
                problems.add(place, f"annotator id {annotator!r} belongs to {owner!r} already")
