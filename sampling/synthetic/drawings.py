"""Drawings on a leaf: rosettes, animals, a tree, ornament and horoscope charts, as line art."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sampling.synthetic.attributes import Folio
from sampling.synthetic.canvas import (
    Array,
    Points,
    add_disc,
    add_lines,
    add_outline,
    chance,
    circle,
    placed,
    turned,
)
from sampling.synthetic.layout import Box, Layout
from sampling.synthetic.letters import SYLLABARIES
from sampling.synthetic.shaping import shape
from sampling.synthetic.writing import Scribe, add_text

STROKE = 2.6
_STEADY = Scribe(0, 0, 0, 0, 0)


def add_drawing(coverage: Array, folio: Folio, layout: Layout, seed: str) -> None:
    """Draw what the folio's attributes name, in the box that the layout keeps free."""
    if layout.drawing is None:
        return
    box = layout.drawing
    shift = float(layout.bow(box.middle[0]))
    box = Box(box.left, box.top + shift, box.right, box.bottom + shift)
    noise = chance(seed, folio.name, "drawing")
    if folio.drawing == "chart":
        _add_chart(coverage, box, folio, noise)
    else:
        _KINDS[folio.drawing](coverage, box, noise)


def _rosette(coverage: Array, box: Box, noise: np.random.Generator) -> None:
    (x, y), radius = box.middle, _radius(box)
    petals = int(noise.integers(8, 13))
    lines = [_closed(circle(x, y, radius * part)) for part in (0.2, 0.3, 1.0)]
    for petal in range(petals):
        turn = 2 * np.pi * petal / petals
        lines.append(_petal(x, y, 0.32 * radius, 0.92 * radius, turn, np.pi / petals * 0.92))
        lines.append(_petal(x, y, 0.42 * radius, 0.74 * radius, turn, np.pi / petals * 0.5))
    add_lines(coverage, lines, STROKE)
    for petal in range(petals):
        turn = 2 * np.pi * (petal + 0.5) / petals
        add_disc(coverage, x + 0.88 * radius * np.cos(turn), y + 0.88 * radius * np.sin(turn), 4)
    add_disc(coverage, x, y, radius * 0.1)


def _petal(x: float, y: float, near: float, far: float, turn: float, half: float) -> Points:
    """Outline a pointed petal from the middle outwards."""
    along = np.concatenate([np.linspace(0, 1, 14), np.linspace(1, 0, 14)])
    side = np.concatenate([np.ones(14), -np.ones(14)])
    distance = near + (far - near) * along
    angle = turn + side * half * np.sin(np.pi * np.minimum(along, 1)) ** 0.8
    return np.column_stack([x + distance * np.cos(angle), y + distance * np.sin(angle)])


def _bird(coverage: Array, box: Box, noise: np.random.Generator) -> None:
    """Draw a peafowl: body, neck, crest, and a fan of eyed feathers."""
    radius = _radius(box)
    x, y = box.middle[0] + 0.25 * radius, box.middle[1] + 0.3 * radius
    body = _closed(_ellipse(x, y, 0.42 * radius, 0.26 * radius, -0.3))
    neck = np.column_stack(
        [
            x + radius * np.array([0.3, 0.42, 0.44, 0.4, 0.5, 0.56]),
            y + radius * np.array([-0.1, -0.3, -0.6, -0.8, -0.94, -0.88]),
        ]
    )
    back = placed(neck, 0.13 * radius, 0.02 * radius)
    beak = placed([[0.6, -0.92], [0.8, -0.84], [0.62, -0.8]], x, y, radius)
    lines = [body, _smooth(neck), _smooth(back), beak]
    for crest in (-0.2, 0.0, 0.2):
        top = placed([[0.52, -0.95], [0.5 + crest, -1.2]], x, y, radius)
        lines.append(top)
        add_disc(coverage, top[1, 0], top[1, 1], 4)
    for leg in (-0.06, 0.12):
        lines.append(placed([[leg, 0.24], [leg + 0.03, 0.58]], x, y, radius))
        foot = [[leg - 0.1, 0.6], [leg + 0.03, 0.56], [leg + 0.16, 0.6]]
        lines.append(placed(foot, x, y, radius))
    for turn in np.linspace(np.pi * 0.92, np.pi * 1.42, 7):
        tip_x, tip_y = x + 1.3 * radius * np.cos(turn), y + 1.15 * radius * np.sin(turn)
        root = (x - 0.28 * radius, y - 0.05 * radius)
        lines.append(np.array([root, (tip_x, tip_y)]))
        lines.append(_closed(circle(tip_x, tip_y, 0.11 * radius)))
        add_disc(coverage, tip_x, tip_y, 0.045 * radius)
    add_lines(coverage, lines, STROKE)
    add_disc(coverage, x + 0.55 * radius, y - 0.9 * radius, 3.4)
    for scale in noise.uniform(-0.2, 0.2, (8, 2)):
        feather = _arc(x + scale[0] * radius, y + scale[1] * radius / 2, 0.06 * radius, 0, np.pi)
        add_lines(coverage, [feather], 1.8)


