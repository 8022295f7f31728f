"""The dashboard, its live part, and the questions behind its numbers."""

from __future__ import annotations

from flask import Blueprint, Response, abort, make_response, render_template, request
from flask.typing import ResponseReturnValue

from study_server.coordinator.access import current_account
from study_server.coordinator.overview import Overview, load_overview, overview_key
from study_server.images.lossless import ImageUnusableError
from study_server.images.served import served_image
from study_server.store.schema.database import reading
from study_server.store.schema.events import events_about
from study_server.store.steering.drill_down import (
    LISTED,
    barred_people,
    find_question,
    list_questions,
    problems_of,
    question_image,
    recent_notes,
)
from study_server.web import clock
from study_server.web.configuration import running_study

blueprint = Blueprint("dashboard", __name__)


@blueprint.get("/", strict_slashes=False)
def overview() -> ResponseReturnValue:
    """Show the whole dashboard."""
    study, at = running_study(), clock.now()
    with reading(study.engine) as session:
        etag = _etag(overview_key(session, at))
        found = load_overview(session, study, at)
    return render_template("coordinator/dashboard.html", etag=etag, at=at, **_context(found))


@blueprint.get("/live")
def live() -> ResponseReturnValue:
    """Give the dashboard's changing part, or 304 when nothing changed."""
    study, at = running_study(), clock.now()
    with reading(study.engine) as session:
        etag = _etag(overview_key(session, at))
        if request.headers.get("If-None-Match") == etag:
            return _marked(make_response("", 304), etag)
        found = load_overview(session, study, at)
    page = render_template("coordinator/overview.html", **_context(found))
    return _marked(make_response(page), etag)


@blueprint.get("/questions")
def cell() -> ResponseReturnValue:
    """List the questions of a cell, by how many answers they have."""
    collection, category = request.args.get("collection"), request.args.get("category")
    answered = request.args.get("answered", type=int)
    with reading(running_study().engine) as session:
        questions = list_questions(session, collection, category, answered)
    return render_template(
        "coordinator/questions.html",
        questions=questions,
        collection=collection,
        category=category,
        answered=answered,
        listed=LISTED,
        states=sorted({question.answered for question in questions}),
    )


@blueprint.get("/question")
def question() -> ResponseReturnValue:
    """Show one question: who has it, who may not, what was reported.

    Its id stands after `?`: as a part of the path, `..` or `/lead` would lead elsewhere.
    """
    sample_id = request.args.get("sample_id", "")
    with reading(running_study().engine) as session:
        found = find_question(session, sample_id)
        if found is None:
            abort(404)
        return render_template(
            "coordinator/question.html",
            question=found,
            barred=barred_people(session, found.id),
            problems=problems_of(session, found.id),
            notes=recent_notes(session, LISTED, found.id),
            events=events_about(session, f"question:{found.sample_id}"),
        )


@blueprint.get("/notes")
def notes() -> ResponseReturnValue:
    """List the skips and comments, newest first."""
    with reading(running_study().engine) as session:
        found = recent_notes(session, LISTED)
    return render_template("coordinator/notes.html", notes=found, listed=LISTED)


@blueprint.get("/image")
def image() -> ResponseReturnValue:
    """Show a question's image as participants see it."""
    study, sample_id = running_study(), request.args.get("sample_id", "")
    with reading(study.engine) as session:
        found = question_image(session, sample_id)
    if found is None:
        abort(404)
    try:
        response = served_image(study.configuration, *found).response()
    except ImageUnusableError:
        abort(404)
    response.headers["Cache-Control"] = "private, max-age=300"
    return response


def _context(found: Overview) -> dict[str, object]:
    return {"overview": found}


def _etag(key: str) -> str:
    """Name the content for this role: an analyst sees no buttons."""
    return f'"{key}.{current_account().role}"'


def _marked(response: Response, etag: str) -> Response:
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = "private, no-cache"
    return response
