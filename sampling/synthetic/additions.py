"""What later hands added: cords, labels, stamps, tape, scales, numbers, and the synthetic mark."""

from __future__ import annotations

import numpy as np

from sampling.synthetic.attributes import Folio
from sampling.synthetic.canvas import (
    Array,
    Points,
    add_lines,
    add_outline,
    blank,
    chance,
    circle,
    paint,
    placed,
    shade,
    turned,
)
from sampling.synthetic.layout import CARD_HEIGHT, WIDTH, Layout
from sampling.synthetic.shaping import LATIN, outline, shape

MARK = "SYNTHETIC FOLIO"

_PAPERS = ((246, 244, 236), (196, 226, 150), (250, 226, 130), (206, 224, 240))
_PENS = ((24, 54, 150), (168, 24, 36), (16, 104, 58))
_PATCHES = (
    (56, 61, 150), (70, 148, 73), (175, 54, 60), (231, 199, 31),
    (187, 86, 149), (8, 133, 161), (243, 243, 242), (120, 120, 120), (40, 40, 40),
)  # fmt: skip
_DIGIT_STROKES: dict[str, list[list[tuple[float, float]]]] = {
    "0": [[(0.5, 0), (0.1, 0.3), (0.1, 0.75), (0.45, 1), (0.8, 0.7), (0.82, 0.3), (0.5, 0)]],
    "1": [[(0.2, 0.25), (0.5, 0), (0.48, 1)]],
    "2": [[(0.1, 0.25), (0.35, 0), (0.75, 0.15), (0.7, 0.45), (0.1, 1), (0.85, 0.96)]],
    "3": [[(0.15, 0.08), (0.6, 0), (0.7, 0.28), (0.4, 0.46), (0.8, 0.7), (0.5, 1), (0.1, 0.9)]],
    "4": [[(0.6, 0), (0.08, 0.62), (0.9, 0.6)], [(0.66, 0.35), (0.62, 1)]],
    "5": [[(0.8, 0), (0.25, 0.03), (0.2, 0.42), (0.7, 0.45), (0.75, 0.85), (0.15, 1)]],
    "6": [[(0.7, 0), (0.2, 0.45), (0.2, 0.9), (0.6, 1), (0.8, 0.7), (0.5, 0.52), (0.2, 0.7)]],
    "7": [[(0.1, 0.04), (0.85, 0), (0.4, 1)]],
    "8": [[(0.7, 0.1), (0.3, 0.02), (0.25, 0.3), (0.75, 0.62), (0.6, 1), (0.2, 0.85), (0.7, 0.1)]],
    "9": [[(0.75, 0.2), (0.35, 0), (0.2, 0.35), (0.6, 0.5), (0.76, 0.2), (0.66, 1)]],
}


def add_printed(
    coverage: Array, text: str, middle: tuple[float, float], em: float, turn: float = 0.0
) -> None:
    """Print Latin text around a point, turned by an angle in radians."""
    shaped = shape(text, LATIN)
    for glyph in shaped.glyphs:
        x = glyph.x - shaped.width / 2
        contours = [
            placed(turned(placed(points, x * em, 0.36 * em, em, -em), turn), *middle)
            for points in outline(LATIN, glyph.glyph_id)
        ]
        if contours:
            add_outline(coverage, contours)


