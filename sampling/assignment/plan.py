"""The plan: who answers which question, in which session and at which position."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Slot:
    """One of the k places for an answer to a question, given to one participant.

    `response_index` runs from 1 to k within a question; `session` from 1; `position` from 1
    within a participant, across sessions.
    """

    participant: str
    sample_id: str
    response_index: int
    session: int
    position: int
