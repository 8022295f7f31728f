"""What can be wrong with an image: it is unusable for good, or its store is away for a moment."""

from __future__ import annotations

from sampling.study.errors import StudyError


class ImageUnusableError(StudyError):
    """Missing, truncated, too large or no image: blank for a participant, flagged for others."""


class ImageAwayError(StudyError):
    """Its store cannot be reached just now: nothing is wrong with the image, and it is tried again.

    A page that shows it says so and takes no answer without it.
    """
