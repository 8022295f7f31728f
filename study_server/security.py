"""What every reply carries, and what no request may: security headers, NUL characters."""

from __future__ import annotations

from flask import Flask, Response, abort, request

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
    """Give every reply its headers, and refuse what no form of ours sends."""
    app.session_interface = CookieSession()
    app.before_request(_refuse_nul)
    app.after_request(_add_headers)


def _refuse_nul() -> None:
    """Refuse NUL characters: nobody types them, and PostgreSQL cannot keep them."""
    for values in (request.args, request.form):
        for name, sent in values.items(multi=True):
            if "\0" in name or "\0" in sent:
                abort(400)


def _add_headers(response: Response) -> Response:
    headers = response.headers
    headers.extend(HEADERS)
    if request.is_secure:
        headers.setdefault("Strict-Transport-Security", "max-age=31536000")
    headers.setdefault("Cache-Control", "no-store")
    return response
