"""Releases what somebody has long left lying, where `[assignment] release_after_hours` says so."""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from typing import Any

from flask import Flask, current_app
from sqlalchemy.orm import Session

from study_server.store.asking.participants import hold_everyone
from study_server.store.schema.database import transaction
from study_server.store.steering.coordination import Decision
from study_server.store.steering.dashboard import inactive_since, study_row
from study_server.store.steering.replanning import release_and_replan
from study_server.web import clock
from study_server.web.configuration import running_study

CHECKED = "lontar_inactivity_checked"
EVERY_SECONDS = 600.0


def watch_inactivity(app: Flask) -> None:
    """Look for inactive people now and then, before a request; off by default."""
    app.extensions[CHECKED] = time.monotonic()
    app.before_request(_look)


def release_inactive(session: Session, hours: float, at: datetime) -> list[str]:
    """Release whoever was not seen for so long, as far as the others can take their questions.

    What nobody could take stays where it is: the coordinator is told on the dashboard.
    """
    if study_row(session).state != "open":
        return []
    decision = Decision(at, "system", f"not seen for {hours:g} hours")
    released = []
    for pseudonym in inactive_since(session, at - timedelta(hours=hours)):
        savepoint = session.begin_nested()
        _, found = release_and_replan(session, pseudonym, decision)
        if found.unplaced:
            savepoint.rollback()
            continue
        savepoint.commit()
        released.append(pseudonym)
    return released


def _look() -> None:
    extensions: dict[str, Any] = current_app.extensions
    if time.monotonic() - extensions[CHECKED] < EVERY_SECONDS:
        return
    extensions[CHECKED] = time.monotonic()
    study = running_study()
    assignment = study.settings["assignment"]
    hours = assignment["release_after_hours"]
    if hours is None or assignment["mode"] == "open":
        return
    with transaction(study.engine) as session:
        hold_everyone(session)
        release_inactive(session, float(hours), clock.now())
