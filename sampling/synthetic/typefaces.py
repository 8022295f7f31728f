"""Typefaces of the synthetic folios: web fonts read once and opened for shaping and outlines."""

from __future__ import annotations

import importlib
import io
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from typing import Any

from sampling.study.errors import StudyError

# Only the demonstration draws: both come with the `demo` extra.
hb: Any = importlib.import_module("uharfbuzz") if find_spec("uharfbuzz") else None
ttlib: Any = importlib.import_module("fontTools.ttLib") if find_spec("fontTools") else None

LATIN = "latin"

_FILES = {
    "balinese": "noto-sans-balinese-balinese-400-normal.woff",
    "grantha": "noto-sans-grantha-grantha-400-normal.woff",
    "kannada": "noto-sans-kannada-kannada-400-normal.woff",
    "khmer": "noto-sans-khmer-khmer-400-normal.woff",
    "malayalam": "noto-sans-malayalam-malayalam-400-normal.woff",
    "sundanese": "noto-sans-sundanese-sundanese-400-normal.woff",
    "tamil": "noto-sans-tamil-tamil-400-normal.woff",
    LATIN: "noto-sans-tamil-latin-400-normal.woff",
}


@cache
def typeface(script: str) -> Any:
    """Open the typeface of a script (`khmer`, ..., `latin`) in font units.

    Returns
    -------
    uharfbuzz.Font

    Raises
    ------
    StudyError
        When the packages that draw are not installed, or the font file is not there: it comes
        with a built distribution, not with the source.
    """
    if hb is None or ttlib is None:
        raise StudyError(
            "synthetic folios are drawn with the packages uharfbuzz and fonttools, which are not "
            "installed here; install them with `pip install 'lontar[demo]'`"
        )
    name = _FILES[script]
    source = files("sampling.synthetic").joinpath("fonts", name)
    try:
        packed = source.read_bytes()
    except FileNotFoundError:
        raise StudyError(
            f"the font file {name} is missing from this installation; reinstall with "
            "`pip install .` (or `make install` in a checkout), which fetches the fonts"
        ) from None
    opened = ttlib.TTFont(io.BytesIO(packed))
    opened.flavor = None
    unpacked = io.BytesIO()
    opened.save(unpacked, reorderTables=False)
    return hb.Font(hb.Face(unpacked.getvalue()))
