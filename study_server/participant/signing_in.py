"""Signing in by personal link, and again with an answer that must not be lost."""

from __future__ import annotations

from datetime import datetime, timedelta
from urllib.parse import urlsplit

from flask import redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import generate_csrf

from study_server.participant.access import (
    PAGES,
    blueprint,
    find_place,
    load_arrival,
    load_visitor,
    sign_in,
    signed_out,
)
from study_server.participant.receiving import receive_answer
from study_server.store.asking.participants import find_link, record_visit, visitor_by_link
from study_server.store.schema.database import glancing, transaction
from study_server.store.steering.coordinators import (
    Limit,
    forget_failures,
    is_blocked,
    take_attempt,
)
from study_server.web import clock
from study_server.web.configuration import running_study
from study_server.web.network_sources import source_hash

MOST_FAILURES = 20
WINDOW = timedelta(minutes=10)
# In the session of whoever came by a link and has sent nothing yet.
UNSEEN = "unseen"


@blueprint.get("/p/<token>")
def personal_link(token: str) -> ResponseReturnValue:
    """Sign in, then leave the link's address, so that the token stays in no history.

    Chat previews and mail scanners follow links too: that somebody came is noted only when they
    send something from one of the pages.
    """
    return _enter(token)


@blueprint.before_request
def note_first_act() -> None:
    """Note a visit when whoever came by a link first sends something."""
    if request.method != "POST" or UNSEEN not in session:
        return
    link_id, participant_id = session["link"], session["participant"]
    with transaction(running_study().engine) as database:
        if visitor_by_link(database, link_id, participant_id) is not None:
            record_visit(database, link_id, participant_id, clock.now())
    session.pop(UNSEEN)


@blueprint.post("/sign-in")
def sign_in_by_form() -> ResponseReturnValue:
    """Sign in by a pasted link, wherever the study's pages are read from."""
    reply = _enter(token_of(request.form.get("link", "")), by_hand=True)
    if "slot" in request.form and "participant" in session:
        return _save_after_signing_in() or reply
    return reply


@blueprint.get("/session")
def session_state() -> ResponseReturnValue:
    """Tell a page's script whether it is still signed in, with a fresh form token."""
    with glancing(running_study().engine) as database:
        visitor = load_visitor(database)
    return {"signed_in": visitor is not None, "csrf_token": generate_csrf()}


@blueprint.get("/")
def start() -> ResponseReturnValue:
    """Lead everyone to the page where they are."""
    study = running_study()
    with glancing(study.engine) as database:
        here = load_arrival(database)
        if here is None:
            return signed_out()
        place = find_place(database, here.visitor, here.slot, study)
    if here.visitor.language is not None and session.get("language") != here.visitor.language:
        session["language"] = here.visitor.language
    return redirect(url_for(PAGES[place.step]), 303)


def _save_after_signing_in() -> ResponseReturnValue | None:
    """Store the answer that came along with the link; None when all is well."""
    with glancing(running_study().engine) as database:
        visitor = load_visitor(database)
    if visitor is None:
        return None
    received = receive_answer(visitor, request.form, clock.now())
    if received.problem is not None:
        return render_template("participant/not_taken.html", problem=received.problem), 409
    return None


def token_of(link: str) -> str:
    """Take the token out of a pasted link, or take the whole text for one.

    >>> token_of(" http://example.org/study/p/abc-DEF?x=1 ")
    'abc-DEF'
    """
    return urlsplit(link.strip()).path.rstrip("/").rsplit("/", 1)[-1]


def _enter(token: str, *, by_hand: bool = False) -> ResponseReturnValue:
    """Start the session of a token's participant; only wrong tokens are counted and slowed down.

    A token of 160 random bits is looked up by its digest: no limit is needed to keep it from being
    guessed, and nobody with a right one is shut out by what a neighbour typed. `by_hand` is whether
    somebody pasted the link into a form, which is a visit already.
    """
    study, at = running_study(), clock.now()
    with glancing(study.engine) as database:
        found = find_link(database, token)
    if found is None:
        return _no_such_link(at)
    if by_hand:
        with transaction(study.engine) as database:
            record_visit(database, *found, at)
            forget_failures(database, at - WINDOW)
    if session.get("participant") != found[1]:
        sign_in(*found)
    session["link"] = found[0]
    if by_hand:
        session.pop(UNSEEN, None)
    else:
        session[UNSEEN] = True
    return redirect(url_for("participant.start"), 303)


def _no_such_link(at: datetime) -> ResponseReturnValue:
    """Count a link that opens nothing, and say so, or that there were too many."""
    study, limits, since = running_study(), [Limit(source_hash(), MOST_FAILURES)], at - WINDOW
    with glancing(study.engine) as database:
        blocked = is_blocked(database, limits, since)
    if not blocked:
        with transaction(study.engine) as writing:
            blocked = take_attempt(writing, limits, since, at) is None
    if not blocked:
        return render_template("participant/unknown_link.html"), 404
    minutes = int(WINDOW.total_seconds() // 60)
    page = render_template("participant/too_many.html", minutes=minutes)
    return page, 429, {"Retry-After": str(int(WINDOW.total_seconds()))}
