"""The event log: shown newest first, checked, and given out as it is."""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request
from flask.typing import ResponseReturnValue

from sampling.record.event_log import check_chain, event_line
from study_server.coordinator.exports import attached
from study_server.store.schema.database import reading
from study_server.store.schema.events import last_event_number, latest_events, read_log
from study_server.web.configuration import running_study

PAGE = 100
blueprint = Blueprint("log", __name__)


@blueprint.get("/log")
def page() -> ResponseReturnValue:
    """Show a page of the log, and whether its chain is intact."""
    before = request.args.get("before", type=int)
    with reading(running_study().engine) as session:
        return render_template(
            "coordinator/log.html",
            events=latest_events(session, PAGE, before),
            count=last_event_number(session),
            problems=check_chain(read_log(session)),
            page_size=PAGE,
        )


@blueprint.get("/log/events.jsonl")
def export() -> ResponseReturnValue:
    """Give the whole log, a line an event: an earlier export shows what a later log lost."""
    with reading(running_study().engine) as session:
        lines = "".join(event_line(event) + "\n" for event in read_log(session))
    response = Response(lines, mimetype="application/jsonl")
    return attached(response, "events.jsonl")
