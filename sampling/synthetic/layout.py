"""The leaf itself: its outline, fibre grain, tone and coating, and what it lies on.

Where everything lies on a folio's picture, in pixels: lines, holes, drawings, additions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageFilter

from sampling.synthetic.attributes import Folio
from sampling.synthetic.canvas import Array, add_lines, blank, chance, paint, shade

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


CORNER_RADIUS = 17.0
BAND = 12.0

_LEAF_COLOURS = {
    "Balinese": (214, 186, 138),
    "Grantha": (190, 152, 104),
    "Jathakam": (198, 164, 110),
    "Kambaramayanam": (186, 146, 96),
    "Kannada": (202, 168, 120),
    "Khmer": (178, 152, 104),
    "Sundanese": (206, 178, 132),
    "Tamil": (194, 160, 106),
}
_CLOTHS = ((40, 42, 45), (22, 48, 38), (88, 88, 87), (30, 38, 56), (60, 48, 42), (74, 76, 80))
_GOLD, _GOLD_LIGHT, _GOLD_DARK = (214, 164, 48), (255, 236, 150), (120, 78, 20)
_LACQUER, _LACQUER_DARK, _OCHRE = (158, 34, 28), (70, 16, 14), (232, 190, 84)


@dataclass(frozen=True)
class Leaf:
    """A leaf before anything is written: its colour, how solid it is, how deep from an edge.

    `picture` has shape (height, width, 3); `solid` is its coverage; `depth` counts pixels in from
    the long edges, negative outside.
    """

    picture: Array
    solid: Array
    depth: Array


def _tint(colour: tuple[float, float, float]) -> Array:
    return np.array(colour, dtype=np.float32)


def grow_leaf(folio: Folio, layout: Layout, seed: str) -> Leaf:
    """Make the bare leaf."""
    noise = chance(seed, folio.name, "leaf")
    depth, depth_down = _depths(layout, noise)
    height = layout.height
    base = _tint(_LEAF_COLOURS[folio.collection]) * np.float32(noise.uniform(0.9, 1.04))
    tone = (
        6.5 * _cloud(noise, height, 70, 260)
        + 3.6 * _cloud(noise, height, 1.8, 210)
        + 2.8 * _cloud(noise, height, 1.1, 44)
        + 1.0 * _cloud(noise, height, 1, 3)
    )
    rows = (np.arange(height)[:, None] - layout.bow(np.arange(WIDTH))[None, :]).astype(np.float32)
    turn = np.float32(2 * np.pi / noise.uniform(10, 14))
    wave = np.cos(rows * turn) ** 2
    veins = wave * wave * wave * wave * (3.0 + 2.0 * _cloud(noise, height, 9, 300))
    inside = np.maximum(depth, 0)
    grime = 34 * np.exp(inside / -9) + 16 * np.exp(inside / -40)
    light = (tone - veins - grime)[..., None]
    picture = base[None, None, :] + light * _tint((1.0, 0.98, 0.86))
    if folio.coating == "oiled or varnished":
        picture *= _tint((0.80, 0.70, 0.54))
    shade(picture, _specks(noise, layout), (0.72, 0.66, 0.58))
    return Leaf(picture, np.clip(depth + 0.5, 0, 1), depth_down)


def _specks(noise: np.random.Generator, layout: Layout) -> Array:
    """Give the short dark fibres that every leaf has."""
    specks = blank(layout.height, WIDTH)
    leaf = layout.leaf
    for _ in range(90):
        x, y = noise.uniform(leaf.left, leaf.right), noise.uniform(leaf.top, leaf.bottom)
        reach, lean = noise.uniform(3, 16), noise.normal(0, 0.6)
        add_lines(specks, [np.array([[x, y], [x + reach, y + lean]])], noise.uniform(0.6, 1.4))
    return specks


def _depths(layout: Layout, noise: np.random.Generator) -> tuple[Array, Array]:
    """Measure how far inside the leaf every pixel is, from all edges and from the long ones."""
    x = np.arange(WIDTH)
    leaf = layout.leaf
    top = leaf.top + layout.bow(x) + _wander(noise, WIDTH)
    bottom = leaf.bottom + layout.bow(x) + _wander(noise, WIDTH)
    y = np.arange(layout.height)
    left = leaf.left + _wander(noise, layout.height)
    right = leaf.right + _wander(noise, layout.height)
    down = np.minimum(y[:, None] - top[None, :], bottom[None, :] - y[:, None]).astype(np.float32)
    along = np.minimum(x[None, :] - left[:, None], right[:, None] - x[None, :]).astype(np.float32)
    corner = CORNER_RADIUS - np.hypot(
        np.maximum(CORNER_RADIUS - down, 0), np.maximum(CORNER_RADIUS - along, 0)
    )
    return np.minimum(np.minimum(down, along), corner), down


def _wander(noise: np.random.Generator, length: int) -> np.ndarray:
    """Give a smoothly uneven edge, in pixels."""
    at = np.arange(length)
    edge = np.zeros(length)
    for step, amount in ((320, 2.0), (26, 0.8)):
        knots = np.arange(0, length + step, step)
        edge += np.interp(at, knots, noise.normal(0, amount, len(knots)))
    return edge


def _cloud(noise: np.random.Generator, height: int, down: float, along: float) -> np.ndarray:
    """Make smooth noise whose grains are so many pixels high and long; about ±1."""
    grid = noise.standard_normal(
        (max(2, round(height / down) + 1), round(WIDTH / along) + 2), dtype=np.float32
    )
    image = Image.fromarray(grid).resize((WIDTH, height), Image.Resampling.BICUBIC)
    return np.asarray(image, dtype=np.float32)


def add_coating(picture: Array, folio: Folio, layout: Layout, leaf: Leaf, seed: str) -> None:
    """Add what lies over the writing: bands of gold or paint, or the shine of oil."""
    depth = leaf.depth
    rim = np.clip(BAND - depth + 0.5, 0, 1)
    line = np.clip(1.6 - np.abs(depth - BAND - 1.5), 0, 1)
    if folio.coating == "gilded":
        x = np.arange(WIDTH)[None, :]
        glint = (0.5 + 0.5 * np.sin(x / 37 + 2 * np.sin(x / 171))) ** 3 * rim
        paint(picture, rim, _GOLD, 0.95)
        paint(picture, glint * np.clip(1.4 - np.abs(depth - BAND / 2) / 4, 0, 1), _GOLD_LIGHT, 0.9)
        paint(picture, line, _GOLD_DARK, 0.8)
    elif folio.coating == "painted":
        paint(picture, rim, _LACQUER, 0.94)
        paint(picture, line, _LACQUER_DARK, 0.85)
        paint(picture, np.clip(1.3 - np.abs(depth - BAND * 0.55), 0, 1), _OCHRE, 0.85)
    elif folio.coating == "oiled or varnished":
        paint(picture, _shine(folio, layout, seed), (255, 250, 236), 0.62)


def _shine(folio: Folio, layout: Layout, seed: str) -> Array:
    """Place soft slanting reflections along a glossy leaf."""
    noise = chance(seed, folio.name, "shine")
    x = np.arange(WIDTH, dtype=np.float32)[None, :]
    y = np.arange(layout.height, dtype=np.float32)[:, None]
    shine = np.zeros((layout.height, WIDTH), dtype=np.float32)
    for place in np.linspace(220, WIDTH - 220, 5) + noise.uniform(-90, 90, 5):
        broad = noise.uniform(16, 46)
        slanted = x - place - 0.9 * (y - layout.height / 2)
        middle = np.exp(-(((y - layout.leaf.middle[1]) / (0.36 * layout.height)) ** 2))
        np.maximum(shine, np.exp(-((slanted / broad) ** 2)) * middle, out=shine)
    return shine


def backdrop(folio: Folio, layout: Layout, leaf: Leaf, seed: str) -> Array:
    """Lay the cloth, and the cover board when there is one, with the leaf's shadow on them."""
    noise = chance(seed, folio.name, "backdrop")
    cloth = np.array(_CLOTHS[noise.integers(len(_CLOTHS))], dtype=np.float32)
    weave = 2.2 * _cloud(noise, layout.height, 2, 2) + 3 * _cloud(noise, layout.height, 90, 300)
    picture: Array = (cloth[None, None, :] + weave[..., None]).astype(np.float32)
    if "cover board" in folio.features:
        _add_board(picture, layout, noise)
    shadow = Image.fromarray((np.roll(leaf.solid, (6, 5), (0, 1)) * 255).astype(np.uint8))
    soft = np.asarray(shadow.filter(ImageFilter.BoxBlur(7)), dtype=np.float32) / 255
    picture *= 1 - 0.55 * soft[..., None]
    return picture


def _add_board(picture: Array, layout: Layout, noise: np.random.Generator) -> None:
    """Show a wooden board behind the leaf, its rim above and below."""
    leaf = layout.leaf
    top, bottom = round(leaf.top) - 26, round(leaf.bottom) + 26
    left, right = round(leaf.left) - 22, round(leaf.right) + 22
    height = picture.shape[0]
    rows = np.arange(height, dtype=np.float32)[:, None]
    rings = _cloud(noise, height, 5, 500) * 1.4 + _cloud(noise, height, 40, 700) * 2
    grain = 0.5 + 0.5 * np.sin(rows / 3.2 + rings * 2.2)
    edge = np.clip(0.62 + np.minimum(rows - top, bottom - rows) / 22, 0.62, 1.12)
    light = edge * (1 + 0.01 * _cloud(noise, height, 1, 14))
    wood = _tint((100, 53, 26)) + grain[..., None] * _tint((44, 30, 20))
    wood *= light[..., None]
    picture[top:bottom, left:right] = wood[top:bottom, left:right]
