"""A statistic that has no value for these data is a result too: it says why."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Undefined:
    """What could not be computed, and the reason a reader is given.

    >>> Undefined("every answer was the same").reason
    'every answer was the same'
    """

    reason: str
