"""What every reply carries: security headers and a request id."""

from __future__ import annotations

import secrets

from flask import Flask, Response, abort, g, request

from study_server.cookie_session import CookieSession

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


def protect(app: Flask) -> None:
    """Give every request an id and every reply its headers."""
    app.session_interface = CookieSession()
    app.before_request(_name_request)
    app.before_request(_refuse_nul)
    app.after_request(_add_headers)


def _name_request() -> None:
    g.request_id = secrets.token_hex(8)


def _refuse_nul() -> None:
    """Refuse what no browser sends and no PostgreSQL text can hold."""
    sent = request.form.items(multi=True)
    if "\0" in request.path or any("\0" in name or "\0" in value for name, value in sent):
        abort(400)


def _add_headers(response: Response) -> Response:
    headers = response.headers
    headers.extend(HEADERS)
    if request.is_secure:
        headers.setdefault("Strict-Transport-Security", "max-age=31536000")
    headers.setdefault("Cache-Control", "no-store")
    headers["X-Request-Id"] = g.get("request_id", "")
    return response
