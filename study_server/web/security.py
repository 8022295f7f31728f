"""What every reply carries, and what no request may: odd hosts, nameless fields, other sites.

The signed cookie of a session: made once, sent again only when it grows old or changes.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from flask import Flask, Request, Response, abort, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature, URLSafeTimedSerializer

from study_server.web.configuration import running_study
from study_server.web.monitoring import log

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


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


CONTENT_SECURITY_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = [
    ("Content-Security-Policy", CONTENT_SECURITY_POLICY),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
    ("X-Robots-Tag", "noindex"),
]
OVER_TLS = [*HEADERS, ("Strict-Transport-Security", "max-age=31536000")]
UNKEPT = [("Cache-Control", "no-store")]
_LABEL = "[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"
# A name of labels of at most 63 characters or an address of IPv6, and a port.
HOST = re.compile(
    rf"(?:{_LABEL}(?:\.{_LABEL})*\.?|\[[0-9A-Fa-f:.]{{2,45}}\])(?::[0-9]{{1,5}})?", re.ASCII
)
LONGEST_HOST = 260
PREFIX = re.compile(r"(?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*", re.ASCII)
SCHEMES = frozenset({"http", "https"})
HARMLESS = frozenset({"GET", "HEAD", "OPTIONS"})
OWN_PAGES = frozenset({"same-origin", "none"})


class SecurityHeaders:
    """A WSGI application, each of whose replies carries the security headers.

    No cache keeps a reply that does not say for how long.
    """

    def __init__(self, application: WSGIApplication) -> None:
        self._application = application

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        always = OVER_TLS if environ["wsgi.url_scheme"] == "https" else HEADERS

        def start(status: str, headers: list[tuple[str, str]], *failure: Any) -> Any:
            kept = any(name.lower() == "cache-control" for name, _ in headers)
            more = always if kept else [*always, *UNKEPT]
            return start_response(status, headers + more, *failure)

        return self._application(environ, start)


class PlausibleAddress:
    """A WSGI application that hears of no address at which it cannot be.

    Host, scheme and prefix go into the addresses that pages link to, so they are checked when a
    proxy has had its word. Forwarding headers that nobody asked for are noted once.
    """

    def __init__(self, application: WSGIApplication, trusted_proxies: int) -> None:
        self._application = application
        self._expects_none = trusted_proxies == 0

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request, or refuse it with 400."""
        if self._expects_none and "HTTP_X_FORWARDED_FOR" in environ:
            self._expects_none = False
            log.warning(
                "a request carried X-Forwarded-For while [server] trusted_proxies is 0: "
                "if a proxy stands in front, count it there, or all visitors are one address"
            )
        environ["SCRIPT_NAME"] = prefix = environ.get("SCRIPT_NAME", "").rstrip("/")
        if (
            is_host(environ.get("HTTP_HOST", ""))
            and PREFIX.fullmatch(prefix)
            and environ["wsgi.url_scheme"] in SCHEMES
        ):
            return self._application(environ, start_response)
        start_response("400 Bad Request", [("Content-Type", "text/plain; charset=utf-8")])
        return [b"Bad request: its host, scheme or prefix is none.\n"]


def is_host(host: str) -> bool:
    """Tell whether a `Host` can be one; a request of HTTP/1.0 has none, which is well.

    >>> [is_host(one) for one in ("", "example.org", "example.org.:8000", "[::1]:8000", "a_b")]
    [True, True, True, True, True]
    >>> [is_host(one) for one in ("a..b", ".a", "a" * 64, "a/b", "a@b", "[::1", "a:b", "é")]
    [False, False, False, False, False, False, False, False]
    """
    return not host or (len(host) <= LONGEST_HOST and HOST.fullmatch(host) is not None)


def protect(app: Flask) -> None:
    """Sign the session's cookie, and refuse what no form of ours sends.

    Comes before whatever else reads a form.
    """
    app.session_interface = CookieSession()
    app.before_request(_refuse_other_sites)
    app.before_request(_refuse_odd_fields)


def _refuse_other_sites() -> None:
    """Refuse a form that another site's page sent, as far as the browser says so.

    Our pages send no referrer, so the origin of their own forms is `null`; the ports of a host
    share their cookies, and a proxy may leave them out.
    """
    if request.method in HARMLESS:
        return
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin", "null")
    if site is not None:
        if site not in OWN_PAGES:
            abort(403)
    elif origin != "null":
        own = running_study().settings["server"]["url"] or ""
        if _host_name(origin) not in {_host_name(f"//{request.host}"), _host_name(own)} - {""}:
            abort(403)


def _host_name(address: str) -> str:
    """Return the host of an address without its port, or nothing."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _refuse_odd_fields() -> None:
    """Refuse fields without a name, and NUL characters, which PostgreSQL cannot keep."""
    for values in (request.args, request.form, request.files):
        if None in values:
            abort(400)
    for values in (request.args, request.form):
        for name, sent in values.items(multi=True):
            if "\0" in name or "\0" in sent:
                abort(400)
