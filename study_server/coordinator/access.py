"""Who may see a coordinator's page: nobody, unless signed in with the role that it needs.

Signing in and out, with guesses slowed down.
Browsers in which an account has signed in before, known by a signed cookie.

It opens nothing. It only keeps passcodes that others type from shutting the account's owner out.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta
from typing import Any, cast

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    g,
    make_response,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from flask_wtf.csrf import CSRFError
from itsdangerous import BadSignature, URLSafeTimedSerializer

from sampling.assignment.roster import same_identity
from study_server.coordinator.accounts import passcode_matches, turn_to_check
from study_server.store.schema.database import reading, transaction
from study_server.store.steering.coordinators import (
    Account,
    Limit,
    account_and_hash,
    account_by_id,
    end_sign_in,
    give_back,
    has_ended,
    is_blocked,
    is_preview,
    take_attempt,
)
from study_server.store.steering.dashboard import study_row
from study_server.web import clock
from study_server.web.configuration import RunningStudy, running_study
from study_server.web.network_sources import source_hash

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


DEVICE_SALT = "lontar coordinator device 1"
KEPT_SECONDS = 180 * 24 * 3600


def remember_device(response: Response, account: Account) -> None:
    """Note in this browser that the account has signed in here."""
    study = running_study()
    response.set_cookie(
        _cookie_name(study),
        str(_device_serializer(study).dumps([account.id, secrets.token_urlsafe(16)])),
        max_age=KEPT_SECONDS,
        path=cookie_path(),
        httponly=True,
        secure=bool(current_app.config["SESSION_COOKIE_SECURE"]) or request.is_secure,
        samesite="Lax",
    )


def known_device(account: Account) -> str | None:
    """Return what this browser's attempts are counted under, if the account signed in here."""
    study = running_study()
    token = request.cookies.get(_cookie_name(study), "")
    try:
        account_id, device = _device_serializer(study).loads(token, max_age=KEPT_SECONDS)
    except (BadSignature, ValueError, TypeError):
        return None
    if account_id != account.id:
        return None
    return hashlib.sha256(f"device {account_id} {device}".encode()).hexdigest()


def _cookie_name(study: RunningStudy) -> str:
    return f"{study.cookie_name}_device"


def _device_serializer(study: RunningStudy) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(study.configuration.secret_key, salt=DEVICE_SALT)


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