def _fish(coverage: Array, box: Box, noise: np.random.Generator) -> None:
    radius = _radius(box)
    x, y = box.middle
    half = min((box.right - box.left) / 2, 1.35 * radius)
    along = np.linspace(0, 1, 40)
    deep = 0.5 * radius * np.sin(np.pi * along**0.75) ** 0.9
    across = x - half + 1.5 * half * along
    lines = [np.column_stack([across, y - deep]), np.column_stack([across, y + deep])]
    tail_x = x + 0.5 * half
    tail = [[0.0, 0.0], [0.42, -0.5], [0.34, 0.0], [0.42, 0.5], [0.0, 0.0]]
    lines.append(placed(tail, tail_x, y, half, 0.9 * radius))
    for place in np.linspace(0.3, 0.85, 7):
        reach = 0.5 * radius * np.sin(np.pi * place**0.75) ** 0.9 * 0.8
        lines.append(
            _arc(x - half + 1.5 * half * place, y, reach, np.pi * 0.6, np.pi * 1.4, flat=0.35)
        )
    fin = [[-0.2, -0.48], [0.0, -0.85], [0.22, -0.45]]
    lines += [placed(fin, x, y, half, radius), placed(fin, x, y, half, -radius)]
    add_lines(coverage, lines, STROKE)
    eye = (x - 0.74 * half, y - 0.1 * radius)
    add_lines(coverage, [_closed(circle(*eye, 0.09 * radius))], STROKE)
    add_disc(coverage, *eye, 0.04 * radius + noise.uniform(0, 1))


def _tree(coverage: Array, box: Box, noise: np.random.Generator) -> None:
    radius = _radius(box)
    x, y = box.middle
    base = y + radius
    trunk = [[-0.09, 1.0], [-0.05, 0.4], [-0.06, -0.1], [0.06, -0.1], [0.05, 0.4], [0.09, 1.0]]
    ground = [[-0.5, 1.0], [0.5, 1.0]]
    lines = [placed(trunk, x, y, radius), placed(ground, x, y, radius)]
    for tilt in np.linspace(-1.25, 1.25, 9):
        length = radius * (1.02 - 0.12 * abs(tilt)) * noise.uniform(0.92, 1.05)
        root = np.array([x, base - 1.1 * radius])
        tip = root + 0.82 * length * np.array([np.sin(tilt), -np.cos(tilt)])
        lines.append(np.array([root, tip]))
        for part in (0.45, 0.68, 0.9):
            at = root + part * (tip - root)
            for side in (-0.75, 0.75):
                turn = tilt - np.pi / 2 + side
                lines.append(_petal(at[0], at[1], 0, 0.24 * radius, turn, 0.32))
    add_lines(coverage, lines, STROKE * 0.85)


def _frieze(coverage: Array, box: Box, noise: np.random.Generator) -> None:
    """Draw a running scroll between double lines."""
    x, y = box.middle
    half, high = (box.right - box.left) / 2, min(_radius(box), 84.0)
    along = np.linspace(-half, half, 160)
    waves = 3
    scroll = 0.42 * high * np.sin(along / half * np.pi * waves)
    lines = [np.column_stack([x + along, y + scroll])]
    lines += [placed([[-half, up], [half, up]], x, y, 1, high) for up in (-1, -0.86, 0.86, 1)]
    for bend in range(2 * waves):
        middle = -half + half * (bend + 0.5) / waves
        side = 1 if bend % 2 else -1
        turn = np.linspace(0, 3.4 * np.pi, 60)
        spiral = np.linspace(0.42 * high, 4, 60)
        lines.append(
            np.column_stack(
                [x + middle + spiral * np.cos(turn), y + side * 0.2 * high + spiral * np.sin(turn)]
            )
        )
        add_disc(coverage, x + middle, y - side * 0.68 * high, 5)
    add_lines(coverage, lines, STROKE + noise.uniform(-0.3, 0.3))


