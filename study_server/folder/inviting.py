"""Invitations: a personal link for each participant, known to the database by its hash only."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from sampling.study.errors import StudyError
from study_server.store.asking.participants import (
    GONE,
    add_link,
    find_participant,
    revoke_links,
    without_link,
)
from study_server.store.schema.events import append_event
from study_server.store.schema.tables import ParticipantTable


@dataclass(frozen=True)
class Invitation:
    """A link that was just made: its token is known here and never again."""

    pseudonym: str
    token: str


def invite(
    session: Session,
    pseudonyms: Sequence[str],
    renew: bool,
    at: datetime,
    actor: str = "command line",
    reason: str = "",
) -> list[Invitation]:
    """Make links for those named, or for everyone who has none; `renew` ends older links.

    Raises
    ------
    StudyError
        With every name that nobody has, who has left, or who has a link already.
    """
    waiting = without_link(session)
    if not pseudonyms and not renew:
        people = waiting
    else:
        people = _named(session, pseudonyms, {one.id for one in waiting}, renew)
    invitations = []
    for person in people:
        revoke_links(session, person.id, at)
        token = add_link(session, person.id, at)
        action = "link.rotated" if renew else "link.created"
        append_event(session, at, actor, action, f"participant:{person.pseudonym}", reason)
        invitations.append(Invitation(person.pseudonym, token))
    return invitations


def links_file(links: Iterable[tuple[str, str]]) -> str:
    """Write (pseudonym, link) as CSV with `participant,link` above.

    >>> print(links_file([("P01", "http://127.0.0.1:8000/p/x")]), end="")
    participant,link
    P01,http://127.0.0.1:8000/p/x
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("participant", "link"))
    writer.writerows(links)
    return text.getvalue()


def _named(
    session: Session, pseudonyms: Sequence[str], waiting: set[int], renew: bool
) -> list[ParticipantTable]:
    """Find the people named, and say all that is wrong with the names."""
    if not pseudonyms:
        raise StudyError(
            "--renew: name the participants whose links end: `lontar invite --renew NAME NAME`"
        )
    people, problems = [], []
    for pseudonym in pseudonyms:
        person = find_participant(session, pseudonym)
        if person is None:
            problems.append(
                f"{pseudonym!r}: no such participant; add them to participants.csv first"
            )
        elif person.state in GONE:
            problems.append(f"{pseudonym!r}: has left the study")
        elif person.id not in waiting and not renew:
            problems.append(f"{pseudonym!r}: has a link; `--renew` replaces it")
        else:
            people.append(person)
    if problems:
        raise StudyError(*problems)
    return people
