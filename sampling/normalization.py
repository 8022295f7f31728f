"""Normalisation: the one function through which references, people and models pass."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ScoringStatus(StrEnum):
    """Whether an answer can be read: `valid_oov` holds a label outside the vocabulary."""

    VALID = "valid"
    VALID_OOV = "valid_oov"
    INVALID = "invalid"


class Policy(StrEnum):
    """How forgiving the reading is: strict is the headline, lenient a declared sensitivity."""

    STRICT = "strict"
    LENIENT = "lenient"


@dataclass(frozen=True)
class NormalizedAnswer:
    """An answer as it is scored.

    `value` is a label (single, binary), a number (count), a sorted tuple of labels (multi),
    a text (text), or None when the answer is invalid, which `reason` then explains.
    """

    status: ScoringStatus
    value: str | int | tuple[str, ...] | None
    reason: str | None = None
