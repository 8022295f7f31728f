"""Where a participant is: decided by the server alone, whatever page they ask for."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from study_server.store.asking.participants import GONE, Visitor


class Step(StrEnum):
    """The steps of the way through; each is the name of its page."""

    WITHDRAWN = "withdrawn"
    LANGUAGE = "language"
    CONSENT = "consent"
    INSTRUCTIONS = "instructions"
    PRACTICE = "practice"
    ENDED = "ended"
    PAUSED = "paused"
    BREAK = "break"
    QUESTION = "question"
    DONE = "done"


# The step is decided without looking at the next slot, or it lies among these.
WORK = (Step.BREAK, Step.QUESTION, Step.DONE)


def preparation_step(visitor: Visitor, settings: Mapping[str, Any]) -> Step | None:
    """Give the step before the work begins, or None when the participant may work."""
    if visitor.state in GONE:
        return Step.WITHDRAWN
    languages = settings["server"]["languages"]
    if visitor.language not in languages and len(languages) > 1:
        return Step.LANGUAGE
    if visitor.study_state == "closed":
        return Step.DONE
    consent = settings["consent"]
    if consent["required"] and visitor.consent_version != consent["version"]:
        return Step.CONSENT
    if visitor.instructions_seen_at is None:
        return Step.INSTRUCTIONS
    if settings.get("practice") and visitor.practice_passed_at is None:
        return Step.PRACTICE if visitor.practice_ended_at is None else Step.ENDED
    if visitor.state == "paused" or visitor.study_state == "paused":
        return Step.PAUSED
    return None


def work_step(visitor: Visitor, next_session: int | None) -> Step:
    """Give the step of a participant who may work: `next_session` is that of the next slot."""
    if next_session is None:
        return Step.DONE
    if next_session > visitor.session_reached:
        return Step.BREAK
    return Step.QUESTION
