"""Pages for what went wrong: plain words, a request id, and never an answer lost silently."""

from __future__ import annotations

from flask import Flask, g, redirect, render_template, request, session
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import CSRFError, generate_csrf
from sqlalchemy.exc import DBAPIError
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from sampling.study.errors import StudyError
from study_server.images.lossless import ImageAwayError
from study_server.participant.access import signed_out, wants_json
from study_server.store.schema.database import NoConnectionError, is_disk_full
from study_server.web.monitoring import log

RETRY_SECONDS = 5


def set_up(app: Flask) -> None:
    """Show every kind of failure from one place."""
    app.register_error_handler(CSRFError, _stale_form)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(DBAPIError, _database_error)
    app.register_error_handler(NoConnectionError, _no_connection)
    app.register_error_handler(OverflowError, _impossible_value)
    app.register_error_handler(ImageAwayError, _image_away)
    app.register_error_handler(StudyError, _study_error)


def _stale_form(error: CSRFError) -> ResponseReturnValue:
    """Keep what was typed: the session ended, or another one began."""
    signed_in = "participant" in session
    if wants_json():
        if not signed_in:
            return signed_out()
        return {"problem": "stale", "csrf_token": generate_csrf()}, 400
    if request.path.startswith("/coordinator"):
        return _page(400)
    typed = [
        (name, value)
        for name, values in request.form.lists()
        if name not in {"csrf_token", "link"}
        for value in values
    ]
    return render_template("participant/not_saved.html", typed=typed, signed_in=signed_in), 400


def _http_error(error: HTTPException) -> ResponseReturnValue:
    code = error.code or 500
    if code < 400:
        return redirect(error.get_response().location or "/", code)
    allowed = error.valid_methods or () if isinstance(error, MethodNotAllowed) else ()
    return _page(code, {"Allow": ", ".join(allowed)} if allowed else {})


def _database_error(error: DBAPIError) -> ResponseReturnValue:
    """Tell a database that is away for a moment, when trying again is right, from a bad request."""
    kind = type(error).__name__
    if kind == "DataError":
        return _impossible_value(error)
    if kind == "IntegrityError":
        return _clash(error)
    full = is_disk_full(error.orig)
    _log("disk full" if full else "the database failed", cause=type(error.orig).__name__)
    return _page(503, {"Retry-After": str(RETRY_SECONDS)})


def _no_connection(error: NoConnectionError) -> ResponseReturnValue:
    """All connections have been waiting for something for long."""
    _log("no connection to the database was free", cause=type(error).__name__)
    return _page(503, {"Retry-After": str(RETRY_SECONDS)})


def _impossible_value(error: Exception) -> ResponseReturnValue:
    """Somebody sent a value that no column can hold, such as a number of forty digits."""
    return _page(400)


def _clash(error: DBAPIError) -> ResponseReturnValue:
    """Two requests wanted the same place at once; this one came second and changed nothing."""
    _log("two requests clashed", cause=type(error.orig).__name__)
    return _page(409)


def _image_away(error: ImageAwayError) -> ResponseReturnValue:
    """The store of images is away: the page offers to load the picture again."""
    _log("the image store failed", problem=str(error))
    return _page(503, {"Retry-After": str(RETRY_SECONDS)})


def _study_error(error: StudyError) -> ResponseReturnValue:
    _log("the study has a problem", problem=str(error))
    return _page(500)


def _page(code: int, headers: dict[str, str] | None = None) -> ResponseReturnValue:
    if wants_json():
        return {"problem": "error", "request_id": _request_id()}, code, headers or {}
    page = render_template("participant/error.html", code=code, request_id=_request_id())
    return page, code, headers or {}


def _log(message: str, **facts: str) -> None:
    log.error(message, extra={"facts": {"request_id": _request_id(), **facts}})


def _request_id() -> str:
    return str(g.get("request_id", ""))
