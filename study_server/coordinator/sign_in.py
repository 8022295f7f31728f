"""Signing in and out, with guesses slowed down."""

from __future__ import annotations

import hashlib
import hmac
from datetime import timedelta
from typing import Any

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for

from sampling.participants import same_identity
from study_server import clock
from study_server.configuration import running_study
from study_server.coordinator.access import end_session, signed_in_account, start_session
from study_server.coordinator.passcodes import passcode_matches
from study_server.store.attempts import failures_since, forget_failures, record_failure
from study_server.store.coordinators import account_and_hash
from study_server.store.database import reading, transaction

FAILURES_OF_A_NAME = 5
FAILURES_OF_AN_ADDRESS = 20
WINDOW = timedelta(minutes=15)
KIND = "coordinator"

blueprint = Blueprint("sign_in", __name__)


@blueprint.get("/sign-in")
def form() -> Any:
    """Show the sign-in form, or the dashboard to whoever is signed in."""
    if signed_in_account() is not None:
        return redirect(url_for("coordinator.dashboard.overview"), code=303)
    return _form()


@blueprint.post("/sign-in")
def submit() -> Any:
    """Sign somebody in, or say no without saying why."""
    study = running_study()
    name, passcode = request.form.get("name", ""), request.form.get("passcode", "")
    by_name, by_address = _sources(name)
    at = clock.now()
    with reading(study.engine) as session:
        blocked = (
            failures_since(session, by_name, at - WINDOW, KIND) >= FAILURES_OF_A_NAME
            or failures_since(session, by_address, at - WINDOW, KIND) >= FAILURES_OF_AN_ADDRESS
        )
        found = account_and_hash(session, name)
    if blocked:
        return _form("Too many attempts. Wait a quarter of an hour, then try again.", name, 429)
    if not passcode_matches(passcode, found[1] if found else None) or found is None:
        with transaction(study.engine) as session:
            forget_failures(session, at - WINDOW, KIND)
            record_failure(session, by_name, at, KIND)
            record_failure(session, by_address, at, KIND)
        return _form("This name and passcode do not belong together.", name, 403)
    response = make_response(redirect(url_for("coordinator.dashboard.overview"), code=303))
    start_session(response, found[0])
    return response


@blueprint.post("/sign-out")
def sign_out() -> Response:
    """End the session of this browser."""
    response = make_response(redirect(url_for("coordinator.sign_in.form"), code=303))
    end_session(response)
    return response


def _form(problem: str = "", name: str = "", status: int = 200) -> Response:
    page = render_template("coordinator/sign_in.html", problem=problem, name=name)
    response = make_response(page, status)
    if status == 429:
        response.headers["Retry-After"] = str(int(WINDOW.total_seconds()))
    return response


def _sources(name: str) -> tuple[str, str]:
    """Name what is counted, the account at an address and the address, by keyed hashes only."""
    key = running_study().configuration.secret_key
    address = request.remote_addr or ""
    parts = (f"{same_identity(name)}\x1f{address}", address)
    by_name, by_address = (
        hmac.new(key, part.encode("utf-8"), hashlib.sha256).hexdigest() for part in parts
    )
    return by_name, by_address
