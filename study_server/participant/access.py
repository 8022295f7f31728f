"""Who is signed in, and the guard that leads everyone to the page where they are.

The participants' blueprint: every page a personal link leads to.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from flask import Blueprint, g, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from study_server.participant.languages import language_may_differ
from study_server.participant.steps import Step, preparation_step, work_step
from study_server.store.answering.work import Arrival, NextWork, arrive, arrive_with, next_work
from study_server.store.asking.participants import Visitor, visitor_by_link
from study_server.store.assigning.slots import SlotView
from study_server.store.schema.database import Glance, glancing
from study_server.store.schema.moments import Database
from study_server.web import clock
from study_server.web.configuration import RunningStudy, running_study

blueprint = Blueprint("participant", __name__)


PAGES = {
    Step.WITHDRAWN: "participant.withdrawn",
    Step.LANGUAGE: "participant.language",
    Step.CONSENT: "participant.consent",
    Step.INSTRUCTIONS: "participant.instructions",
    Step.PRACTICE: "participant.practice",
    Step.ENDED: "participant.practice_ended",
    Step.PAUSED: "participant.paused",
    Step.BREAK: "participant.pause_between_sessions",
    Step.QUESTION: "participant.question",
    Step.DONE: "participant.done",
}
SIGNED_OUT = 401


@dataclass(frozen=True)
class Place:
    """Where a visitor is: the step, and for the work what comes next."""

    step: Step
    work: NextWork | None = None


def sign_in(link_id: int, participant_id: int) -> None:
    """Start a session of a participant; whoever was signed in here before is no longer."""
    for name in ("participant", "link"):
        session.pop(name, None)
    session.permanent = True
    session["participant"] = participant_id
    session["link"] = link_id


def load_visitor(database: Database) -> Visitor | None:
    """Give who is signed in, and keep it for this request."""
    participant_id, link_id = session.get("participant"), session.get("link")
    if not isinstance(participant_id, int) or not isinstance(link_id, int):
        return None
    visitor = visitor_by_link(database, link_id, participant_id)
    _is_here(visitor)
    return visitor


def load_arrival(database: Database, slot: str | None = None) -> Arrival | None:
    """Give who is signed in with the slot they are at, or with the one that a form names."""
    participant_id, link_id = session.get("participant"), session.get("link")
    if not isinstance(participant_id, int) or not isinstance(link_id, int):
        return None
    if slot is None:
        found = arrive(database, link_id, participant_id)
    else:
        found = arrive_with(database, link_id, participant_id, slot)
    _is_here(None if found is None else found.visitor)
    return found


def _is_here(visitor: Visitor | None) -> None:
    """Keep who is signed in for this request, and read on in their language."""
    g.visitor = visitor
    language_may_differ()


def find_place(
    database: Database, visitor: Visitor, slot: SlotView | None, study: RunningStudy
) -> Place:
    """Decide where a visitor is, whose first unanswered slot this is."""
    step = preparation_step(visitor, study.settings)
    if step is not None:
        return Place(step)
    work = next_work(database, visitor, slot, study.settings, clock.now())
    return Place(work_step(visitor, None if work is None else work.session), work)


def visitor_required(view: Callable[..., ResponseReturnValue]) -> Callable[..., Any]:
    """Show a page to a signed-in participant only; others learn how to sign in."""

    @wraps(view)
    def guarded(**arguments: Any) -> ResponseReturnValue:
        with glancing(running_study().engine) as database:
            visitor = load_visitor(database)
        if visitor is None:
            return signed_out()
        return view(visitor, **arguments)

    return guarded


def at_step(
    *steps: Step, arriving: Callable[[Glance, Visitor, Place], None] | None = None
) -> Callable[[Callable[..., ResponseReturnValue]], Callable[..., Any]]:
    """Show a page only to who is at one of these steps, and lead everyone else to theirs.

    `arriving` may note something on the connection by which their place was found.
    """

    def decorate(view: Callable[..., ResponseReturnValue]) -> Callable[..., Any]:
        @wraps(view)
        def guarded(**arguments: Any) -> ResponseReturnValue:
            study = running_study()
            with glancing(study.engine) as database:
                here = load_arrival(database)
                if here is None:
                    return signed_out()
                place = find_place(database, here.visitor, here.slot, study)
                if arriving is not None and place.step in steps and request.method != "HEAD":
                    arriving(database, here.visitor, place)
            if place.step not in steps:
                return redirect(url_for(PAGES[place.step]), 303)
            return view(here.visitor, place, **arguments)

        return guarded

    return decorate


def signed_out() -> ResponseReturnValue:
    """Say how to sign in, as a page or for the page's own script."""
    if wants_json():
        return {"problem": "signed_out"}, SIGNED_OUT
    return render_template("participant/signed_out.html"), SIGNED_OUT


def wants_json() -> bool:
    """Tell whether a page's script asks, not a person."""
    return request.accept_mimetypes.best == "application/json"
