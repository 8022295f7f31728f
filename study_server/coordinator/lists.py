"""Exports on the web: the files of `lontar export`, each download from one snapshot.

Completion codes, for coordinators alone: whose a code is, and a table of all of them.

Numbers for Prometheus: to coordinators here, and at /metrics to whoever has the token.
One participant: progress, flags, what happened to them, and what can be done.
The event log: shown newest first, checked, and given out as it is.
"""

from __future__ import annotations

import hmac
import json
import os
import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, Response, abort, render_template, request
from flask.typing import ResponseReturnValue
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, generate_latest
from sqlalchemy.orm import Session

from sampling.record.event_log import check_chain, event_line
from study_server.coordinator.overview import load_overview
from study_server.folder.response_files import csv_text
from study_server.store.asking.participants import find_participant
from study_server.store.assigning.run_state import load_run_state
from study_server.store.schema.database import reading
from study_server.store.schema.events import (
    events_about,
    last_event_number,
    latest_events,
    read_log,
)
from study_server.store.steering.dashboard import cell_counts, measured, open_problems, study_row
from study_server.store.steering.exporting import (
    CODE_FIELDS,
    RESPONSE_FIELDS,
    completion_records,
    find_completion,
    participant_flow,
    read_completions,
    read_responses,
)
from study_server.web import clock
from study_server.web.configuration import running_study
from study_server.web.monitoring import collector

people_blueprint = Blueprint("people", __name__)


@people_blueprint.get("/people/<path:pseudonym>")
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


@people_blueprint.route("/codes", methods=["GET", "POST"])
def codes() -> ResponseReturnValue:
    """Say whose completion code it is that somebody reports; it is sent in no address."""
    code = request.form.get("code", "").strip()[:LONGEST_CODE]
    with reading(running_study().engine) as session:
        found = find_completion(session, code) if code else None
        everybody = read_completions(session)
    return render_template("coordinator/codes.html", code=code, found=found, everybody=everybody)


exports_blueprint = Blueprint("exports", __name__)
LONGEST_CODE = 40
CODES = "completion_codes.csv"
LONGEST_SLUG = 40
SHORT_ID = 8


def _json_lines(session: Session) -> str:
    return "".join(
        json.dumps(record, ensure_ascii=False) + "\n" for record in read_responses(session)
    )


def _csv(session: Session) -> str:
    return csv_text(RESPONSE_FIELDS, read_responses(session))


def _flow(session: Session) -> str:
    return json.dumps(participant_flow(session), ensure_ascii=False, indent=2) + "\n"


DOWNLOADS: Mapping[str, tuple[Callable[[Session], Any], str, str]] = {
    "responses.jsonl": (_json_lines, "application/jsonl", "every response, exactly as given"),
    "responses.csv": (_csv, "text/csv", "the same for a spreadsheet, safe from formulas"),
    "flow.json": (_flow, "application/json", "people from invited to finished"),
}


def download_name(name: str, title: str, study_id: str) -> str:
    """Return a file's name with the study in it: its title's plain letters, and its own id.

    Two studies of one title differ by the id, which a study keeps for as long as its database.

    >>> download_name("responses.jsonl", "Écritures: palm leaves", "x9-aZ_41kq")
    'responses-ecritures-palm-leaves-x9-aZ_41.jsonl'
    >>> download_name("flow.json", "貝葉", "x9-aZ_41kq")
    'flow-x9-aZ_41.json'
    """
    stem, _, kind = name.rpartition(".")
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode("ascii").lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain)[:LONGEST_SLUG].strip("-")
    return "-".join(part for part in (stem, slug, study_id[:SHORT_ID]) if part) + f".{kind}"


def attached(response: Response, name: str) -> Response:
    """Have a browser keep a reply as a file whose name says which study it is of."""
    study = running_study()
    kept = download_name(name, study.name, study.public_id)
    response.headers["Content-Disposition"] = f"attachment; filename={kept}"
    return response


@exports_blueprint.get("/exports", endpoint="page")
def exports_page() -> ResponseReturnValue:
    """List what can be downloaded."""
    with reading(running_study().engine) as session:
        return render_template(
            "coordinator/exports.html",
            downloads=DOWNLOADS,
            flow=participant_flow(session),
        )


@exports_blueprint.get(f"/exports/{CODES}")
def download_codes() -> ResponseReturnValue:
    """Give whose completion code is whose, to coordinators alone."""
    with reading(running_study().engine) as session:
        text = csv_text(CODE_FIELDS, completion_records(session))
    return attached(Response(text, mimetype="text/csv"), CODES)


@exports_blueprint.get("/exports/<name>")
def download(name: str) -> ResponseReturnValue:
    """Give one file."""
    if name not in DOWNLOADS:
        abort(404)
    make, media_type, _ = DOWNLOADS[name]
    with reading(running_study().engine) as session:
        response = Response(make(session), mimetype=media_type)
    return attached(response, name)


PAGE = 100
log_blueprint = Blueprint("log", __name__)


@log_blueprint.get("/log", endpoint="page")
def log_page() -> ResponseReturnValue:
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


@log_blueprint.get("/log/events.jsonl")
def export() -> ResponseReturnValue:
    """Give the whole log, a line an event: an earlier export shows what a later log lost."""
    with reading(running_study().engine) as session:
        lines = "".join(event_line(event) + "\n" for event in read_log(session))
    response = Response(lines, mimetype="application/jsonl")
    return attached(response, "events.jsonl")


TOKEN_VARIABLE = "LONTAR_METRICS_TOKEN"  # noqa: S105 - the name of a variable, not a token

metrics_blueprint = Blueprint("metrics", __name__)
scraped = Blueprint("scraped", __name__)


@metrics_blueprint.get("/metrics")
def metrics() -> ResponseReturnValue:
    """Show the numbers to whoever is signed in."""
    return _numbers()


@scraped.get("/metrics")
def scrape() -> ResponseReturnValue:
    """Give the numbers to a monitor that knows `LONTAR_METRICS_TOKEN`; else there is no page."""
    token = os.environ.get(TOKEN_VARIABLE, "")
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if not token or not hmac.compare_digest(given.encode(), token.encode()):
        abort(404)
    return _numbers()


def _numbers() -> Response:
    """Count everything in one transaction."""
    registry = CollectorRegistry()
    registry.register(collector())
    with reading(running_study().engine) as session:
        study = study_row(session)
        questions = Gauge(
            "lontar_questions", "Questions by answers given", ["answers"], registry=registry
        )
        for cell in cell_counts(session):
            questions.labels(str(cell.answered)).inc(cell.questions)
        counted = measured(session)
        problems = len(open_problems(session))
    for name, help_text, by_label in (
        ("lontar_answers", "Answers that fill a slot", counted.answers),
        ("lontar_answers_needed", "Answers the study needs", counted.needed),
        ("lontar_events", "Events in the log", counted.events),
        ("lontar_problems_open", "Reported problems that are open", problems),
        ("lontar_study_open", "1 while the study is open", int(study.state == "open")),
        ("lontar_last_answer_timestamp_seconds", "When the last answer came", counted.last_answer),
    ):
        Gauge(name, help_text, registry=registry).set(by_label)
    people = Gauge("lontar_participants", "Participants by state", ["state"], registry=registry)
    for state, number in counted.people.items():
        people.labels(state).set(number)
    aside = Gauge("lontar_set_aside", "Responses without a slot", ["status"], registry=registry)
    for status, number in counted.set_aside.items():
        aside.labels(status).set(number)
    return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)
