"""Participants: pseudonyms, the annotator ids they once signed with, and quotas."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass


@dataclass(frozen=True)
class Participant:
    """One person who may answer, known by a pseudonym only.

    `quota` is a hard limit on how many questions they answer, or None.
    """

    pseudonym: str
    annotator_ids: frozenset[str] = frozenset()
    quota: int | None = None


def same_identity(name: str) -> str:
    """Fold a pseudonym or annotator id so that one person has one spelling.

    >>> same_identity("  p01 ") == same_identity("P01")
    True
    """
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).strip().casefold())
