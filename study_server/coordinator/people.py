"""One participant: progress, flags, what happened to them, and what can be done."""

from __future__ import annotations

from flask import Blueprint, abort, render_template
from flask.typing import ResponseReturnValue

from study_server.coordinator.overview import load_overview
from study_server.store.asking.participants import find_participant
from study_server.store.assigning.run_state import load_run_state
from study_server.store.schema.database import reading
from study_server.store.schema.events import events_about
from study_server.web import clock
from study_server.web.configuration import running_study

blueprint = Blueprint("people", __name__)


@blueprint.get("/people/<path:pseudonym>")
def person(pseudonym: str) -> ResponseReturnValue:
    """Show one participant."""
    study, at = running_study(), clock.now()
    with reading(study.engine) as session:
        found = find_participant(session, pseudonym)
        if found is None or found.preview:
            abort(404)
        row = next(
            one
            for one in load_overview(session, study, at).people
            if one.pseudonym == found.pseudonym
        )
        limit = next(
            one.limit for one in load_run_state(session).people if one.pseudonym == found.pseudonym
        )
        return render_template(
            "coordinator/person.html",
            person=found,
            row=row,
            limit=limit,
            events=events_about(session, f"participant:{found.pseudonym}"),
        )
