"""Gives people a sign-in with a passcode, which is told once and kept only as a hash."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import Session

from study_server.coordinator.passcodes import generate_passcode, hash_passcode
from study_server.store.schema.events import append_event
from study_server.store.steering.coordinators import add_account

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
