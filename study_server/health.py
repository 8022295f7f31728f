"""Whether the server and its database are well, for a monitor."""

from __future__ import annotations

from flask import Blueprint
from flask.typing import ResponseReturnValue
from sqlalchemy.exc import DBAPIError

from study_server.configuration import running_study
from study_server.store.database import NoConnectionError, ask

blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
def healthz() -> ResponseReturnValue:
    """Answer 200 while the database does."""
    try:
        ask(running_study().engine)
    except (DBAPIError, NoConnectionError):
        return "database unavailable\n", 503, {"Content-Type": "text/plain"}
    return "ok\n", 200, {"Content-Type": "text/plain"}
