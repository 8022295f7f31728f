"""Participants: pseudonyms, the annotator ids they once signed with, and quotas."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

# Format and control characters: zero width blanks and joiners, directions, byte order marks.
INVISIBLE = frozenset({"Cf", "Cc"})


@dataclass(frozen=True)
class Participant:
    """One person who may answer, known by a pseudonym only.

    `quota` is a hard limit on how many questions they answer, or None.
    """

    pseudonym: str
    annotator_ids: frozenset[str] = frozenset()
    quota: int | None = None


def same_annotator(name: str) -> str:
    r"""Fold an annotator id so that what looks the same is the same: nobody answers their own.

    Beyond `same_identity`, width, invisible characters and all white space are not looked at,
    which a paste from a page or a spreadsheet may have added.

    >>> same_annotator("Anna\u200b") == same_annotator("\xa0 anna"), same_annotator("A 01")
    (True, 'a01')
    """
    folded = unicodedata.normalize("NFKC", name).casefold()
    seen = (one for one in folded if unicodedata.category(one) not in INVISIBLE)
    return unicodedata.normalize("NFKC", "".join(one for one in seen if not one.isspace()))


def same_identity(name: str) -> str:
    """Fold a pseudonym or annotator id so that one person has one spelling.

    >>> same_identity("  p01 ") == same_identity("P01")
    True
    """
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).strip().casefold())