def add_label(picture: Array, solid: Array, folio: Folio, layout: Layout, seed: str) -> None:
    """Stick a small printed paper over the leaf, at an end where nothing else is written."""
    noise = chance(seed, folio.name, "label")
    leaf = layout.leaf
    if "marginal note" not in folio.margins:
        x = leaf.right - 112
    elif "folio number" not in folio.margins:
        x = leaf.left + 112
    else:
        x = leaf.left + 0.6 * (leaf.right - leaf.left)
    middle = (x, leaf.middle[1] + float(layout.bow(x)) + noise.uniform(-8, 8))
    turn = noise.uniform(-0.07, 0.07)
    corners = np.array([[-68, -38], [68, -38], [68, 38], [-68, 38]], dtype=float)
    paper, edge, text = (blank(*picture.shape[:2]) for _ in range(3))
    add_outline(paper, [placed(turned(corners, turn), *middle)])
    shade(picture, np.roll(paper, (4, 4), (0, 1)), (0.62, 0.62, 0.62))
    paint(picture, paper, _PAPERS[noise.integers(len(_PAPERS))])
    inner = placed(turned(corners * 0.9, turn), *middle)
    add_lines(edge, [np.vstack([inner, inner[:1]])], 1.4)
    paint(picture, edge, (120, 110, 100), 0.8)
    add_printed(text, folio.label_text, middle, 38, turn)
    paint(picture, text, (28, 28, 34), 0.95)
    np.maximum(solid, paper, out=solid)


