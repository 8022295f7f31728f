"""Practice: questions outside the sample, with feedback, and a gate where the study has one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from sampling.answers.normalization import Policy, normalize_reference
from sampling.answers.vocabularies import AnswerFormat, Vocabulary
from sampling.study.definition import MAX_ROUNDS, TextTable
from study_server.participant.access import Place, at_step, blueprint, visitor_required, wants_json
from study_server.participant.answer_forms import FieldError, read_answer
from study_server.participant.languages import current_language
from study_server.participant.pages import participant_text
from study_server.participant.question_view import view_question
from study_server.participant.receiving import is_correct
from study_server.participant.steps import Step
from study_server.store.answering.work import NextWork
from study_server.store.asking.participants import Visitor, record_step
from study_server.store.asking.practice_and_attention import (
    OutsideView,
    Practice,
    end_practice,
    judged_answer,
    outside_view,
    practice_of,
    record_outside_answer,
)
from study_server.store.schema.database import reading, transaction
from study_server.web import clock
from study_server.web.configuration import running_study

PRACTICE = "practice"


@blueprint.get("/practice")
@at_step(Step.PRACTICE)
def practice(visitor: Visitor, place: Place) -> ResponseReturnValue:
    """Show the next practice question."""
    with reading(running_study().engine) as database:
        state = practice_of(database, visitor.id)
    if state.following is None or _passes(state):
        return _finish(visitor)
    if _is_over(state):
        with transaction(running_study().engine) as database:
            end_practice(database, visitor.id, clock.now())
        return redirect(url_for("participant.start"), 303)
    return _show(visitor, state, state.following)


@blueprint.post("/practice")
@at_step(Step.PRACTICE)
def answer_practice(visitor: Visitor, place: Place) -> ResponseReturnValue:
    """Judge a practice answer and show the feedback."""
    study = running_study()
    with reading(study.engine) as database:
        state = practice_of(database, visitor.id)
    view = state.following
    if view is None or request.form.get("slot") != view.public_id:
        return redirect(url_for("participant.practice"), 303)
    vocabulary = study.vocabularies[PRACTICE, view.category]
    raw = read_answer(request.form, vocabulary)
    if isinstance(raw, FieldError):
        if wants_json():
            return {"field": raw.field, "message": raw.message}, 422
        return _show(visitor, state, view, raw), 422
    correct = is_correct(raw, view.key, vocabulary, study.text_rules)
    with transaction(study.engine) as database:
        record_outside_answer(
            database, visitor.id, view.id, state.attempt, raw, correct, clock.now()
        )
        after = practice_of(database, visitor.id)
        if _passes(after):
            record_step(database, visitor.id, practice_passed_at=clock.now())
        elif _is_over(after):
            end_practice(database, visitor.id, clock.now())
    address = url_for("participant.feedback", token=view.public_id, attempt=state.attempt)
    if wants_json():
        return {"saved": "saved", "next": address}
    return redirect(address, 303)


@blueprint.get("/practice/<token>/<int:attempt>")
@visitor_required
def feedback(visitor: Visitor, token: str, attempt: int) -> ResponseReturnValue:
    """Show what was answered and what would have been right."""
    study = running_study()
    with reading(study.engine) as database:
        view = outside_view(database, token, PRACTICE)
        judged = None if view is None else judged_answer(database, visitor.id, view.id, attempt)
        state = practice_of(database, visitor.id)
    if view is None or judged is None:
        return redirect(url_for("participant.start"), 303)
    vocabulary = study.vocabularies[PRACTICE, view.category]
    glosses = vocabulary.gloss.get(current_language(), {})
    key = _as_shown(view.key, vocabulary, study.text_rules)
    hints = [vocabulary.help[label] for label in key if label and label in vocabulary.help]
    return render_template(
        "participant/feedback.html",
        visitor=visitor,
        view=view_question(study, visitor, _work(view), current_language()),
        answer=_words(judged.raw_response, glosses),
        key=_words(key, glosses),
        why=[view.feedback] if view.feedback else hints,
        correct=judged.correct,
        finished=visitor.practice_passed_at is not None,
        ended=visitor.practice_passed_at is None and visitor.practice_ended_at is not None,
        done=state.total if attempt < state.attempt else state.done,
        is_last=state.last_correct is not None and attempt == state.rounds_done,
        state=state,
        **_gate(state),
    )


@blueprint.get("/ended")
@at_step(Step.ENDED)
def practice_ended(visitor: Visitor, place: Place) -> ResponseReturnValue:
    """Thank somebody who cannot take part, and say why."""
    with reading(running_study().engine) as database:
        state = practice_of(database, visitor.id)
    return render_template("participant/ended.html", visitor=visitor, state=state, **_gate(state))


def _gate(state: Practice) -> dict[str, int | None]:
    """Give what must be reached, and within how many rounds."""
    settings = running_study().settings[PRACTICE]
    return {
        "needed": state.needed(settings["pass_mark"]),
        "rounds": settings.get("max_rounds", MAX_ROUNDS),
    }


def _is_over(state: Practice) -> bool:
    """Tell whether the last round there is has just ended."""
    rounds = _gate(state)["rounds"] or 0
    return state.last_correct is not None and state.rounds_done >= rounds


def _passes(state: Practice) -> bool:
    """Tell whether the attempt that just ended is enough."""
    if state.last_correct is None:
        return state.total == 0
    needed = _gate(state)["needed"]
    return needed is None or state.last_correct >= needed


def _finish(visitor: Visitor) -> ResponseReturnValue:
    """Let a participant pass who has nothing to practise."""
    with transaction(running_study().engine) as database:
        record_step(database, visitor.id, practice_passed_at=clock.now())
    return redirect(url_for("participant.start"), 303)


def _show(
    visitor: Visitor, state: Practice, view: OutsideView, error: FieldError | None = None
) -> str:
    """Render a practice question."""
    study = running_study()
    typed = {**request.form.to_dict(), "answer": request.form.getlist("answer")}
    return render_template(
        "participant/question.html",
        visitor=visitor,
        view=view_question(study, visitor, _work(view), current_language(), typed),
        server={**study.settings["server"], "confidence": False, "comments": False},
        text_rules=study.settings["text"],
        practice=state,
        gate=_gate(state),
        intro=participant_text(study.settings, PRACTICE, current_language()),
        typed=typed,
        error=error,
        action=url_for("participant.answer_practice"),
    )


def _work(view: OutsideView) -> NextWork:
    return NextWork(
        PRACTICE,
        view.public_id,
        1,
        PRACTICE,
        view.category,
        view.question_en,
        view.image,
        view.width,
        view.height,
    )


def _as_shown(key: Any, vocabulary: Vocabulary, rules: TextTable) -> list[str]:
    """Write a key with the labels that the question offers, whatever alias stands in the file."""
    if vocabulary.format is AnswerFormat.TEXT:
        return [str(key)]
    value = normalize_reference(key, vocabulary, Policy.STRICT, rules).value
    labels = value if isinstance(value, tuple) else (key if value is None else value,)
    return [str(label) for label in labels]


def _words(value: object, glosses: Mapping[str, str]) -> list[str]:
    """Write an answer as the participant reads it."""
    values = value if isinstance(value, list) else [value]
    return [glosses.get(str(item), str(item)) or _("Nothing can be read") for item in values]
