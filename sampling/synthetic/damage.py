"""Damage and wear: what is lost of a leaf, what discolours it, and how its ink fades."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageFilter

from sampling.synthetic.attributes import Folio
from sampling.synthetic.canvas import (
    Array,
    Points,
    add_disc,
    add_lines,
    add_outline,
    blank,
    chance,
    paint,
    placed,
    ragged,
    shade,
)
from sampling.synthetic.layout import HOLE_RADIUS, WIDTH, Layout

FADED_STRENGTH = 0.3


def ink_strength(folio: Folio, seed: str) -> Array:
    """Say how strong the ink is along the leaf: shape (WIDTH,), 0 to 1.

    A little uneven everywhere; a long stretch falls to `FADED_STRENGTH` where ink has faded.
    """
    noise = chance(seed, folio.name, "ink strength")
    x = np.arange(WIDTH)
    knots = np.arange(0, WIDTH + 90, 90)
    strength = 1 + np.interp(x, knots, noise.uniform(-0.12, 0.0, len(knots)))
    if "fading" in folio.condition:
        middle = WIDTH * noise.choice([0.3, 0.7])
        half = WIDTH * noise.uniform(0.15, 0.21)
        faded = 1 / (1 + np.exp((np.abs(x - middle) - half) / 28))
        strength *= 1 - (1 - FADED_STRENGTH) * faded
    return strength.astype(np.float32)


def add_stains(picture: Array, folio: Folio, layout: Layout, seed: str) -> None:
    """Discolour the leaf: blotches with a darker tide line, and brown spots around them."""
    noise = chance(seed, folio.name, "stains")
    leaf = layout.leaf
    for blotch in range(int(noise.integers(2, 4))):
        x = noise.uniform(leaf.left + 200, leaf.right - 200)
        y = noise.choice([leaf.top + 20, leaf.middle[1], leaf.bottom - 20])
        size = (noise.uniform(110, 230), noise.uniform(0.28, 0.5) * (leaf.bottom - leaf.top))
        key = (seed, folio.name, "stain", str(blotch))
        whole, inner = blank(*picture.shape[:2]), blank(*picture.shape[:2])
        edge = ragged(x, y, size, 0.36, *key)
        add_outline(whole, [edge])
        shrunk = placed(placed(edge, -x, -y), x + noise.normal(0, 3), y, 0.92)
        add_outline(inner, [shrunk])
        shade(picture, _soft(whole, 5), (0.78, 0.68, 0.54))
        shade(picture, _soft(np.clip(whole - inner, 0, 1), 3), (0.76, 0.66, 0.54))
    spots = blank(*picture.shape[:2])
    around = noise.uniform(leaf.left + 300, leaf.right - 300)
    for _ in range(46):
        x, y = noise.normal(around, 150), noise.uniform(leaf.top + 10, leaf.bottom - 10)
        add_disc(spots, x, y, noise.uniform(1.5, 6.5))
    shade(picture, _soft(spots, 1), (0.60, 0.44, 0.28))


def add_scratches(picture: Array, folio: Folio, layout: Layout, seed: str) -> None:
    """Scrape bright slanting lines across the surface and the writing."""
    noise = chance(seed, folio.name, "scratches")
    leaf = layout.leaf
    for _ in range(2):
        coverage = blank(*picture.shape[:2])
        x0 = noise.uniform(leaf.left + 250, leaf.right - 500)
        tilt = noise.choice([-1, 1]) * noise.uniform(0.35, 0.9)
        lines = []
        for _line in range(int(noise.integers(6, 10))):
            x = x0 + noise.normal(0, 120)
            y = leaf.middle[1] + noise.normal(0, 0.16) * (leaf.bottom - leaf.top)
            reach = noise.uniform(70, 190)
            along = np.linspace(-0.5, 0.5, 6) * reach
            lean = tilt + noise.normal(0, 0.12)
            points = np.column_stack([x + along, y + along * lean + noise.normal(0, 0.8, 6)])
            lines.append(points[(points[:, 1] > leaf.top + 12) & (points[:, 1] < leaf.bottom - 12)])
        add_lines(coverage, [line for line in lines if len(line) > 1], 1.8)
        paint(picture, np.roll(coverage, (1, 1), (0, 1)), (70, 48, 26), 0.45)
        paint(picture, coverage, (250, 234, 200), 0.88)


def losses(folio: Folio, layout: Layout, seed: str) -> Array:
    """Give the coverage of what is gone from a leaf by damage, binding holes not among it."""
    gone = blank(layout.height, WIDTH)
    if "cracks" in folio.condition:
        _add_cracks(gone, folio, layout, seed)
    if "insect damage" in folio.condition:
        _add_insect_damage(gone, folio, layout, seed)
    if "edge damage" in folio.condition:
        _add_chips(gone, folio, layout, seed)
    if "missing fragment" in folio.condition:
        _add_missing_fragment(gone, folio, layout, seed)
    return gone


def binding_holes(folio: Folio, layout: Layout, seed: str) -> Array:
    """Give the coverage of the binding holes, the damaged one torn open."""
    gone = blank(layout.height, WIDTH)
    for index, (x, flat_y) in enumerate(layout.holes):
        y = flat_y + float(layout.bow(x))
        add_disc(gone, x, y, HOLE_RADIUS)
        if index == 0 and folio.damaged_hole:
            key = (seed, folio.name, "torn hole")
            add_outline(gone, [ragged(x, y, (34, 22), 0.5, *key)])
            noise = chance(*key)
            for side in (-1, 1):
                add_outline(
                    gone, [_crack(x + side * 26, y, side * noise.uniform(26, 40), 7, noise)]
                )
    return gone


def add_losses(picture: Array, solid: Array, gone: Array, rim: float) -> None:
    """Take what is gone out of a leaf and darken the edge around it."""
    shade(picture, np.clip(_soft(gone, rim) * 1.6, 0, 1), (0.52, 0.44, 0.36))
    solid *= 1 - gone


def _add_cracks(gone: Array, folio: Folio, layout: Layout, seed: str) -> None:
    """Split the leaf along its grain between lines, from an end or out of the middle."""
    noise = chance(seed, folio.name, "cracks")
    leaf = layout.leaf
    starts = [(leaf.left - 4, 1), (leaf.right + 4, -1), (noise.uniform(800, 1500), 1)]
    gaps = noise.permutation([baseline + 0.42 * layout.em for baseline in layout.baselines])
    for (x, way), gap in zip(starts[: int(noise.integers(2, 4))], gaps, strict=False):
        y = gap + float(layout.bow(x))
        at_end = x < leaf.left or x > leaf.right
        reach = way * noise.uniform(320, 640)
        add_outline(gone, [_crack(x, y, reach, 6.5, noise, from_edge=at_end)])


def _crack(
    x: float,
    y: float,
    reach: float,
    width: float,
    noise: np.random.Generator,
    *,
    from_edge: bool = True,
) -> Points:
    """Outline a jagged split that closes to a point, at both ends when inside the leaf."""
    opening = 1e9 if from_edge else 5.0
    steps = max(6, int(abs(reach) / 16))
    along = np.linspace(0, 1, steps)
    wander = np.cumsum(noise.normal(0, 1.5, steps))
    taper = (1 - along) ** 0.6 * np.clip((along + 1e-6) * opening, 0, 1)
    half = 0.5 * width * taper * noise.uniform(0.7, 1.25, steps) + 0.6
    across = x + along * reach
    upper = np.column_stack([across, y + wander - half])
    lower = np.column_stack([across, y + wander + half])
    return np.vstack([upper, lower[::-1]])


def _add_insect_damage(gone: Array, folio: Folio, layout: Layout, seed: str) -> None:
    """Bore small irregular holes and winding channels."""
    noise = chance(seed, folio.name, "insects")
    leaf = layout.leaf
    for nest in range(2):
        x0 = noise.uniform(leaf.left + 260, leaf.right - 260)
        y0 = noise.uniform(leaf.top + 40, leaf.bottom - 40)
        for bite in range(int(noise.integers(12, 19))):
            x = noise.normal(x0, 80)
            y = np.clip(noise.normal(y0, 32), leaf.top + 8, leaf.bottom - 8)
            radii = tuple(noise.uniform(2.2, 6, 2))
            key = (seed, folio.name, "bite", str(nest), str(bite))
            add_outline(gone, [ragged(x, y, radii, 0.3, *key)])
        for _ in range(2):
            heading = np.cumsum(noise.normal(0, 0.5, 14)) + noise.uniform(0, 2 * np.pi)
            steps = np.column_stack([np.cos(heading), np.sin(heading) * 0.6]) * 9
            track = placed(np.cumsum(steps, axis=0), noise.normal(x0, 60), y0)
            track[:, 1] = np.clip(track[:, 1], leaf.top + 14, leaf.bottom - 14)
            add_lines(gone, [track], noise.uniform(4, 6))


def _add_chips(gone: Array, folio: Folio, layout: Layout, seed: str) -> None:
    """Break pieces out of the long edges, never as deep as the first or last line."""
    noise = chance(seed, folio.name, "chips")
    leaf = layout.leaf
    for chip, place in enumerate(np.linspace(0.06, 0.94, 10) + noise.uniform(-0.035, 0.035, 10)):
        x = leaf.left + place * (leaf.right - leaf.left)
        edge = leaf.top if noise.random() < 0.5 else leaf.bottom
        y = edge + float(layout.bow(x))
        size = (noise.uniform(18, 58), noise.uniform(14, 26))
        key = (seed, folio.name, "chip", str(chip))
        add_outline(gone, [ragged(x, y, size, 0.4, *key)])


def _add_missing_fragment(gone: Array, folio: Folio, layout: Layout, seed: str) -> None:
    """Break off a corner: at the right below, or at the left above when that is taken."""
    noise = chance(seed, folio.name, "fragment")
    leaf = layout.leaf
    taken = "modern label" in folio.features or "marginal note" in folio.margins
    side, up = (-1, -1) if taken else (1, 1)
    corner = (leaf.left if taken else leaf.right, leaf.top if taken else leaf.bottom)
    wide, deep = noise.uniform(190, 270), noise.uniform(0.36, 0.44) * (leaf.bottom - leaf.top)
    break_line = np.linspace(0, 1, 18)
    jagged = noise.normal(0, 6, (18, 2))
    points = [
        (corner[0] + side * 40, corner[1] + up * 40),
        (corner[0] + side * 40, corner[1] - up * deep),
    ]
    edge = np.column_stack(
        [
            corner[0] - side * wide * break_line**0.8,
            corner[1] - up * deep * (1 - break_line**2.2),
        ]
    )
    points.extend(map(tuple, edge + jagged))
    points.append((corner[0] - side * wide, corner[1] + up * 40))
    add_outline(gone, [np.array(points)])


def _soft(coverage: Array, radius: float) -> Array:
    """Blur a coverage."""
    image = Image.fromarray((np.clip(coverage, 0, 1) * 255).astype(np.uint8))
    return np.asarray(image.filter(ImageFilter.BoxBlur(radius)), dtype=np.float32) / np.float32(255)