def add_stamp(picture: Array, folio: Folio, layout: Layout, seed: str) -> None:
    """Press an oval stamp of violet or blue ink over the writing."""
    noise = chance(seed, folio.name, "stamp")
    x = layout.leaf.left + 0.78 * (layout.leaf.right - layout.leaf.left)
    y = layout.leaf.middle[1] + float(layout.bow(x))
    turn = noise.uniform(-0.25, 0.25)
    ink = blank(*picture.shape[:2])
    for size, thick in ((1.0, 4.5), (0.86, 2.2)):
        oval = placed(circle(0, 0, 1, 60), 0, 0, 118 * size, 74 * size)
        ring = placed(turned(oval, turn), x, y)
        add_lines(ink, [np.vstack([ring, ring[:2]])], thick)
    for text, up, em in (("LIBRARY", -14, 36), ("COLLECTION", 22, 22)):
        middle = (x - up * np.sin(turn), y + up * np.cos(turn))
        add_printed(ink, text, middle, em, turn)
    patchy = noise.uniform(0.55, 1.0, (picture.shape[0] // 6 + 1, WIDTH // 6 + 1))
    ink *= np.kron(patchy, np.ones((6, 6)))[: picture.shape[0], :WIDTH].astype(np.float32)
    colour = ((92, 34, 140), (30, 50, 150))[noise.integers(2)]
    paint(picture, ink, colour, 0.86)


def add_handwritten_number(picture: Array, folio: Folio, layout: Layout, seed: str) -> None:
    """Write a number in modern pen on the leaf, near its lower left corner."""
    noise = chance(seed, folio.name, "handwritten number")
    x, y = layout.leaf.left + 64, layout.leaf.bottom - 60 + float(layout.bow(100))
    strokes = []
    for digit in str(noise.integers(101, 999)):
        for stroke in _DIGIT_STROKES[digit]:
            points = _rounded(np.array(stroke) * (21, 42)) + noise.normal(0, 0.5, (1, 2))
            points[:, 0] += 0.16 * (42 - points[:, 1])
            strokes.append(placed(points, x, y))
        x += 29 + noise.uniform(-2, 2)
    ink = blank(*picture.shape[:2])
    add_lines(ink, strokes, 4.2)
    paint(picture, ink, _PENS[noise.integers(len(_PENS))], 0.92)


def add_tape(picture: Array, solid: Array, folio: Folio, layout: Layout, seed: str) -> None:
    """Lay a strip of clear tape across the leaf, past both its edges."""
    noise = chance(seed, folio.name, "tape")
    x = layout.leaf.left + 0.225 * (layout.leaf.right - layout.leaf.left)
    lean = noise.uniform(-8, 8)
    top, bottom = layout.leaf.top - 9, layout.leaf.bottom + 9 + float(layout.bow(x))
    half = 44.0
    corners = np.array(
        [
            [x - half + lean, top],
            [x + half + lean, top],
            [x + half - lean, bottom],
            [x - half - lean, bottom],
        ]
    )
    strip, edges, glare = (blank(*picture.shape[:2]) for _ in range(3))
    add_outline(strip, [corners])
    paint(picture, strip, (244, 232, 190), 0.40)
    add_lines(edges, [np.vstack([corners, corners[:1]])], 1.6)
    paint(picture, edges, (150, 126, 80), 0.75)
    streaks = [placed(corners[[0, 3]], shift, 0) for shift in (14, 24, 66)]
    add_lines(glare, streaks, 4)
    paint(picture, glare, (255, 255, 250), 0.3)
    np.maximum(solid, strip, out=solid)


def add_cord(picture: Array, folio: Folio, layout: Layout, seed: str) -> None:
    """Pass a twisted cord through a binding hole and round both edges of the leaf."""
    noise = chance(seed, folio.name, "cord")
    x, y = layout.holes[-1]
    y += float(layout.bow(x))
    swing = noise.uniform(26, 60) * noise.choice([-1, 1])
    height = picture.shape[0]
    down = np.linspace(-6, y, 30)
    up = np.linspace(y, height + 6, 30)
    cord = np.vstack(
        [
            np.column_stack([x + swing * np.sin((y - down) / y * 1.4), down]),
            np.column_stack([x - swing * np.sin((up - y) / y * 1.4), up]),
        ]
    )
    body, shadow, twist = (blank(*picture.shape[:2]) for _ in range(3))
    add_lines(shadow, [placed(cord, 5, 4)], 10)
    shade(picture, shadow, (0.6, 0.58, 0.55))
    add_lines(body, [cord], 10)
    colour = ((232, 220, 190), (170, 60, 44), (222, 178, 96))[noise.integers(3)]
    paint(picture, body, colour)
    at = np.arange(0, height, 7.0)
    across = np.interp(at, cord[:, 1], cord[:, 0])
    add_lines(
        twist,
        [np.array([[a - 4, b + 3], [a + 4, b - 3]]) for a, b in zip(across, at, strict=True)],
        1.8,
    )
    paint(picture, twist, [0.45 * part for part in colour], 0.8)


def add_card(picture: Array, layout: Layout) -> None:
    """Lay a strip of colour patches and a centimetre scale below the leaf."""
    top = picture.shape[0] - CARD_HEIGHT - 4
    left = 420
    picture[top : top + 50, left : left + 1010] = (24, 24, 26)
    for index, colour in enumerate(_PATCHES):
        start = left + 8 + index * 58
        picture[top + 7 : top + 43, start : start + 52] = colour
    ruler = left + 8 + len(_PATCHES) * 58 + 10
    picture[top + 7 : top + 43, ruler : left + 1002] = (240, 240, 236)
    ticks, figures = blank(*picture.shape[:2]), blank(*picture.shape[:2])
    for step in range(46):
        x = ruler + 12 + step * 9.6
        tall = 18 if step % 5 == 0 else 10
        add_lines(ticks, [np.array([[x, top + 9], [x, top + 9 + tall]])], 1.4)
        if step % 10 == 0:
            add_printed(figures, str(step // 10), (x + (5 if step == 0 else 0), top + 35), 14)
    paint(picture, np.maximum(ticks, figures), (20, 20, 20))


def add_mark(picture: Array) -> None:
    """Say in the corner of the backdrop that nobody photographed this leaf."""
    height = picture.shape[0]
    text = blank(height, WIDTH)
    add_printed(text, MARK, (WIDTH - 96, height - 14), 17)
    dark = picture[height - 26 : height - 4, WIDTH - 180 :].mean() < 100
    paint(picture, text, (214, 214, 208) if dark else (24, 24, 24), 0.9)


def _rounded(points: Points) -> Points:
    """Round a stroke's corners off by cutting them twice (Chaikin)."""
    for _ in range(2):
        if len(points) < 3:
            return points
        near = 0.75 * points[:-1] + 0.25 * points[1:]
        far = 0.25 * points[:-1] + 0.75 * points[1:]
        cut = np.column_stack([near, far]).reshape(-1, 2)
        points = np.vstack([points[:1], cut, points[-1:]])
    return points
