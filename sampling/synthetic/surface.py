"""The leaf itself: its outline, fibre grain, tone and coating, and what it lies on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageFilter

from sampling.synthetic.attributes import Folio
from sampling.synthetic.canvas import Array, add_lines, blank, chance, paint, shade
from sampling.synthetic.layout import WIDTH, Layout

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
