"""The roster: `participants.csv`, pseudonyms with the annotator ids they once signed with.

What may be a pseudonym, and what looks like a name or contact details.
Participants: pseudonyms, the annotator ids they once signed with, and quotas.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sampling.benchmark.annotators import check_columns, columns_of
from sampling.study.errors import Problems, StudyError, did_you_mean
from sampling.tables.row_files import read_rows

PSEUDONYM = re.compile(r"[A-Za-z0-9_-]{1,40}")
# One capitalised word or several, joined as they may be: Anna, Anna-Lena, AnnaSmith, Smith_Anna.
NAME = re.compile(r"[A-Z][a-z]{2,}(?:[_-]?[A-Z][a-z]+)*")
NO_NAMES = re.compile(
    r"annotator|answerer|baseline|coder|control|expert|group|human|judge|labell?er|member|novice|"
    r"participant|person|pilot|rater|reader|respondent|reviewer|student|subject|team|test|"
    r"transcriber|user|volunteer|worker|"
    r"alpha|beta|gamma|delta|epsilon|zeta|theta|kappa|lambda|sigma|omega|"
    r"red|green|blue|yellow|orange|purple|black|white|grey|gray|"
    r"one|two|three|four|five|six|seven|eight|nine|ten"
)
CONTACT = re.compile(r"@|\d(?:[ ()./-]?\d){6,}")


def pseudonym_problem(text: str) -> str | None:
    """Return what is wrong with a pseudonym, or None.

    >>> pseudonym_problem("annotator_3")
    >>> pseudonym_problem("name@example.org")
    "'name@example.org' looks like an e-mail address; write a pseudonym such as P01"
    """
    if PSEUDONYM.fullmatch(text):
        return None
    if "@" in text:
        return f"{text!r} looks like an e-mail address; write a pseudonym such as P01"
    return f"{text!r} must be 1 to 40 of the letters A to Z, digits, _ and -, such as P01"


def looks_like_a_name(text: str) -> bool:
    """Tell whether a pseudonym is written as names are, and holds no word that says otherwise.

    Capitalised words without a digit are; codes of small letters, of capitals or with digits, and
    what people are called by their part or by a letter, colour or number, are not.

    >>> [looks_like_a_name(one) for one in ("Anna", "Anna Lena Smith", "Anna-Lena", "AnnaSmith")]
    [True, True, True, True]
    >>> [looks_like_a_name(one) for one in ("P01", "anna", "ANNA", "Rater-Two", "BlueHeron")]
    [False, False, False, False, False]
    """
    if NAME.fullmatch("_".join(text.split())) is None:
        return False
    words = re.findall(r"[A-Z][a-z]+", text)
    return not any(NO_NAMES.fullmatch(word.lower()) for word in words)


def check_pseudonyms(people: Iterable[Participant], place: str) -> None:
    """Refuse people whose pseudonym nobody new may have, all in one.

    Raises
    ------
    StudyError
        Naming up to ten of them.

    >>> check_pseudonyms([Participant("P01"), Participant("annotator_3")], "participants.csv")
    >>> check_pseudonyms([Participant("A B"), Participant("A/B")], "participants.csv")
    Traceback (most recent call last):
    ...
    sampling.study.errors.StudyError: participants.csv: 'A B', 'A/B': a pseudonym is 1 to 40 of the letters A to Z, digits, _ and -, such as P01
    """  # noqa: E501
    wrong = [
        one.pseudonym
        for one in people
        if one.pseudonym and pseudonym_problem(one.pseudonym.strip())
    ]
    if wrong:
        raise StudyError(
            f"{place}: {_named(wrong)}: a pseudonym is 1 to 40 of the letters A to Z, digits, "
            "_ and -, such as P01"
        )


def _named(pseudonyms: list[str], most: int = 10) -> str:
    """Name some people, and count the others."""
    shown = ", ".join(repr(one) for one in pseudonyms[:most])
    more = len(pseudonyms) - most
    return f"{shown} and {more} more" if more > 0 else shown


def looks_like_contact(text: str) -> bool:
    """Tell whether a text holds an @ or seven digits or more, as telephone numbers do.

    >>> looks_like_contact("call 0812-555 01 23"), looks_like_contact("away until 14 March 2026")
    (True, False)
    """
    return CONTACT.search(text) is not None


def next_pseudonym(known: Iterable[str]) -> str:
    """Return the next free code of the form P05.

    >>> next_pseudonym(["P01", "p04", "Anna"])
    'P05'
    """
    numbers = [int(one[1:]) for one in known if re.fullmatch(r"[Pp]\d{1,6}", one)]
    return f"P{max(numbers, default=0) + 1:02d}"


# Format and control characters: zero width blanks and joiners, directions, byte order marks.
INVISIBLE = frozenset({"Cf", "Cc"})


@dataclass(frozen=True)
class Participant:
    """One person who may answer, known by a pseudonym only.

    `quota` is a hard limit on how many questions they answer, or None.
    """

    pseudonym: str
    annotator_ids: frozenset[str] = frozenset()
    quota: int | None = None


def same_annotator(name: str) -> str:
    r"""Fold an annotator id so that what looks the same is the same: nobody answers their own.

    Beyond `same_identity`, width, invisible characters and all white space are not looked at,
    which a paste from a page or a spreadsheet may have added.

    >>> same_annotator("Anna\u200b") == same_annotator("\xa0 anna"), same_annotator("A 01")
    (True, 'a01')
    """
    folded = unicodedata.normalize("NFKC", name).casefold()
    seen = (one for one in folded if unicodedata.category(one) not in INVISIBLE)
    return unicodedata.normalize("NFKC", "".join(one for one in seen if not one.isspace()))


def same_identity(name: str) -> str:
    """Fold a pseudonym or annotator id so that one person has one spelling.

    >>> same_identity("  p01 ") == same_identity("P01")
    True
    """
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).strip().casefold())


COLUMNS = ("participant", "annotator_ids", "quota")
NO_PSEUDONYM = frozenset("@<>")


def read_roster(path: Path) -> tuple[Participant, ...]:
    """Read `participant,annotator_ids[,quota]`, in the order of the file.

    Raises
    ------
    StudyError
        With every problem at once: no participant, a pseudonym that appears twice (`P01` and
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
            problems.add(place, f"{person.pseudonym!r} appears twice (also {seen[identity]})")
        seen.setdefault(identity, place)
        for annotator in sorted(person.annotator_ids):
            owner = owners.setdefault(same_annotator(annotator), person.pseudonym)
            if owner != person.pseudonym:
                problems.add(place, f"annotator id {annotator!r} belongs to {owner!r} already")
