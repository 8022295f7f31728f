"""Shaping: text in any script to placed glyph outlines, as HarfBuzz lays them out.

Typefaces of the synthetic folios: web fonts read once and opened for shaping and outlines.
"""

from __future__ import annotations

import importlib
import io
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from typing import Any

import numpy as np

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


CURVE_STEPS = 5


@dataclass(frozen=True)
class PlacedGlyph:
    """One glyph of a shaped text, in units of the em, x to the right and y up.

    `cluster` is the index of the first character it draws.
    """

    glyph_id: int
    cluster: int
    x: float
    y: float


@dataclass(frozen=True)
class ShapedText:
    """A text as glyphs in visual order, and how wide it is in ems."""

    script: str
    glyphs: tuple[PlacedGlyph, ...]
    width: float


def shape(text: str, script: str) -> ShapedText:
    """Shape a text with the script's typeface.

    Conjuncts, subjoined letters, reordered vowels and mark positions are HarfBuzz's.

    Parameters
    ----------
    text : one run of one script
    script : a name that `typeface` knows

    Returns
    -------
    ShapedText; an empty text has no glyphs and no width.

    Examples
    --------
    The Khmer vowel sign E is written after its consonant and drawn before it:

    >>> [glyph.cluster for glyph in shape("ក", "khmer").glyphs]
    [0]
    >>> shape("កេ", "khmer").width > shape("ក", "khmer").width
    True
    """
    font = typeface(script)
    buffer = hb.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    hb.shape(font, buffer)
    em = font.face.upem
    glyphs = []
    pen_x = 0
    for info, position in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        x, y = pen_x + position.x_offset, position.y_offset
        glyphs.append(PlacedGlyph(info.codepoint, info.cluster, x / em, y / em))
        pen_x += position.x_advance
    return ShapedText(script, tuple(glyphs), pen_x / em)


@cache
def outline(script: str, glyph_id: int) -> tuple[np.ndarray[Any, Any], ...]:
    """Give a glyph's contours as closed polygons.

    Returns
    -------
    One array of shape (points, 2) a contour, in ems, y up; curves in `CURVE_STEPS` chords.
    A space has none.
    """
    font = typeface(script)
    drawn = _Contours()
    font.draw_glyph(glyph_id, _drawing(), drawn)
    return tuple(
        np.array(points, dtype=np.float64) / font.face.upem
        for points in drawn.contours
        if len(points) > 2
    )


class _Contours:
    """Collects the polygons that HarfBuzz draws."""

    def __init__(self) -> None:
        self.contours: list[list[tuple[float, float]]] = []


def _move(x: float, y: float, drawn: _Contours) -> None:
    drawn.contours.append([(x, y)])


def _line(x: float, y: float, drawn: _Contours) -> None:
    drawn.contours[-1].append((x, y))


def _quadratic(x1: float, y1: float, x: float, y: float, drawn: _Contours) -> None:
    x0, y0 = drawn.contours[-1][-1]
    for step in range(1, CURVE_STEPS + 1):
        t = step / CURVE_STEPS
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t**2
        drawn.contours[-1].append((a * x0 + b * x1 + c * x, a * y0 + b * y1 + c * y))


def _cubic(
    x1: float, y1: float, x2: float, y2: float, x: float, y: float, drawn: _Contours
) -> None:
    x0, y0 = drawn.contours[-1][-1]
    for step in range(1, CURVE_STEPS + 1):
        t = step / CURVE_STEPS
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3
        drawn.contours[-1].append(
            (a * x0 + b * x1 + c * x2 + d * x, a * y0 + b * y1 + c * y2 + d * y)
        )


def _close(_drawn: _Contours) -> None:
    """Do nothing: a polygon is closed by being one."""


@cache
def _drawing() -> Any:
    functions = hb.DrawFuncs()
    functions.set_move_to_func(_move)
    functions.set_line_to_func(_line)
    functions.set_quadratic_to_func(_quadratic)
    functions.set_cubic_to_func(_cubic)
    functions.set_close_path_func(_close)
    return functions
