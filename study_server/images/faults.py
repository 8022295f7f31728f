"""The fault of an image that no participant can be shown."""

from __future__ import annotations

from sampling.errors import StudyError


class ImageUnusableError(StudyError):
    """Missing, truncated, too large or no image: blank for a participant, flagged for others."""
