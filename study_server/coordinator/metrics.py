"""Numbers for Prometheus: to coordinators here, and at /metrics to whoever has the token."""

from __future__ import annotations

import hmac
import os

from flask import Blueprint, Response, abort, request
from flask.typing import ResponseReturnValue
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, generate_latest

from study_server.store.schema.database import reading
from study_server.store.steering.dashboard import cell_counts, measured, open_problems, study_row
from study_server.web.configuration import running_study
from study_server.web.watching import collector

TOKEN_VARIABLE = "LONTAR_METRICS_TOKEN"  # noqa: S105 - the name of a variable, not a token

blueprint = Blueprint("metrics", __name__)
scraped = Blueprint("scraped", __name__)


@blueprint.get("/metrics")
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
