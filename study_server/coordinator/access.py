"""Who may see a coordinator's page: nobody, unless signed in with the role that it needs."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta
from typing import Any, cast

from flask import Response, abort, current_app, g, redirect, request, session, url_for
from flask_wtf.csrf import CSRFError
from itsdangerous import BadSignature, URLSafeTimedSerializer

from study_server.store.schema.database import reading, transaction
from study_server.store.steering.coordinators import (
    Account,
    account_by_id,
    end_sign_in,
    has_ended,
    is_preview,
)
from study_server.store.steering.dashboard import study_row
from study_server.web.configuration import RunningStudy, running_study

SALT = "lontar coordinator session 2"
PATH = "/coordinator"
BOUND = "coordinator"
OPEN_ENDPOINTS = frozenset({"coordinator.sign_in.form", "coordinator.sign_in.submit"})
# An analyst reads and exports. Every other page is for coordinators alone.
ANALYST_ENDPOINTS = frozenset(
    {
        "coordinator.sign_in.sign_out",
        "coordinator.dashboard.overview",
        "coordinator.dashboard.live",
        "coordinator.dashboard.cell",
        "coordinator.dashboard.question",
        "coordinator.dashboard.notes",
        "coordinator.dashboard.image",
        "coordinator.quality.page",
        "coordinator.quality.live",
        "coordinator.people.person",
        "coordinator.log.page",
        "coordinator.log.export",
        "coordinator.exports.page",
        "coordinator.exports.download",
        "coordinator.metrics.metrics",
        "coordinator.nowhere",
    }
)


def require_account() -> Response | None:
    """Let a request through only for someone whose role the page is for."""
    account = signed_in_account()
    if account is None and _is_participant():
        abort(403)
    if request.endpoint in OPEN_ENDPOINTS:
        return None
    if account is None:
        if request.method == "GET" and not request.headers.get("HX-Request"):
            return cast(Response, redirect(url_for("coordinator.sign_in.form"), code=303))
        abort(403)
    if account.role != "coordinator" and request.endpoint not in ANALYST_ENDPOINTS:
        abort(403)
    g.account = account
    _own_form_token()
    return None


def _own_form_token() -> None:
    """Take a form token only if it was made for this very sign-in, and make a new one otherwise.

    The token lies in another cookie than the sign-in, which another host of the same site could
    have set.
    """
    if session.get(BOUND) == g.sign_in_hash:
        return
    if request.method not in {"GET", "HEAD", "OPTIONS"}:
        raise CSRFError("The form belongs to another sign-in.")
    bind_form_token(g.sign_in_hash)


def bind_form_token(sign_in_hash: str) -> None:
    """Begin a new form token, for one sign-in only."""
    session.pop("csrf_token", None)
    g.pop("csrf_token", None)
    session[BOUND] = sign_in_hash


def signed_in_account() -> Account | None:
    """Give who is signed in, or None when the session is missing, expired or ended."""
    study = running_study()
    token = request.cookies.get(cookie_name(study))
    if token is None:
        return None
    try:
        account_id, epoch, sign_in = _serializer(study).loads(token, max_age=session_seconds(study))
    except (BadSignature, ValueError, TypeError):
        return None
    g.sign_in_hash = _digest(sign_in)
    with reading(study.engine) as database:
        found = account_by_id(database, account_id, epoch)
        if found is not None and has_ended(database, g.sign_in_hash):
            return None
        if found is not None:
            g.study_state = study_row(database).state
        return found


def start_session(response: Response, account: Account) -> None:
    """Sign somebody in: a signed cookie for the coordinator's pages only."""
    study, sign_in = running_study(), secrets.token_urlsafe(16)
    bind_form_token(_digest(sign_in))
    response.set_cookie(
        cookie_name(study),
        str(_serializer(study).dumps([account.id, account.session_epoch, sign_in])),
        max_age=session_seconds(study),
        path=cookie_path(),
        httponly=True,
        secure=bool(current_app.config["SESSION_COOKIE_SECURE"]) or request.is_secure,
        samesite="Lax",
    )


def end_session(response: Response, at: datetime) -> None:
    """Sign somebody out: the cookie is worthless from now on, wherever a copy of it is."""
    study = running_study()
    with transaction(study.engine) as database:
        end_sign_in(database, g.sign_in_hash, at, timedelta(seconds=session_seconds(study)))
    session.pop("csrf_token", None)
    session.pop(BOUND, None)
    response.delete_cookie(cookie_name(study), path=cookie_path())


def current_account() -> Account:
    """Give who the current request comes from."""
    return cast(Account, g.account)


def actor() -> str:
    """Name whoever the current request comes from as the log does."""
    return f"{current_account().role}:{current_account().name}"


def cookie_name(study: RunningStudy) -> str:
    return f"{study.cookie_name}_coordinator"


def session_seconds(study: RunningStudy) -> int:
    """How long a sign-in lasts, whatever is done with it."""
    settings: dict[str, Any] = dict(study.settings.get("server", {}))
    return int(3600 * float(settings.get("session_hours", 12)))


def cookie_path() -> str:
    """Give the coordinator's part of the addresses, below a proxy's prefix where there is one."""
    return f"{request.script_root}{PATH}"


def _is_participant() -> bool:
    """Tell whether this browser is a participant's; a preview's is the coordinator's own."""
    participant_id = session.get("participant")
    if participant_id is None:
        return False
    with reading(running_study().engine) as database:
        return not is_preview(database, participant_id)


def _digest(sign_in: object) -> str:
    return hashlib.sha256(f"sign-in {sign_in}".encode()).hexdigest()


def _serializer(study: RunningStudy) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(study.configuration.secret_key, salt=SALT)
