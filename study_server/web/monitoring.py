"""One JSON object a line on stderr: what happened, never what was answered and never a token.

A request is known by its route (`/p/<token>`), its id and its status; a failure by its kind and
the lines of code it passed through, not by its message, which may quote what somebody sent.

Watches every request: its id, how long it took, one line in the log, one count.
Whether the server and its database are well, for a monitor.
"""

from __future__ import annotations

import json
import logging
import os
import re
import secrets
import threading
import time
import traceback
from datetime import UTC, datetime
from typing import Any

from flask import Blueprint, Flask, Response, current_app, g, request
from flask.typing import ResponseReturnValue
from sqlalchemy.exc import DBAPIError

from sampling.study.errors import StudyError
from study_server.store.schema.database import NoConnectionError, ask, why_nothing_is_stored
from study_server.web.configuration import running_study
from study_server.web.metrics import MOST_ENDPOINTS, Meter, RequestCollector

VARIABLE = "LONTAR_LOG"
LEVELS = ("debug", "info", "warning", "error")
USUAL_LEVEL = "warning"
NAME = "lontar"
log = logging.getLogger(NAME)


class JsonLines(logging.Formatter):
    """Writes a record as one line of JSON; `extra={"facts": {...}}` adds to it."""

    def format(self, record: logging.LogRecord) -> str:
        """Write the line; of an exception only its type and where it came from."""
        moment = datetime.fromtimestamp(record.created, UTC)
        line: dict[str, Any] = {
            "at": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
            **getattr(record, "facts", {}),
        }
        if record.exc_info and record.exc_info[0] is not None:
            kind, _, frames = record.exc_info
            line["exception"] = kind.__name__
            line["frames"] = [
                f"{frame.filename}:{frame.lineno} {frame.name}"
                for frame in traceback.extract_tb(frames)
            ]
        return json.dumps(line, ensure_ascii=False)


def chosen_level() -> str:
    """Give the level that `LONTAR_LOG` asks for: `info` notes every request.

    Raises
    ------
    StudyError
        When it is no level.
    """
    level = os.environ.get(VARIABLE, USUAL_LEVEL).lower()
    if level not in LEVELS:
        raise StudyError(f"{VARIABLE}: {level!r} is no level; use one of {', '.join(LEVELS)}")
    return level


def logging_configuration(level: str) -> dict[str, Any]:
    """Give the configuration of Python's logging, ours and the web server's alike."""
    heard = {"level": level.upper(), "handlers": ["lines"], "propagate": False}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": JsonLines}},
        "handlers": {
            "lines": {"class": "logging.StreamHandler", "formatter": "lines"},
        },
        "root": {"level": "WARNING", "handlers": ["lines"]},
        "loggers": {NAME: heard, "_granian": heard},
    }


EXTENSION = "lontar_watch"
UNKNOWN = "unknown"
GIVEN_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")


def watch(app: Flask, meter: Meter, trust_ids: bool) -> None:
    """Give every request an id, the proxy's own where one is trusted, and note how it ended.

    Call it when all pages are registered: endpoints are counted by their place in order.
    """
    endpoints = [*sorted(app.view_functions), UNKNOWN][:MOST_ENDPOINTS]
    numbers = {endpoint: number for number, endpoint in enumerate(endpoints)}
    counting = threading.Lock()
    app.extensions[EXTENSION] = RequestCollector(meter, endpoints)

    def begin() -> None:
        given = request.headers.get("X-Request-Id", "") if trust_ids else ""
        g.request_id = given if GIVEN_ID.fullmatch(given) else secrets.token_hex(8)
        g.began = time.perf_counter()

    def end(response: Response) -> Response:
        seconds = time.perf_counter() - g.get("began", time.perf_counter())
        endpoint = request.endpoint or UNKNOWN
        number = numbers.get(endpoint, len(endpoints) - 1)
        with counting:
            meter.count(number, response.status_code, seconds)
        response.headers["X-Request-Id"] = g.get("request_id", "")
        if log.isEnabledFor(logging.INFO):
            log.info("request", extra={"facts": _facts(response, seconds)})
        return response

    before: list[object] = app.before_request_funcs.setdefault(None, [])  # type: ignore[assignment]
    before.insert(0, begin)
    app.after_request(end)


def collector() -> RequestCollector:
    """Give the counts of the running application."""
    found: RequestCollector = current_app.extensions[EXTENSION]
    return found


def _facts(response: Response, seconds: float) -> dict[str, object]:
    """Say what a request was without its address, which may hold a token."""
    rule = request.url_rule
    return {
        "request_id": g.get("request_id", ""),
        "method": request.method if request.method.isalpha() else "",
        "route": rule.rule if rule is not None else "",
        "status": response.status_code,
        "milliseconds": round(1000 * seconds, 1),
    }


blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
def healthz() -> ResponseReturnValue:
    """Answer 200 while the database does and answers can be stored in it."""
    engine = running_study().engine
    try:
        ask(engine)
        why = why_nothing_is_stored(engine)
    except (DBAPIError, NoConnectionError):
        return "database unavailable\n", 503, {"Content-Type": "text/plain"}
    if why:
        return f"{why}: no answer can be stored\n", 503, {"Content-Type": "text/plain"}
    return "ok\n", 200, {"Content-Type": "text/plain"}
