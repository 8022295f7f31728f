"""Drawing on arrays: anti-aliased shapes as coverage, and coverage painted onto colour.

A coverage is a float32 array from 0 (nothing) to 1 (all of the pixel). A picture is a float32
array of shape (height, width, 3), 0 to 255. The functions named `add_*` and `paint` change the
array they are given.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PIL import Image, ImageDraw

from sampling.study.keyed import digest

Array = NDArray[np.float32]
Points = NDArray[np.float64]

FINENESS = 4


def chance(*key: str) -> np.random.Generator:
    """Give a stream of pixel noise that follows from a key. No attribute is ever drawn from it."""
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest("pixels", *key), "big")))


def blank(height: int, width: int) -> Array:
    return np.zeros((height, width), dtype=np.float32)


def add_outline(coverage: Array, contours: Sequence[Points]) -> None:
    """Add a shape bounded by closed contours, filled by the non-zero winding rule.

    Parameters
    ----------
    coverage : shape (height, width); becomes the greater of itself and the shape
    contours : arrays (points, 2) of x and y in pixels; a hole runs the other way round
    """
    window = _window(coverage, contours, 0)
    if window is None:
        return
    left, top, width, height = window
    areas = [_signed_area(points) for points in contours]
    signs = [area < 0 for area in areas]
    outer = max(areas, key=abs) < 0
    solid = [p for p, sign in zip(contours, signs, strict=True) if sign == outer]
    holes = [p for p, sign in zip(contours, signs, strict=True) if sign != outer]
    size = (width * FINENESS, height * FINENESS)

    def filled(shapes: Sequence[Points]) -> Image.Image:
        image = Image.new("L", size)
        pen = ImageDraw.Draw(image)
        for points in shapes:
            pen.polygon(((points - (left, top)) * FINENESS - 0.5).ravel().tolist(), fill=255)
        return image

    if holes and len(solid) > 1:
        winding = np.zeros(size[::-1], dtype=np.int16)
        for points, sign in zip(contours, signs, strict=True):
            winding += (1 if sign == outer else -1) * np.asarray(filled([points]), dtype=np.int16)
        fine = Image.fromarray(np.where(winding > 0, 255, 0).astype(np.uint8))
    else:
        fine = filled(solid)
        pen = ImageDraw.Draw(fine)
        for points in holes:
            pen.polygon(((points - (left, top)) * FINENESS - 0.5).ravel().tolist(), fill=0)
    _merge(coverage, fine, window)


def add_lines(coverage: Array, lines: Sequence[Points], thickness: float) -> None:
    """Add open polylines of one thickness in pixels, with round joints and ends."""
    window = _window(coverage, lines, thickness)
    if window is None:
        return
    left, top, width, height = window
    image = Image.new("L", (width * FINENESS, height * FINENESS))
    pen = ImageDraw.Draw(image)
    broad = max(1, round(thickness * FINENESS))
    radius = broad / 2
    for points in lines:
        at = (points - (left, top)) * FINENESS
        pen.line(at.ravel().tolist(), fill=255, width=broad, joint="curve")
        for x, y in at[[0, -1]]:
            pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=255)
    _merge(coverage, image, window)


def add_disc(coverage: Array, x: float, y: float, radius: float) -> None:
    add_outline(coverage, [circle(x, y, radius)])


def circle(x: float, y: float, radius: float, corners: int = 40) -> Points:
    """Give the corners of a polygon that looks round."""
    turn = np.linspace(0, 2 * np.pi, corners, endpoint=False)
    return np.column_stack([x + radius * np.cos(turn), y + radius * np.sin(turn)])


def placed(
    shape: ArrayLike, x: float, y: float, across: float = 1.0, down: float | None = None
) -> Points:
    """Scale a shape's points (both ways alike unless `down` is given), then move them."""
    scale = np.array([across, across if down is None else down])
    points: Points = np.asarray(shape, dtype=np.float64) * scale + np.array([x, y])
    return points


def turned(points: Points, turn: float) -> Points:
    """Turn points around the origin by an angle in radians, clockwise on the picture."""
    cosine, sine = np.cos(turn), np.sin(turn)
    x, y = points[:, 0], points[:, 1]
    return np.column_stack([cosine * x - sine * y, sine * x + cosine * y])


def ragged(x: float, y: float, radii: tuple[float, float], rough: float, *key: str) -> Points:
    """Give an irregular rounded outline: an ellipse whose radius wanders by `rough` (0 to 1)."""
    turn = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    noise = chance("ragged", *key)
    wander = sum(
        noise.uniform(-1, 1) / wave * np.cos(wave * turn + noise.uniform(0, 2 * np.pi))
        for wave in (2, 3, 5, 8, 13)
    )
    swell = 1 + rough * wander
    return np.column_stack(
        [x + radii[0] * swell * np.cos(turn), y + radii[1] * swell * np.sin(turn)]
    )


def paint(picture: Array, coverage: Array, colour: Sequence[float], strength: float = 1.0) -> None:
    """Lay a colour over a picture where the coverage says, at a strength from 0 to 1."""
    rows, columns = _extent(coverage)
    part = (coverage[rows, columns] * np.float32(strength))[..., None]
    area = picture[rows, columns]
    area += (np.asarray(colour, dtype=np.float32) - area) * part


def shade(picture: Array, coverage: Array, factor: Sequence[float]) -> None:
    """Multiply a picture's colours by a factor each where the coverage says."""
    rows, columns = _extent(coverage)
    part = coverage[rows, columns][..., None]
    picture[rows, columns] *= 1 + (np.asarray(factor, dtype=np.float32) - 1) * part


def _extent(coverage: Array) -> tuple[slice, slice]:
    """Find the rectangle outside which a coverage is nothing."""
    rows = np.flatnonzero(coverage.any(axis=1))
    columns = np.flatnonzero(coverage.any(axis=0))
    if not len(rows):
        return slice(0, 0), slice(0, 0)
    return slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)


def _signed_area(points: Points) -> float:
    x, y = points[:, 0], points[:, 1]
    return float(x[:-1] @ y[1:] - x[1:] @ y[:-1] + x[-1] * y[0] - x[0] * y[-1]) / 2


def _window(
    coverage: Array, shapes: Sequence[Points], thickness: float
) -> tuple[int, int, int, int] | None:
    """Find the pixels that shapes can touch: left, top, width, height; None when outside."""
    if not shapes:
        return None
    low = np.min([points.min(axis=0) for points in shapes], axis=0) - thickness - 1
    high = np.max([points.max(axis=0) for points in shapes], axis=0) + thickness + 1
    left, top = (int(max(0, value)) for value in np.floor(low))
    right = int(min(coverage.shape[1], np.ceil(high[0])))
    bottom = int(min(coverage.shape[0], np.ceil(high[1])))
    if right <= left or bottom <= top:
        return None
    return left, top, right - left, bottom - top


def _merge(coverage: Array, fine: Image.Image, window: tuple[int, int, int, int]) -> None:
    """Reduce a fine image to pixels and keep the greater coverage."""
    left, top, width, height = window
    reduced = np.asarray(fine.reduce(FINENESS), dtype=np.float32) / 255
    area = coverage[top : top + height, left : left + width]
    np.maximum(area, reduced, out=area)
