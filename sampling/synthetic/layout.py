"""Where everything lies on a folio's picture, in pixels: lines, holes, drawings, additions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sampling.synthetic.attributes import Folio
from sampling.synthetic.canvas import chance

WIDTH = 2400
LEAF_LEFT, LEAF_RIGHT = 36, 2364
PAD = 36
MARGIN, NO_MARGIN = 236, 24
HOLE_RADIUS = 12
HOLE_CLEARANCE = 48
BOARD_RIM = 24
CARD_HEIGHT = 66

EM_AND_PITCH = {
    "balinese": (32, 60),
    "grantha": (26, 50),
    "kannada": (28, 46),
    "khmer": (30, 55),
    "malayalam": (26, 46),
    "sundanese": (31, 52),
    "tamil": (26, 44),
}
_HOLE_PLACES = {0: (), 1: (0.5,), 2: (0.3, 0.7), 3: (0.15, 0.5, 0.85)}
_DRAWING_PLACES = (0.4, 0.6, 0.22, 0.78)
_DRAWING_WIDTH = {"divider": 80, "frieze": 360, "fish": 300, "bird": 260, "chart": 250}


@dataclass(frozen=True)
class Box:
    """A rectangle in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def middle(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


@dataclass(frozen=True)
class Layout:
    """The plan of a picture. Heights are of a flat leaf; `bow` is then added to bend it.

    `baselines` has one height a line of text; `segments` the stretches (left, right) that each
    line may fill, broken at holes and drawings; `holes` the middles of binding holes.
    """

    height: int
    leaf: Box
    text: Box
    em: float
    baselines: tuple[float, ...]
    segments: tuple[tuple[tuple[float, float], ...], ...]
    holes: tuple[tuple[float, float], ...]
    drawing: Box | None
    bow_height: float
    bow_phase: float

    def bow(self, x: float | np.ndarray) -> np.ndarray:
        """Say how far the leaf is bent down at x."""
        return self.bow_height * np.sin(np.asarray(x) / WIDTH * np.pi * 1.6 + self.bow_phase)


def lay_out(folio: Folio, seed: str) -> Layout:
    """Plan the picture of a folio.

    Examples
    --------
    >>> from sampling.synthetic.attributes import invent_folios
    >>> folio, = invent_folios("seed", "Khmer", ["Khmer_0001"])
    >>> len(lay_out(folio, "seed").baselines) == folio.lines
    True
    """
    em, pitch = EM_AND_PITCH[folio.script]
    top = 34 + (BOARD_RIM if "cover board" in folio.features else 0)
    below = top + 6 + (CARD_HEIGHT if "colour card or scale" in folio.features else 0)
    leaf = Box(LEAF_LEFT, top, LEAF_RIGHT, top + 2 * PAD + folio.lines * pitch)
    text = Box(
        leaf.left + (MARGIN if "left margin" in folio.margins else NO_MARGIN),
        leaf.top + PAD,
        leaf.right - (MARGIN if "right margin" in folio.margins else NO_MARGIN),
        leaf.bottom - PAD,
    )
    baselines = tuple(text.top + pitch * (line + 0.64) for line in range(folio.lines))
    across = leaf.right - leaf.left
    holes = tuple(
        (leaf.left + place * across, leaf.middle[1]) for place in _HOLE_PLACES[folio.holes]
    )
    drawing = _drawing_box(folio, leaf, holes)
    noise = chance(seed, folio.name, "bow")
    return Layout(
        height=int(leaf.bottom + below),
        leaf=leaf,
        text=text,
        em=em,
        baselines=baselines,
        segments=tuple(_segments(text, y, em, holes, drawing) for y in baselines),
        holes=holes,
        drawing=drawing,
        bow_height=float(noise.uniform(2, 6)),
        bow_phase=float(noise.uniform(0, 2 * np.pi)),
    )


def _drawing_box(folio: Folio, leaf: Box, holes: tuple[tuple[float, float], ...]) -> Box | None:
    """Put the drawing where it is clear of every hole."""
    if not folio.drawing:
        return None
    height = leaf.bottom - leaf.top - 2 * PAD + 20
    width = _DRAWING_WIDTH.get(folio.drawing, min(height, 250))
    across = leaf.right - leaf.left
    places = [leaf.left + place * across for place in _DRAWING_PLACES]

    def clearance(x: float) -> float:
        return min((abs(x - hole) for hole, _ in holes), default=across)

    x = next((x for x in places if clearance(x) > width / 2 + 40), max(places, key=clearance))
    return Box(x - width / 2, leaf.top + PAD - 10, x + width / 2, leaf.bottom - PAD + 10)


def _segments(
    text: Box,
    baseline: float,
    em: float,
    holes: tuple[tuple[float, float], ...],
    drawing: Box | None,
) -> tuple[tuple[float, float], ...]:
    """Break a line where a hole or a drawing stands in its way."""
    gaps = [
        (x - HOLE_CLEARANCE, x + HOLE_CLEARANCE)
        for x, y in holes
        if baseline - 1.0 * em < y + HOLE_RADIUS + 8 and baseline + 0.4 * em > y - HOLE_RADIUS - 8
    ]
    if drawing is not None:
        gaps.append((drawing.left - 26, drawing.right + 26))
    segments = []
    left = text.left
    for gap_left, gap_right in sorted(gaps):
        segments.append((left, gap_left))
        left = gap_right
    segments.append((left, text.right))
    return tuple((a, b) for a, b in segments if b - a > 3 * em)
