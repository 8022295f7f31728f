"""What every reply carries, and what no request may: security headers, NUL characters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from flask import Flask, abort, request

from study_server.cookie_session import CookieSession

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

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


def protect(app: Flask) -> None:
    """Sign the session's cookie, and refuse what no form of ours sends."""
    app.session_interface = CookieSession()
    app.before_request(_refuse_nul)


def _refuse_nul() -> None:
    """Refuse NUL characters: nobody types them, and PostgreSQL cannot keep them."""
    for values in (request.args, request.form):
        for name, sent in values.items(multi=True):
            if "\0" in name or "\0" in sent:
                abort(400)
