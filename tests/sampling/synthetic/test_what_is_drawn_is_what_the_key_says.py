"""What is drawn is what the key says: lines, holes, margins, additions counted from the pixels."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter1d, uniform_filter
from scipy.signal import find_peaks

from sampling.synthetic.attributes import COLLECTIONS, Folio, invent_folios
from sampling.synthetic.canvas import blank
from sampling.synthetic.damage import FADED_STRENGTH, ink_strength, losses
from sampling.synthetic.drawings import add_drawing
from sampling.synthetic.folio_image import draw_folio, main_ink
from sampling.synthetic.layout import HOLE_RADIUS, WIDTH, lay_out

SEED = "test"
PLAIN = replace(
    invent_folios(SEED, "Khmer", ["Plain"])[0],
    condition=(),
    drawing="",
    coating="plain leaf",
    writing="incised and inked",
    holes=0,
    cord=False,
    damaged_hole=False,
    margins=(),
    features=(),
)


def drawn(**changes: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.asarray(draw_folio(replace(PLAIN, **changes), SEED), dtype=np.float64)


@cache
def undamaged() -> np.ndarray[Any, np.dtype[np.float64]]:
    return drawn()


def flattened(pictured: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The picture's grey values with the leaf's bend taken out."""
    grey = pictured.pixels.mean(axis=2)
    bow = pictured.layout.bow(np.arange(WIDTH)).round().astype(int)
    return np.stack([np.roll(grey[:, x], -bow[x]) for x in range(WIDTH)], axis=1)


def test_the_lines_of_text_counted_in_the_picture_are_the_key(pictures: list[Any]) -> None:
    for pictured in pictures:
        grey = flattened(pictured)
        ink = np.clip(uniform_filter(grey, (31, 31)) - grey - 12, 0, 60)
        layout = pictured.layout
        rows = slice(int(layout.leaf.top) + 22, int(layout.leaf.bottom) - 16)
        columns = slice(int(layout.text.left) + 10, int(layout.text.right) - 10)
        # The median over twelve stretches passes over holes, stains and labels.
        stretches = np.array_split(ink[rows, columns], 12, axis=1)
        profile = gaussian_filter1d(np.median([part.mean(axis=1) for part in stretches], axis=0), 5)
        lines, _ = find_peaks(profile, prominence=0.18 * profile.max(), distance=24)
        assert len(lines) == pictured.folio.lines, pictured.folio.name


def test_every_binding_hole_shows_the_dark_ground_and_no_ink_is_near_it(
    folios: list[Folio],
) -> None:
    for folio in folios[::13]:
        layout = lay_out(folio, SEED)
        assert len(layout.holes) == folio.holes
        ink = main_ink(folio, layout, SEED)
        for x, y in layout.holes:
            middle = y + float(layout.bow(x))
            near = ink[
                int(middle - HOLE_RADIUS - 4) : int(middle + HOLE_RADIUS + 5),
                int(x - HOLE_RADIUS - 4) : int(x + HOLE_RADIUS + 5),
            ]
            assert near.max() == 0, folio.name


def test_a_hole_is_much_darker_than_the_leaf_around_it() -> None:
    with_holes = drawn(holes=2)
    layout = lay_out(replace(PLAIN, holes=2), SEED)
    for x, y in layout.holes:
        row, column = int(y + float(layout.bow(x))), int(x)
        hole = with_holes[row - 5 : row + 6, column - 5 : column + 6].mean()
        beside = with_holes[row - 5 : row + 6, column + 22 : column + 33].mean()
        assert hole < 0.75 * beside


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_margin_is_blank_and_without_one_the_text_goes_to_the_end(side: str) -> None:
    narrow = lay_out(PLAIN, SEED)
    wide = replace(PLAIN, margins=(f"{side} margin",))
    for folio, is_blank in ((PLAIN, False), (wide, True)):
        ink = main_ink(folio, lay_out(folio, SEED), SEED)
        edge = int(narrow.leaf.left if side == "left" else narrow.leaf.right)
        strip = ink[:, edge : edge + 200] if side == "left" else ink[:, edge - 200 : edge]
        assert bool(strip.max() == 0) is is_blank


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("condition", ("cracks",)),
        ("condition", ("stains",)),
        ("condition", ("fading",)),
        ("condition", ("insect damage",)),
        ("condition", ("edge damage",)),
        ("condition", ("missing fragment",)),
        ("condition", ("scratches",)),
        ("coating", "oiled or varnished"),
        ("coating", "gilded"),
        ("coating", "painted"),
        ("writing", "surface inked"),
        ("margins", ("ruled lines",)),
        ("margins", ("correction",)),
        ("features", ("modern label",)),
        ("features", ("stamp",)),
        ("features", ("tape or lamination",)),
        ("features", ("handwritten number",)),
    ],
)
def test_each_attribute_changes_what_one_sees(field: str, value: Any) -> None:
    plain, changed = undamaged(), drawn(**{field: value})
    assert plain.shape == changed.shape
    seen = np.abs(plain - changed).max(axis=2) > 24
    # At least a patch of 20 by 20 pixels, clearly another colour.
    assert seen.sum() > 400


