"""The coordinators' blueprint: every page under /coordinator, each behind the same guard."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from flask import Blueprint, abort, g, render_template
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from sampling.study.errors import StudyError
from study_server.coordinator import access, dashboard, lists, quality_pages, steering
from study_server.coordinator.access import PATH, require_account
from study_server.coordinator.progress import since_text
from study_server.web import clock
from study_server.web.configuration import running_study
from study_server.web.static_files import static_address

SECTIONS = (
    access.blueprint,
    dashboard.blueprint,
    quality_pages.blueprint,
    lists.people_blueprint,
    steering.blueprint,
    lists.log_blueprint,
    lists.exports_blueprint,
    lists.metrics_blueprint,
)


def coordinator_pages() -> Blueprint:
    """Put the sections together; nothing under this address is open by default."""
    blueprint = Blueprint("coordinator", __name__, url_prefix=PATH)
    blueprint.before_request(require_account)
    for section in SECTIONS:
        blueprint.register_blueprint(section)
    blueprint.add_url_rule("/<path:anything>", "nowhere", _nowhere, methods=["GET", "POST"])
    blueprint.context_processor(_context)
    blueprint.register_error_handler(StudyError, _study_error)
    blueprint.register_error_handler(HTTPException, _http_error)
    blueprint.add_app_template_filter(_day, "day")
    blueprint.add_app_template_filter(_moment, "moment")
    blueprint.add_app_template_filter(_ago, "ago")
    blueprint.add_app_template_filter(_shown, "shown")
    blueprint.add_app_template_filter(_percent, "percent")
    blueprint.add_app_template_filter(_counted, "counted")
    return blueprint


def _nowhere(anything: str) -> ResponseReturnValue:
    """Say in the coordinators' own words that an address leads nowhere."""
    abort(404)


def _context() -> dict[str, Any]:
    """Give what every page shows; the state of the study only to those who are signed in."""
    return {
        "asset": static_address,
        "study_name": running_study().name,
        "study_state": g.get("study_state"),
        "account": g.get("account"),
    }


def _study_error(error: StudyError) -> ResponseReturnValue:
    """Say what is wrong and that nothing was changed."""
    return render_template("coordinator/error.html", problems=error.problems), 409


def _http_error(error: HTTPException) -> ResponseReturnValue:
    code = error.code or 500
    if code < 400:
        return error.get_response()
    return render_template("coordinator/error.html", code=code, request_id=g.request_id), code


def _day(moment: datetime) -> str:
    """Write a day as people say it; on the same day, the hour."""
    if (moment - clock.now()).total_seconds() < 24 * 3600:
        return f"{moment:%d %b, %H:%M} UTC".lstrip("0")
    return f"{moment:%d %B %Y}".lstrip("0")


def _moment(moment: datetime | str) -> str:
    if isinstance(moment, str):
        moment = datetime.fromisoformat(moment)
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC"


def _ago(moment: datetime | None) -> str:
    return since_text(moment, clock.now())


def _shown(value: str, field: str) -> str:
    """Give the name that the study declares for a collection or category."""
    display = running_study().settings.get("display", {})
    return str(display.get(field, {}).get(value, value))


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _counted(number: int, thing: str) -> str:
    """Write a number with what it counts.

    >>> _counted(1, "answer"), _counted(1200, "answer")
    ('1 answer', '1,200 answers')
    """
    return f"{number:,} {thing}{'' if number == 1 else 's'}"
