"""Quality without keys: agreement so far, and every flag with the rule behind it."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime

from flask import Blueprint, make_response, render_template, request
from flask.typing import ResponseReturnValue
from sqlalchemy.orm import Session

from analysis.human_reference.quality_flags import FlagRules
from study_server.coordinator.access import current_account
from study_server.coordinator.overview import overview_key
from study_server.coordinator.quality import (
    agreement_so_far,
    answer_traces,
    flags_so_far,
    overall_agreement,
)
from study_server.store.schema.database import reading
from study_server.store.steering import quality
from study_server.store.steering.dashboard import participant_counts
from study_server.web import clock
from study_server.web.configuration import RunningStudy, running_study

blueprint = Blueprint("quality", __name__)


@blueprint.get("/quality")
def page() -> ResponseReturnValue:
    """Show agreement and flags."""
    study, at = running_study(), clock.now()
    with reading(study.engine) as session:
        return render_template(
            "coordinator/quality.html",
            etag=_etag(session, at),
            **_context(session, study),
        )


@blueprint.get("/quality/live")
def live() -> ResponseReturnValue:
    """Give the changing part, or 304 when nothing changed."""
    study, at = running_study(), clock.now()
    with reading(study.engine) as session:
        etag = _etag(session, at)
        if request.headers.get("If-None-Match") == etag:
            response = make_response("", 304)
        else:
            found = render_template("coordinator/quality_live.html", **_context(session, study))
            response = make_response(found)
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def _etag(session: Session, at: datetime) -> str:
    return f'"q.{overview_key(session, at)}.{current_account().role}"'


def _context(session: Session, study: RunningStudy) -> dict[str, object]:
    answers, entries = quality.given_answers(session), quality.vocabulary_entries(session)
    rules = FlagRules(too_fast_seconds=study.settings["server"]["too_fast_seconds"])
    rows = agreement_so_far(answers, entries, study.text_rules, study.reading_rule)
    attention = quality.attention_results(session)
    people = participant_counts(session, clock.now())
    names = {person.id: person.pseudonym for person in people}
    traces = answer_traces(answers, entries)
    flags = flags_so_far(traces, quality.visits(session), attention, rules)
    overall, defined = overall_agreement(rows)
    return {
        "rows": rows,
        "overall": overall,
        "defined": defined,
        "flags": [{**asdict(flag), "name": names[flag.participant]} for flag in flags],
        "attention": sorted(
            (names[person], wrong, answered) for person, (wrong, answered) in attention.items()
        ),
    }