def _divider(coverage: Array, box: Box, noise: np.random.Generator) -> None:
    """Draw an upright band of lozenges between double lines."""
    x, half = box.middle[0], (box.right - box.left) / 2
    lines = [
        np.array([[x + side * half, box.top], [x + side * half, box.bottom]])
        for side in (-1, -0.8, 0.8, 1)
    ]
    add_lines(coverage, lines, STROKE)
    count = max(2, round((box.bottom - box.top) / 58))
    step = (box.bottom - box.top) / count
    for index in range(count):
        y = box.top + (index + 0.5) * step
        lozenge = placed([[0, -0.46], [0.62, 0], [0, 0.46], [-0.62, 0]], 0, 0, half, step)
        inner = placed(lozenge[::-1], x, y, 0.62)
        add_outline(coverage, [placed(lozenge, x, y), inner])
        add_disc(coverage, x, y, 5 + noise.uniform(0, 1))


def _add_chart(coverage: Array, box: Box, folio: Folio, noise: np.random.Generator) -> None:
    """Draw a square of twelve houses around an empty middle, a letter in some of them."""
    (x, y), half = box.middle, _radius(box)
    left, top, cell = x - half, y - half, half / 2
    lines = [_closed(placed([[0, 0], [4, 0], [4, 4], [0, 4]], left, top, cell))]
    lines.append(_closed(placed([[1, 1], [3, 1], [3, 3], [1, 3]], left, top, cell)))
    for cut in (1, 2, 3):
        ends = ((0, 4),) if cut != 2 else ((0, 1), (3, 4))
        for start, end in ends:
            lines.append(placed([[cut, start], [cut, end]], left, top, cell))
            lines.append(placed([[start, cut], [end, cut]], left, top, cell))
    add_lines(coverage, lines, STROKE)
    cross = [placed([[1, 1], [3, 3]], left, top, cell), placed([[3, 1], [1, 3]], left, top, cell)]
    add_lines(coverage, cross, STROKE * 0.7)
    letters = SYLLABARIES[folio.script].consonants
    houses = [(i, j) for i in range(4) for j in range(4) if {i, j} & {0, 3}]
    em = 0.56 * cell
    for column, row in houses[:: 1 + int(noise.integers(1, 3))]:
        text = shape(letters[int(noise.integers(len(letters)))], folio.script)
        at = (left + (column + 0.5) * cell - text.width * em / 2, top + (row + 0.66) * cell)
        add_text(coverage, text, at, em, _STEADY, noise)


def _radius(box: Box) -> float:
    return min(box.bottom - box.top, box.right - box.left) / 2


def _ellipse(x: float, y: float, across: float, down: float, tilt: float) -> Points:
    return placed(turned(circle(0, 0, 1) * (across, down), tilt), x, y)


def _arc(x: float, y: float, radius: float, start: float, end: float, flat: float = 1.0) -> Points:
    turn = np.linspace(start, end, 16)
    return np.column_stack([x + flat * radius * np.cos(turn), y + radius * np.sin(turn)])


def _closed(points: Points) -> Points:
    return np.vstack([points, points[:1]])


def _smooth(points: Points) -> Points:
    """Run a soft line through points."""
    at = np.arange(len(points))
    fine = np.linspace(0, len(points) - 1, 6 * len(points))
    rough = np.column_stack([np.interp(fine, at, points[:, side]) for side in (0, 1)])
    padded = np.pad(rough, ((3, 3), (0, 0)), mode="edge")
    return np.column_stack(
        [np.convolve(padded[:, side], np.ones(7) / 7, mode="valid") for side in (0, 1)]
    )


_KINDS: dict[str, Callable[[Array, Box, np.random.Generator], None]] = {
    "rosette": _rosette,
    "bird": _bird,
    "fish": _fish,
    "tree": _tree,
    "frieze": _frieze,
    "divider": _divider,
}
