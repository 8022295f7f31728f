"""Signing in and out, with guesses slowed down."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for

from sampling.assignment.participants import same_identity
from study_server.coordinator.access import end_session, signed_in_account, start_session
from study_server.coordinator.devices import known_device, remember_device
from study_server.coordinator.passcodes import passcode_matches, turn_to_check
from study_server.store.schema.database import reading, transaction
from study_server.store.steering.attempts import Limit, give_back, is_blocked, take_attempt
from study_server.store.steering.coordinators import Account, account_and_hash
from study_server.web import clock
from study_server.web.configuration import running_study
from study_server.web.network_sources import source_hash

FAILURES_OF_A_NAME = 5
FAILURES_OF_AN_ADDRESS = 20
WINDOW = timedelta(minutes=15)
KIND = "coordinator"
BUSY = "Too many people are signing in at this moment. Try again in a few seconds."
BUSY_SECONDS = 3

blueprint = Blueprint("sign_in", __name__)


@blueprint.get("/sign-in")
def form() -> Any:
    """Show the sign-in form, or the dashboard to whoever is signed in."""
    if signed_in_account() is not None:
        return redirect(url_for("coordinator.dashboard.overview"), code=303)
    return _form()


@blueprint.post("/sign-in")
def submit() -> Any:
    """Sign somebody in, or say no without saying why; a name that is none takes as long."""
    study, at = running_study(), clock.now()
    name, passcode = request.form.get("name", ""), request.form.get("passcode", "")
    with reading(study.engine) as session:
        found = account_and_hash(session, name)
        limits = _limits(name, None if found is None else found[0])
        blocked = is_blocked(session, limits, at - WINDOW, KIND)
    if blocked:
        return _too_many(name)
    with turn_to_check() as my_turn:
        if not my_turn:
            return _form(BUSY, name, 503, BUSY_SECONDS)
        with transaction(study.engine) as session:
            taken = take_attempt(session, limits, at - WINDOW, at, KIND)
        if taken is None:
            return _too_many(name)
        right = passcode_matches(passcode, found[1] if found else None)
    if not right or found is None:
        return _form("This name and passcode do not belong together.", name, 403)
    with transaction(study.engine) as session:
        give_back(session, taken)
    response = make_response(redirect(url_for("coordinator.dashboard.overview"), code=303))
    start_session(response, found[0])
    remember_device(response, found[0])
    return response


@blueprint.post("/sign-out")
def sign_out() -> Response:
    """End the session of this browser, and every copy of its cookie."""
    response = make_response(redirect(url_for("coordinator.sign_in.form"), code=303))
    end_session(response, clock.now())
    return response


def _too_many(name: str) -> Response:
    words = "Too many attempts. Wait a quarter of an hour, then try again."
    return _form(words, name, 429, int(WINDOW.total_seconds()))


def _form(problem: str = "", name: str = "", status: int = 200, retry: int = 0) -> Response:
    page = render_template("coordinator/sign_in.html", problem=problem, name=name)
    response = make_response(page, status)
    if retry:
        response.headers["Retry-After"] = str(retry)
    return response


def _limits(name: str, account: Account | None) -> list[Limit]:
    """Say what an attempt counts against: the account at a network source, and the source.

    In a browser where this account has signed in before it counts against that browser alone, so
    that nobody who types wrong passcodes elsewhere, or beside it, shuts the account's owner out.
    """
    device = None if account is None else known_device(account)
    if device is not None:
        return [Limit(device, FAILURES_OF_A_NAME)]
    return [
        Limit(source_hash(same_identity(name)), FAILURES_OF_A_NAME),
        Limit(source_hash(), FAILURES_OF_AN_ADDRESS),
    ]
