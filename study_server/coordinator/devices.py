"""Browsers in which an account has signed in before, known by a signed cookie.

It opens nothing. It only keeps passcodes that others type from shutting the account's owner out.
"""

from __future__ import annotations

import hashlib
import secrets

from flask import Response, current_app, request
from itsdangerous import BadSignature, URLSafeTimedSerializer

from study_server.coordinator.access import cookie_path
from study_server.store.steering.coordinators import Account
from study_server.web.configuration import RunningStudy, running_study

SALT = "lontar coordinator device 1"
KEPT_SECONDS = 180 * 24 * 3600


def remember_device(response: Response, account: Account) -> None:
    """Note in this browser that the account has signed in here."""
    study = running_study()
    response.set_cookie(
        _cookie_name(study),
        str(_serializer(study).dumps([account.id, secrets.token_urlsafe(16)])),
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
        account_id, device = _serializer(study).loads(token, max_age=KEPT_SECONDS)
    except (BadSignature, ValueError, TypeError):
        return None
    if account_id != account.id:
        return None
    return hashlib.sha256(f"device {account_id} {device}".encode()).hexdigest()


def _cookie_name(study: RunningStudy) -> str:
    return f"{study.cookie_name}_device"


def _serializer(study: RunningStudy) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(study.configuration.secret_key, salt=SALT)
