"""Whether the server and its database are well, for a monitor."""

from __future__ import annotations

from flask import Blueprint
from flask.typing import ResponseReturnValue
from sqlalchemy.exc import DBAPIError

from study_server.store.schema.database import NoConnectionError, ask, lacks_space
from study_server.web.configuration import running_study

DISK_FULL = "disk full: no answer can be stored\n"
blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
def healthz() -> ResponseReturnValue:
    """Answer 200 while the database does and answers can be stored in it."""
    engine = running_study().engine
    try:
        ask(engine)
        full = lacks_space(engine)
    except (DBAPIError, NoConnectionError):
        return "database unavailable\n", 503, {"Content-Type": "text/plain"}
    if full:
        return DISK_FULL, 503, {"Content-Type": "text/plain"}
    return "ok\n", 200, {"Content-Type": "text/plain"}
