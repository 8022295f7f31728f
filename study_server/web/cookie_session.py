"""The signed cookie of a session: made once, sent again only when it grows old or changes."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Request, Response, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature, URLSafeTimedSerializer

# The cookie is signed anew after this share of its life, so that whoever works stays signed in.
RENEWED_AFTER = 1 / 12
MOST_VERIFIED = 4_096
HOST_ONLY = "__Host-"


def session_cookie_name(name: str, url: str) -> str:
    """Return the session cookie's name at the study's own address.

    A study with TLS and a host for itself gets a name that no other host of the same site can
    set; below a prefix browsers do not allow it.

    >>> session_cookie_name("lontar_1", "https://study.example.org/")
    '__Host-lontar_1'
    >>> session_cookie_name("lontar_1", "https://example.org/leaves")
    'lontar_1'
    """
    address = urlsplit(url)
    alone = address.scheme == "https" and not address.path.strip("/")
    return f"{HOST_ONLY}{name}" if alone else name


class DatedSession(SecureCookieSession):
    """A session that knows how old its cookie is; a new one has none."""

    age_seconds: float = 0.0


class CookieSession(SecureCookieSessionInterface):
    """Flask's signed cookie, cheap to keep, and `Secure` whenever the request came over TLS.

    A cookie from the future is valid: the server's clock was set back, not the participant's.
    """

    def __init__(self) -> None:
        self._serializer: URLSafeTimedSerializer | None = None
        self._verified: dict[str, tuple[dict[str, Any], datetime]] = {}

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        if self._serializer is None:
            self._serializer = super().get_signing_serializer(app)
        return self._serializer

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        serializer = self.get_signing_serializer(app)
        value = request.cookies.get(self.get_cookie_name(app))
        if serializer is None or not value:
            return DatedSession()
        try:
            data, signed_at = self._verified.get(value) or self._verify(serializer, value)
        except BadSignature:
            return DatedSession()
        age = time.time() - signed_at.timestamp()
        if age > app.permanent_session_lifetime.total_seconds():
            return DatedSession()
        session = DatedSession(data)
        session.age_seconds = age
        return session

    def _verify(
        self, serializer: URLSafeTimedSerializer, value: str
    ) -> tuple[dict[str, Any], datetime]:
        """Check a cookie's signature; that it was right once is kept, for it cannot change."""
        data, signed_at = serializer.loads(value, return_timestamp=True)
        if len(self._verified) > MOST_VERIFIED:
            self._verified.clear()
        if not any(isinstance(one, list | dict) for one in data.values()):
            self._verified[value] = data, signed_at
        return data, signed_at

    def get_cookie_secure(self, app: Flask) -> bool:
        return bool(app.config["SESSION_COOKIE_SECURE"]) or request.is_secure

    def get_cookie_path(self, app: Flask) -> str:
        """Keep the cookie under the URL prefix, if a proxy gives one."""
        if self.get_cookie_name(app).startswith(HOST_ONLY):
            return "/"
        return request.script_root or "/"

    def should_set_cookie(self, app: Flask, session: SessionMixin) -> bool:
        age: Any = getattr(session, "age_seconds", 0.0)
        old = abs(age) > RENEWED_AFTER * app.permanent_session_lifetime.total_seconds()
        return session.modified or (session.permanent and old)

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Leave public files alone, so that a cache between may keep them for everybody."""
        if session.accessed or session.modified:
            super().save_session(app, session, response)
