"""Takes a submitted answer to the place its slot token names: a slot, a check, or a preview."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from sampling.answers.normalization import Policy, normalize, normalize_reference
from sampling.answers.vocabularies import Vocabulary
from sampling.study.definition import TextTable
from study_server.participant.answer_forms import (
    FieldError,
    Form,
    Raw,
    read_adjustments,
    read_answer,
    read_comment,
    read_confidence,
    read_seconds,
)
from study_server.participant.question_view import option_order
from study_server.store.answering.answers import Outcome, submit_at_once
from study_server.store.answering.submissions import Submission, SubmissionConflictError
from study_server.store.answering.work import (
    ATTENTION,
    PREVIEW_TOKEN,
    NextWork,
    next_work,
    slot_work,
)
from study_server.store.asking.participants import Visitor, record_step
from study_server.store.asking.practice_and_attention import (
    OutsideView,
    outside_view,
    record_outside_answer,
)
from study_server.store.assigning.slots import SlotView, released_view, slot_view
from study_server.store.schema.database import glancing, transaction
from study_server.store.schema.moments import Database
from study_server.web.configuration import RunningStudy, running_study

LONGEST_KEY = 64
FIRST_ATTEMPT = 1


@dataclass(frozen=True)
class Received:
    """What became of a submission: an outcome, a field to correct, or why it was not taken."""

    outcome: Outcome | None = None
    error: FieldError | None = None
    problem: str | None = None
    work: NextWork | None = None


def receive_answer(
    visitor: Visitor, form: Form, at: datetime, slot: SlotView | None = None
) -> Received:
    """Check a submitted form against its question, then store it once.

    `slot` is the participant's own slot that the form names, where it was read already.
    """
    study = running_study()
    key = form.get("key", "")
    if not 0 < len(key) <= LONGEST_KEY:
        return Received(problem="unknown")
    work = None if slot is None or visitor.preview else slot_work(slot)
    if work is None:
        with glancing(study.engine) as database:
            work = _work_of(database, visitor, form.get("slot", ""), study, at)
    if work is None:
        return Received(problem="unknown")
    vocabulary = study.vocabularies[work.source, work.category]
    raw = read_answer(form, vocabulary)
    if isinstance(raw, FieldError):
        return Received(error=raw, work=work)
    if work.kind == ATTENTION:
        if visitor.study_state == "closed":
            return Received(problem="unknown")
        confidence = read_confidence(form, study.settings["server"]["confidence"])
        if isinstance(confidence, FieldError):
            return Received(error=confidence, work=work)
        return _receive_attention(study, visitor, work, vocabulary, raw, at)
    if visitor.preview:
        return _receive_preview(study, visitor, work)
    return _receive_slot(study, visitor, work, vocabulary, raw, form, at)


def is_correct(raw: Raw, key: object, vocabulary: Vocabulary, rules: TextTable) -> bool:
    """Judge an answer by its key with the one normalisation everything is scored by.

    >>> from sampling.answers.vocabularies import AnswerFormat
    >>> is_correct(5, "5", Vocabulary("Lines", AnswerFormat.COUNT), TextTable())
    True
    """
    given = normalize(raw, vocabulary, Policy.STRICT, rules)
    return given.value == normalize_reference(key, vocabulary, Policy.STRICT, rules).value


def _work_of(
    database: Database, visitor: Visitor, token: str, study: RunningStudy, at: datetime
) -> NextWork | None:
    """Find the question that a form's slot token belongs to, for this participant only."""
    if visitor.preview:
        work = next_work(database, visitor, None, study.settings, at)
        return work if token.startswith(PREVIEW_TOKEN) else None
    slot = slot_view(database, token, visitor.id) or released_view(database, token, visitor.id)
    if slot is not None:
        return slot_work(slot)
    attention = outside_view(database, token, ATTENTION) if study.settings.get(ATTENTION) else None
    return None if attention is None else attention_work(attention)


def attention_work(view: OutsideView, session: int = 1) -> NextWork:
    """Show an attention question as work."""
    return NextWork(
        ATTENTION,
        view.public_id,
        session,
        ATTENTION,
        view.category,
        view.question_en,
        view.image,
        view.width,
        view.height,
    )


def _receive_slot(
    study: RunningStudy,
    visitor: Visitor,
    work: NextWork,
    vocabulary: Vocabulary,
    raw: Raw,
    form: Form,
    at: datetime,
) -> Received:
    """Store an answer to a slot."""
    server = study.settings["server"]
    confidence = read_confidence(form, server["confidence"])
    if isinstance(confidence, FieldError):
        return Received(error=confidence, work=work)
    submission = Submission(
        slot=work.public_id,
        key=form["key"],
        raw_response=raw,
        option_order=option_order(study, visitor, vocabulary) or None,
        active_seconds=read_seconds(form),
        confidence=confidence,
        comment=read_comment(form, server["comments"]),
        adjustments=read_adjustments(form, server["image_adjustments"]),
    )
    try:
        outcome = submit_at_once(study.engine, visitor.id, submission, work.shown_at, at)
    except SubmissionConflictError:
        return Received(problem="unknown")
    if outcome in {Outcome.REFUSED, Outcome.UNKNOWN}:
        return Received(problem=str(outcome))
    return Received(outcome)


def _receive_attention(
    study: RunningStudy,
    visitor: Visitor,
    work: NextWork,
    vocabulary: Vocabulary,
    raw: Raw,
    at: datetime,
) -> Received:
    """Judge an attention question, once."""
    with transaction(study.engine) as database:
        view = outside_view(database, work.public_id, ATTENTION)
        if view is None:
            return Received(problem="unknown")
        correct = is_correct(raw, view.key, vocabulary, study.text_rules)
        record_outside_answer(database, visitor.id, view.id, FIRST_ATTEMPT, raw, correct, at)
    return Received(Outcome.SAVED)


def leave_attention(
    database: Session, visitor: Visitor, token: str, why: str, words: str, at: datetime
) -> bool:
    """Leave an attention question as one leaves any other; it is judged neither right nor wrong.

    What was written stays with the answers of its kind.
    """
    study = running_study()
    view = outside_view(database, token, ATTENTION) if study.settings.get(ATTENTION) else None
    if view is None or visitor.preview:
        return False
    left = {"left": why, "words": words}
    record_outside_answer(database, visitor.id, view.id, FIRST_ATTEMPT, left, False, at)
    return True


def _receive_preview(study: RunningStudy, visitor: Visitor, work: NextWork) -> Received:
    """Go on in a preview: nothing is stored."""
    position = int(work.public_id.removeprefix(PREVIEW_TOKEN)) + 1
    with transaction(study.engine) as database:
        record_step(database, visitor.id, preview_position=position)
    return Received(Outcome.SAVED)
