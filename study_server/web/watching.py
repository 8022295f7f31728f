"""Watches every request: its id, how long it took, one line in the log, one count."""

from __future__ import annotations

import logging
import re
import secrets
import threading
import time

from flask import Flask, Response, current_app, g, request

from study_server.web.logs import log
from study_server.web.metrics import MOST_ENDPOINTS, Meter, RequestCollector

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
