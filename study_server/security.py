"""What every reply carries: security headers, a request id, and cookies safe behind TLS."""

from __future__ import annotations

import secrets

from flask import Flask, Response, g, request
from flask.sessions import SecureCookieSessionInterface

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
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "X-Robots-Tag": "noindex",
}


class CookieSession(SecureCookieSessionInterface):
    """Flask's signed cookie, `Secure` whenever the request came over TLS."""

    def get_cookie_secure(self, app: Flask) -> bool:
        return bool(app.config["SESSION_COOKIE_SECURE"]) or request.is_secure


def protect(app: Flask) -> None:
    """Give every request an id and every reply its headers."""
    app.session_interface = CookieSession()
    app.before_request(_name_request)
    app.after_request(_add_headers)


def _name_request() -> None:
    g.request_id = secrets.token_hex(8)


def _add_headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if request.is_secure:
        response.headers.setdefault("Strict-Transport-Security", "max-age=31536000")
    response.headers.setdefault("Cache-Control", "no-store")
    response.headers["X-Request-Id"] = getattr(g, "request_id", "")
    return response
