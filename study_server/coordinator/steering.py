"""Interventions on the web: rehearsed, confirmed with a reason, done once, told in the log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from sampling.assignment.roster import looks_like_a_name, looks_like_contact, next_pseudonym
from sampling.study.errors import StudyError
from study_server.coordinator.access import actor, current_account
from study_server.coordinator.forecast import Outlook, outlook
from study_server.coordinator.frozen import frozen_state
from study_server.coordinator.interventions import Intervention, NoTakerError
from study_server.coordinator.lists import download_name
from study_server.coordinator.offered import OFFERED
from study_server.folder.inviting import links_file
from study_server.store.asking.participants import hold_everyone, without_link
from study_server.store.assigning.run_state import load_run_state
from study_server.store.schema.backup import compact
from study_server.store.schema.database import reading, transaction
from study_server.store.steering.coordination import Decision, preview_link
from study_server.web import clock
from study_server.web.configuration import running_study

SHORTEST_REASON = 3
LONGEST_REASON = 300
SUBJECTS = ("participant", "question", "problem")
blueprint = Blueprint("steering", __name__)


@dataclass(frozen=True)
class Rehearsal:
    """What an intervention would do: its sentence and the outlook after it, or what is wrong.

    `no_taker` says that others would need more room for it, and `limit` how much would do.
    """

    message: str = ""
    outlook: Outlook | None = None
    problems: tuple[str, ...] = ()
    no_taker: bool = False
    limit: int | None = None


@blueprint.get("/steer")
def page() -> ResponseReturnValue:
    """Show what can be done to the study as a whole."""
    study = running_study()
    with reading(study.engine) as session:
        state = load_run_state(session)
        return render_template(
            "coordinator/steer.html",
            outlook=outlook(state),
            state=state,
            frozen=frozen_state(session, study),
            waiting=len(without_link(session)),
        )


@blueprint.get("/steer/limits-to/<int:limit>")
def limits(limit: int) -> ResponseReturnValue:
    """Lead from a suggestion to its confirmation."""
    return redirect(url_for("coordinator.steering.confirm", name="limits", limit=limit), 303)


@blueprint.get("/steer/<name>")
def confirm(name: str) -> ResponseReturnValue:
    """Say what an intervention would change, and ask for the reason."""
    return _confirmation(name, _intervention(name), request.args)


@blueprint.post("/steer/<name>")
def carry_out(name: str) -> ResponseReturnValue:
    """Do it, once, and say how things stand afterwards; with `step=rehearse`, only show it."""
    study, intervention = running_study(), _intervention(name)
    if request.form.get("step") == "rehearse":
        return _confirmation(name, intervention, request.form)
    reason = request.form.get("reason", "").strip()
    problem = _reason_problem(reason) or _unconfirmed(request.form, reason)
    if problem:
        return _confirmation(name, intervention, request.form, (problem,)), 400
    try:
        with transaction(study.engine) as session:
            hold_everyone(session)
            decision = Decision(clock.now(), actor(), reason)
            done = intervention.apply(session, request.form, decision)
            after = outlook(load_run_state(session))
    except StudyError as error:
        return _confirmation(name, intervention, request.form, error.problems), 409
    if name == "erase":
        compact(study.engine)
    if done.links:
        return render_template(
            "coordinator/link.html",
            done=done,
            outlook=after,
            file=quote(links_file(done.links)),
            name=download_name("links.csv", study.name, study.public_id),
        )
    flash(f"{done.message} {after.headline}")
    return redirect(_back(intervention, name, request.form), 303)


@blueprint.post("/preview")
def preview() -> ResponseReturnValue:
    """Start looking at the pages as a participant; it holds no slot and is never exported."""
    with transaction(running_study().engine) as session:
        decision = Decision(clock.now(), actor(), "")
        token = preview_link(session, current_account().name, decision)
    return redirect(url_for("participant.personal_link", token=token), 303)


def _confirmation(
    name: str,
    intervention: Intervention,
    form: Mapping[str, str],
    problems: tuple[str, ...] = (),
) -> str:
    asked = [field for field in intervention.fields if field[3] and not form.get(field[0])]
    rehearsal = None if asked else _rehearse(intervention, form)
    told = () if rehearsal is None else rehearsal.problems
    with reading(running_study().engine) as session:
        state = load_run_state(session)
        before = outlook(state)
    if name == "add" and not form.get("pseudonym"):
        form = {**form, "pseudonym": next_pseudonym(one.pseudonym for one in state.people)}
    return render_template(
        "coordinator/confirm.html",
        name=name,
        intervention=intervention,
        form=form,
        subject=next((form[one] for one in SUBJECTS if form.get(one)), None),
        problems=[one for one in problems if one not in told],
        doubt=_unconfirmed(form, form.get("reason", "")),
        rehearsal=rehearsal,
        before=before,
        subjects=[(one, form[one]) for one in SUBJECTS if form.get(one)],
        back=_back(intervention, name, form),
    )


def _rehearse(intervention: Intervention, form: Mapping[str, str]) -> Rehearsal:
    """Do it in a transaction that is rolled back: what is shown is what would happen."""
    study, try_out = running_study(), intervention.rehearse or intervention.apply
    try:
        with transaction(study.engine) as session:
            hold_everyone(session)
            done = try_out(session, form, Decision(clock.now(), actor(), ""))
            session.flush()
            after = outlook(load_run_state(session))
            session.rollback()
    except NoTakerError as error:
        return Rehearsal(problems=error.problems, no_taker=True, limit=error.limit)
    except StudyError as error:
        return Rehearsal(problems=error.problems)
    return Rehearsal(done.would or done.message, after)


def _reason_problem(reason: str) -> str:
    """Say what is wrong with a reason, if anything."""
    if len(reason) < SHORTEST_REASON:
        return "Write a reason: the log keeps it, and so does the report."
    if len(reason) > LONGEST_REASON:
        return f"The reason is longer than {LONGEST_REASON} characters."
    return ""


def _unconfirmed(form: Mapping[str, str], reason: str) -> str:
    """Question what may say who somebody is, until it is confirmed: the log is for ever."""
    if form.get("anonymous") == "yes":
        return ""
    if looks_like_contact(reason):
        return (
            "The reason looks as if it held contact details. The log keeps it for ever: change it, "
            "or tick that it names nobody."
        )
    if looks_like_a_name(form.get("pseudonym", "").strip()):
        return (
            "The pseudonym looks like a person’s name. The log keeps it for ever: change it, or "
            "tick that it names nobody."
        )
    return ""


def _intervention(name: str) -> Intervention:
    if name not in OFFERED:
        abort(404)
    return OFFERED[name]


def _back(intervention: Intervention, name: str, form: Mapping[str, str]) -> str:
    """Give the page that an intervention belongs to."""
    if intervention.about == "participant" and form.get("participant"):
        return url_for("coordinator.people.person", pseudonym=form["participant"])
    if intervention.about == "question" and form.get("question"):
        return url_for("coordinator.dashboard.question", sample_id=form["question"])
    if intervention.about == "problem":
        return url_for("coordinator.dashboard.overview")
    return url_for("coordinator.steering.page")
