"""The pages around the work: language, consent, instructions, breaks, the end, withdrawal.

The participants' texts: Markdown by language and step, the study's own before the built-in.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from flask import redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from markdown_it import MarkdownIt
from markupsafe import Markup

from study_server.participant.access import Place, at_step, blueprint, visitor_required
from study_server.participant.languages import current_language
from study_server.participant.steps import Step
from study_server.store.answering.withdrawal import withdraw
from study_server.store.asking.participants import Visitor, finish, record_step
from study_server.store.assigning.slots import session_progress
from study_server.store.schema.database import reading, transaction
from study_server.store.schema.events import append_event
from study_server.web import clock
from study_server.web.configuration import running_study

FALLBACK = "en"
ANY_LANGUAGE = "*"

# The first line of a draft: it speaks to those who review the text.
_COMMENT = re.compile(r"\A<!--.*?-->\s*", re.DOTALL)
_renderer = MarkdownIt("commonmark", {"html": False})


@dataclass(frozen=True)
class ParticipantText:
    """A rendered text, and the language it is in."""

    html: Markup
    language: str


def participant_text(settings: Mapping[str, Any], step: str, language: str) -> ParticipantText:
    """Give the text of a step: in the language, else in English, else nothing."""
    own = settings.get("texts", {})
    for candidate in (language, ANY_LANGUAGE):
        if step in own.get(candidate, {}):
            found = language if candidate == ANY_LANGUAGE else candidate
            return ParticipantText(_render(own[candidate][step]), found)
    for candidate in (language, FALLBACK):
        text = _built_in(step, candidate)
        if text is not None:
            return ParticipantText(_render(text), candidate)
    return ParticipantText(Markup(""), FALLBACK)


@cache
def _built_in(step: str, language: str) -> str | None:
    """Read a text of the package."""
    file = resources.files("instructions") / language / f"{step}.md"
    return file.read_text(encoding="utf-8") if file.is_file() else None


@cache
def _render(text: str) -> Markup:
    """Render Markdown; a comment before it is left out, other HTML is shown as text."""
    return Markup(_renderer.render(_COMMENT.sub("", text)))  # noqa: S704 - the renderer escapes HTML


CODE_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
CODE_LENGTH = 10
LONGEST_REASON = 2_000


@blueprint.get("/language")
@visitor_required
def language(visitor: Visitor) -> ResponseReturnValue:
    """Ask for the language; the page is open at any time."""
    if visitor.state in {"withdrawn", "erased"}:
        return _onward()
    return render_template("participant/language.html", visitor=visitor)


@blueprint.post("/language")
@visitor_required
def choose_language(visitor: Visitor) -> ResponseReturnValue:
    study, chosen = running_study(), request.form.get("language", "")
    if chosen not in study.languages:
        return render_template("participant/language.html", visitor=visitor), 422
    with transaction(study.engine) as database:
        record_step(database, visitor.id, language=chosen)
    session["language"] = chosen
    return _onward()


@blueprint.get("/consent")
@at_step(Step.CONSENT)
def consent(visitor: Visitor, place: Place) -> ResponseReturnValue:
    return _page("consent", visitor=visitor, text=_text("consent"))


@blueprint.post("/consent")
@at_step(Step.CONSENT)
def give_consent(visitor: Visitor, place: Place) -> ResponseReturnValue:
    """Record which text was agreed to, and when."""
    study, at = running_study(), clock.now()
    if request.form.get("agree") != "yes":
        error = _("Tick the box to take part, or close this page.")
        return _page("consent", visitor=visitor, text=_text("consent"), error=error), 422
    version = study.settings["consent"]["version"]
    with transaction(study.engine) as database:
        record_step(database, visitor.id, consent_version=version, consented_at=at)
        subject = f"participant:{visitor.pseudonym}"
        append_event(
            database, at, subject, "participant.consented", subject, "", {"version": version}
        )
    return _onward()


@blueprint.get("/instructions")
@visitor_required
def instructions(visitor: Visitor) -> ResponseReturnValue:
    """Show the rules: first as a step, later at any time."""
    formats = sorted({str(item.format) for item in running_study().vocabularies.values()})
    return _page(
        "instructions",
        visitor=visitor,
        text=_text("instructions"),
        format_texts=[_text(f"format_{name}") for name in formats],
        first=visitor.instructions_seen_at is None,
    )


@blueprint.post("/instructions")
@at_step(Step.INSTRUCTIONS)
def finish_instructions(visitor: Visitor, place: Place) -> ResponseReturnValue:
    with transaction(running_study().engine) as database:
        record_step(database, visitor.id, instructions_seen_at=clock.now())
    return _onward()


@blueprint.get("/paused")
@at_step(Step.PAUSED)
def paused(visitor: Visitor, place: Place) -> ResponseReturnValue:
    return _page("paused", visitor=visitor)


@blueprint.get("/break")
@at_step(Step.BREAK)
def pause_between_sessions(visitor: Visitor, place: Place) -> ResponseReturnValue:
    """Offer a rest before the next session."""
    assert place.work is not None  # noqa: S101 - a break lies before more work
    with reading(running_study().engine) as database:
        following = session_progress(database, visitor.id, place.work.session)
    return _page(
        "break",
        visitor=visitor,
        text=_text("break"),
        next_session=place.work.session,
        sessions=following.sessions,
        following=following,
    )


@blueprint.post("/break")
@at_step(Step.BREAK)
def end_break(visitor: Visitor, place: Place) -> ResponseReturnValue:
    assert place.work is not None  # noqa: S101 - a break lies before more work
    with transaction(running_study().engine) as database:
        record_step(database, visitor.id, session_reached=place.work.session)
    return _onward()


@blueprint.get("/done")
@at_step(Step.DONE)
def done(visitor: Visitor, place: Place) -> ResponseReturnValue:
    """Thank, with a completion code that stays the same."""
    study, at = running_study(), clock.now()
    code = visitor.completion_code
    if code is None and not visitor.preview and visitor.answered_count:
        made = "".join(secrets.choice(CODE_LETTERS) for _letter in range(CODE_LENGTH))
        with transaction(study.engine) as database:
            code = finish(database, visitor.id, made, at)
    address = study.settings["server"]["completion_url"]
    return _page("done", visitor=visitor, text=_text("thanks"), code=code, address=address)


@blueprint.get("/withdraw")
@visitor_required
def ask_withdrawal(visitor: Visitor) -> ResponseReturnValue:
    if visitor.state in {"withdrawn", "erased"}:
        return _onward()
    return _page("withdraw", visitor=visitor)


@blueprint.post("/withdraw")
@visitor_required
def confirm_withdrawal(visitor: Visitor) -> ResponseReturnValue:
    """Take the participant out of the study at once."""
    if not visitor.preview:
        subject = f"participant:{visitor.pseudonym}"
        with transaction(running_study().engine) as database:
            withdraw(database, visitor.id, clock.now(), subject)
    return _onward()


@blueprint.get("/withdrawn")
@at_step(Step.WITHDRAWN)
def withdrawn(visitor: Visitor, place: Place) -> ResponseReturnValue:
    return _page("withdrawn", visitor=visitor, text=_text("withdrawn"))


def _text(step: str) -> object:
    return participant_text(running_study().settings, step, current_language())


def _page(name: str, **context: object) -> str:
    return render_template(f"participant/{name}.html", **context)


def _onward() -> ResponseReturnValue:
    return redirect(url_for("participant.start"), 303)