@pytest.mark.parametrize("feature", ["cover board", "colour card or scale"])
def test_what_lies_beside_the_leaf_needs_more_room(feature: str) -> None:
    assert drawn(features=(feature,)).shape[0] > drawn().shape[0] + 40


def test_an_intact_leaf_has_lost_nothing_and_its_ink_is_even() -> None:
    layout = lay_out(PLAIN, SEED)
    assert losses(PLAIN, layout, SEED).max() == 0
    assert ink_strength(PLAIN, SEED).min() > 0.85


def test_faded_ink_is_much_paler_over_a_long_stretch_and_full_elsewhere() -> None:
    strength = ink_strength(replace(PLAIN, condition=("fading",)), SEED)
    assert (strength < FADED_STRENGTH + 0.1).sum() > 0.2 * WIDTH
    assert (strength > 0.85).sum() > 0.4 * WIDTH


@pytest.mark.parametrize("kind", ["rosette", "bird", "fish", "frieze", "tree", "divider", "chart"])
def test_a_drawing_stands_alone_in_the_place_kept_free_for_it(kind: str) -> None:
    folio = replace(PLAIN, drawing=kind, lines=5)
    layout = lay_out(folio, SEED)
    lines = blank(layout.height, WIDTH)
    add_drawing(lines, folio, layout, SEED)
    assert lines.sum() > 1000
    assert not (lines * main_ink(folio, layout, SEED)).any()


def test_cracks_run_between_lines_so_that_they_strike_nothing_out() -> None:
    folio = replace(PLAIN, condition=("cracks",))
    layout = lay_out(folio, SEED)
    gone = losses(folio, layout, SEED)
    for x in np.flatnonzero(gone.any(axis=0))[::40]:
        rows = np.flatnonzero(gone[:, x]) - float(layout.bow(x))
        for baseline in layout.baselines:
            # The body of a letter reaches from the baseline to about half an em above it.
            middle = baseline - 0.3 * layout.em
            assert np.abs(rows - middle).min() > 0.25 * layout.em


def test_collections_of_one_script_can_be_told_apart_by_verse() -> None:
    gaps = {}
    for collection in ("Tamil", "Kambaramayanam"):
        folio = replace(PLAIN, collection=collection, lines=6)
        layout = lay_out(folio, SEED)
        ink = main_ink(folio, layout, SEED)
        row = layout.baselines[2]
        band = ink[int(row - 0.8 * layout.em) : int(row + 0.2 * layout.em)].any(axis=0)
        edges = np.flatnonzero(np.diff(np.flatnonzero(band)) > 1.8 * layout.em)
        gaps[collection] = len(edges)
    assert gaps["Tamil"] == 0
    assert gaps["Kambaramayanam"] >= 4


def test_every_collection_is_drawn_in_its_own_script() -> None:
    assert COLLECTIONS == {
        "Balinese": "balinese",
        "Grantha": "grantha",
        "Jathakam": "malayalam",
        "Kambaramayanam": "tamil",
        "Kannada": "kannada",
        "Khmer": "khmer",
        "Sundanese": "sundanese",
        "Tamil": "tamil",
    }
