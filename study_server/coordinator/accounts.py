"""Passcodes of coordinators and analysts: made here, shown once, kept only as a hash.

Gives people a sign-in with a passcode, which is told once and kept only as a hash.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from threading import BoundedSemaphore

from sqlalchemy.orm import Session
from werkzeug.security import check_password_hash, generate_password_hash

from study_server.store.schema.events import append_event
from study_server.store.steering.coordinators import add_account

# Without letters and digits that are easily taken for one another.
ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
GROUPS, GROUP_LENGTH = 4, 5
SHORTEST = 10
SCRYPT = "scrypt:32768:8:1"
# A hash takes 32 MB and a core for a tenth of a second: a worker computes one at a time, and so
# few more wait, each with a thread, that questions and `/healthz` go on.
MOST_AT_ONCE = 4
_places, _turn = BoundedSemaphore(MOST_AT_ONCE), BoundedSemaphore(1)

# What an unknown name is checked against, so that it takes as long as a known one.
NOBODY = f"{SCRYPT}$nobody${'0' * 128}"


def generate_passcode() -> str:
    """Make a passcode of 99 random bits in four groups that can be read out aloud."""
    groups = ("".join(secrets.choice(ALPHABET) for _ in range(GROUP_LENGTH)) for _ in range(GROUPS))
    return "-".join(groups)


def hash_passcode(passcode: str) -> str:
    """Hash a passcode with scrypt (N = 2^15, r = 8, p = 1) and a random salt."""
    return generate_password_hash(passcode.strip(), method=SCRYPT)


def passcode_matches(passcode: str, stored_hash: str | None) -> bool:
    """Tell whether a passcode is right; without a hash, take as long and say no."""
    right = check_password_hash(stored_hash or NOBODY, passcode.strip())
    return right and stored_hash is not None


@contextmanager
def turn_to_check() -> Iterator[bool]:
    """Wait for the turn to hash a passcode; at once False when enough are waiting."""
    if not _places.acquire(blocking=False):
        yield False
        return
    try:
        with _turn:
            yield True
    finally:
        _places.release()


ACTOR = "command line"


def add_with_passcode(
    session: Session, name: str, role: str, at: datetime, passcode: str | None = None
) -> str:
    """Add a coordinator or an analyst, and say so in the log; give the passcode, made if none is.

    Raises
    ------
    StudyError
        When the name is empty or taken.
    """
    passcode = passcode or generate_passcode()
    add_account(session, name, role, hash_passcode(passcode), at)
    append_event(session, at, ACTOR, f"{role}.added", f"{role}:{name.strip()}")
    return passcode
