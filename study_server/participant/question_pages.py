"""The question page: shows what is next, takes one answer, and never takes it twice."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from sampling.answers.normalization import read_text
from sampling.answers.transcription import tokenize
from study_server.participant.access import (
    PAGES,
    Place,
    at_step,
    blueprint,
    find_place,
    load_arrival,
    signed_out,
    visitor_required,
    wants_json,
)
from study_server.participant.answer_forms import LONGEST_TEXT, FieldError
from study_server.participant.languages import current_language
from study_server.participant.question_view import view_question
from study_server.participant.receiving import Received, leave_attention, receive_answer
from study_server.participant.steps import Step
from study_server.store.answering.skips import report_problem, skip
from study_server.store.answering.work import CLAIM, SLOT, NextWork
from study_server.store.asking.participants import Visitor
from study_server.store.assigning.leases import claim_slot, free_expired_leases, renew_lease
from study_server.store.assigning.slots import current_slot, mark_shown, session_progress
from study_server.store.schema.database import Glance, glancing, noting, transaction
from study_server.web import clock
from study_server.web.configuration import running_study

LONGEST_KEY = 64
LONGEST_WORDS = 2_000
PROBLEMS = ("image", "question", "other")


def _note_shown(database: Glance, visitor: Visitor, place: Place) -> None:
    """Note that a slot's page is shown, for the first time or under a lease."""
    work, at = place.work, clock.now()
    if work is None or work.kind != SLOT or (work.shown_at is not None and not _leased()):
        return
    with noting(database):
        mark_shown(database, work.public_id, visitor.id, at)
        if _leased():
            renew_lease(database, work.public_id, _lease(), at)


@blueprint.get("/question")
@at_step(Step.QUESTION, arriving=_note_shown)
def question(visitor: Visitor, place: Place) -> ResponseReturnValue:
    """Show the question where the participant is."""
    work = place.work
    if work is None:
        return _onward()
    return _claim(visitor) if work.kind == CLAIM else show_question(visitor, work)


@blueprint.post("/question")
def answer() -> ResponseReturnValue:
    """Take an answer; whatever is repeated changes nothing, and whatever is wrong is explained."""
    study = running_study()
    with glancing(study.engine) as database:
        here = load_arrival(database, _slot())
    if here is None:
        return signed_out()
    visitor = here.visitor
    received = receive_answer(visitor, request.form, clock.now(), here.slot)
    if received.error is not None:
        return _refuse(visitor, received, received.error)
    if received.problem is not None:
        return _problem(received.problem)
    if wants_json():
        return {"saved": str(received.outcome), "next": url_for("participant.question")}
    return redirect(url_for("participant.question"), 303)


@blueprint.post("/preview")
@visitor_required
def normalised_preview(_visitor: Visitor) -> ResponseReturnValue:
    """Show how a transcription will be read when it is scored."""
    study = running_study()
    rules = study.text_rules
    given = request.form.get("answer", "")[:LONGEST_TEXT]
    read = read_text(given, rules, study.reading_rule)
    return {"text": read, "characters": len(tokenize(read, rules))}


@blueprint.post("/skip")
@visitor_required
def cannot_tell(visitor: Visitor) -> ResponseReturnValue:
    """Leave a question with a reason, where the study allows it; someone else will get it."""
    study = running_study()
    if not study.settings["server"]["cannot_tell"]:
        return _problem("not_allowed")
    reason = request.form.get("reason", "").strip()[:LONGEST_WORDS]
    with transaction(study.engine) as database:
        done = _kept_key() and (
            leave_attention(database, visitor, _slot(), "skipped", reason, clock.now())
            or skip(database, visitor.id, _slot(), _key(), reason or "no reason given", clock.now())
        )
    return _left(done or visitor.preview)


@blueprint.post("/problem")
@visitor_required
def problem(visitor: Visitor) -> ResponseReturnValue:
    """Report a faulty image or question: its slot is freed and the coordinator sees it."""
    study = running_study()
    kind = request.form.get("kind", "other")
    kind = kind if kind in PROBLEMS else "other"
    words = request.form.get("description", "").strip()[:LONGEST_WORDS]
    with transaction(study.engine) as database:
        done = _kept_key() and (
            leave_attention(database, visitor, _slot(), f"problem: {kind}", words, clock.now())
            or report_problem(database, visitor.id, _slot(), _key(), kind, words, clock.now())
        )
    return _left(done or visitor.preview)


def show_question(
    visitor: Visitor,
    work: NextWork,
    typed: dict[str, Any] | None = None,
    error: FieldError | None = None,
) -> str:
    """Render a question's page."""
    study = running_study()
    progress = work.progress
    if progress is None:
        with glancing(study.engine) as database:
            progress = session_progress(database, visitor.id, work.session)
    return render_template(
        "participant/question.html",
        visitor=visitor,
        view=view_question(study, visitor, work, current_language(), typed),
        server=study.settings["server"],
        text_rules=study.settings["text"],
        progress=progress,
        sessions=progress.sessions,
        endless=_leased() or visitor.preview,
        typed=typed or {},
        error=error,
        action=url_for("participant.answer"),
    )


def _refuse(visitor: Visitor, received: Received, error: FieldError) -> ResponseReturnValue:
    """Say what is wrong, beside what was typed."""
    if wants_json():
        return {"field": error.field, "message": error.message}, 422
    assert received.work is not None  # noqa: S101 - an answer was read for a question
    typed = {**request.form.to_dict(), "answer": request.form.getlist("answer")}
    return show_question(visitor, received.work, typed, error), 422


def _problem(problem: str) -> ResponseReturnValue:
    """Answer a submission that belongs to nothing here any more."""
    if wants_json():
        return {"problem": problem, "next": url_for("participant.start")}, 409
    return render_template("participant/not_taken.html", problem=problem), 409


def _left(done: bool) -> ResponseReturnValue:
    """Go on after a question was left."""
    if not done:
        return _problem("unknown")
    if wants_json():
        return {"saved": "skipped", "next": url_for("participant.start")}
    return _onward()


def _claim(visitor: Visitor) -> ResponseReturnValue:
    """Take a free slot in open mode, then show it."""
    study, at = running_study(), clock.now()
    per_session = study.settings["assignment"]["questions_per_session"]
    with transaction(study.engine) as database:
        if not claim_slot(database, visitor, per_session, _lease(), at):
            free_expired_leases(database, at)
            claim_slot(database, visitor, per_session, _lease(), at)
        place = find_place(database, visitor, current_slot(database, visitor.id), study)
    if place.step is Step.QUESTION and place.work is not None and place.work.kind == SLOT:
        with glancing(study.engine) as connection, noting(connection):
            mark_shown(connection, place.work.public_id, visitor.id, at)
        return show_question(visitor, place.work)
    return redirect(url_for(PAGES[Step.DONE if place.work is None else place.step]), 303)


def _leased() -> bool:
    return bool(running_study().settings["assignment"]["mode"] == "open")


def _lease() -> timedelta:
    return timedelta(minutes=running_study().settings["assignment"]["lease_minutes"])


def _slot() -> str:
    return request.form.get("slot", "")


def _key() -> str:
    return request.form.get("key", "")


def _kept_key() -> bool:
    """A key has a length a browser was given; anything else was made up."""
    return 0 < len(_key()) <= LONGEST_KEY


def _onward() -> ResponseReturnValue:
    return redirect(url_for("participant.start"), 303)
