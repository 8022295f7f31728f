"""Opens image files: the one place that says how large a picture may be."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from PIL import Image, UnidentifiedImageError

# Leaves are scanned large: a metre at 1,200 dpi is 47,000 pixels long.
MOST_PIXELS = 400_000_000
UNREADABLE = (OSError, SyntaxError, ValueError, IndexError, Image.DecompressionBombError)
# Pillow warns above its mark, and refuses above twice that.
Image.MAX_IMAGE_PIXELS = MOST_PIXELS // 2


@contextmanager
def open_picture(
    source: Path | IO[bytes], formats: tuple[str, ...] | None = None
) -> Iterator[Image.Image]:
    """Open an image of up to `MOST_PIXELS` without a warning; only its head is read.

    Raises
    ------
    One of `UNREADABLE`
        What is wrong, for `explain_unreadable` to say.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        with Image.open(source, formats=formats) as picture:
            yield picture


def explain_unreadable(error: Exception) -> str:
    """Say what is wrong with an image file, and what to do.

    >>> explain_unreadable(OSError("image file is truncated"))
    'is cut off; copy it again from its source'
    >>> explain_unreadable(OSError("broken data stream"))
    'cannot be read (broken data stream); replace the file'
    >>> explain_unreadable(Image.DecompressionBombError())
    'has more than 400 million pixels; make it smaller'
    """
    if isinstance(error, UnidentifiedImageError):
        return "is no image; replace the file"
    if isinstance(error, Image.DecompressionBombError):
        return f"has more than {MOST_PIXELS // 1_000_000} million pixels; make it smaller"
    if "truncated" in str(error).casefold():
        return "is cut off; copy it again from its source"
    return f"cannot be read ({error}); replace the file"
