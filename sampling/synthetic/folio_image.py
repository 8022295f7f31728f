"""A folio's picture, from its attributes to JPEG bytes that say it is synthetic.

Picture files of synthetic folios, drawn on every processor at once.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from PIL import Image, ImageFilter

from sampling.synthetic.additions import (
    add_card,
    add_cord,
    add_handwritten_number,
    add_label,
    add_mark,
    add_stamp,
    add_tape,
)
from sampling.synthetic.attributes import Folio
from sampling.synthetic.canvas import Array, add_lines, blank, chance, paint
from sampling.synthetic.damage import (
    add_losses,
    add_scratches,
    add_stains,
    binding_holes,
    ink_strength,
    losses,
)
from sampling.synthetic.drawings import add_drawing
from sampling.synthetic.layout import WIDTH, Layout, add_coating, backdrop, grow_leaf, lay_out
from sampling.synthetic.writing import (
    add_correction,
    add_folio_number,
    add_main_text,
    add_marginal_note,
    ruled_lines,
)

JPEG_QUALITIES = (68, 60, 52)
LARGEST_BYTES = 150_000
DESCRIPTION = (
    "Synthetic palm-leaf folio drawn by Lontar with invented syllables; "
    "not a photograph of a manuscript"
)
_DESCRIPTION_TAG, _SOFTWARE_TAG = 0x010E, 0x0131


def draw_folio(folio: Folio, seed: str) -> Image.Image:
    """Draw a folio: the same folio and seed give the same pixels on a machine."""
    layout = lay_out(folio, seed)
    leaf = grow_leaf(folio, layout, seed)
    picture, solid = leaf.picture, leaf.solid
    _add_writing(picture, folio, layout, seed)
    if "stains" in folio.condition:
        add_stains(picture, folio, layout, seed)
    if "scratches" in folio.condition:
        add_scratches(picture, folio, layout, seed)
    add_coating(picture, folio, layout, leaf, seed)
    if "stamp" in folio.features:
        add_stamp(picture, folio, layout, seed)
    if "handwritten number" in folio.features:
        add_handwritten_number(picture, folio, layout, seed)
    add_losses(picture, solid, losses(folio, layout, seed), 2)
    add_losses(picture, solid, binding_holes(folio, layout, seed), 4)
    ground = backdrop(folio, layout, leaf, seed)
    if "modern label" in folio.features:
        add_label(picture, solid, folio, layout, seed)
    if "tape or lamination" in folio.features:
        np.copyto(picture, ground, where=(solid <= 0)[..., None])
        add_tape(picture, solid, folio, layout, seed)
    picture = ground + (picture - ground) * solid[..., None]
    if folio.cord:
        add_cord(picture, folio, layout, seed)
    if "colour card or scale" in folio.features:
        add_card(picture, layout)
    add_mark(picture)
    return Image.fromarray(np.clip(picture + 0.5, 0, 255).astype(np.uint8))


def encode_folio(image: Image.Image) -> bytes:
    """Compress a folio's picture to JPEG whose metadata calls it synthetic.

    The first quality that keeps within `LARGEST_BYTES` is taken, else the last.
    """
    exif = Image.Exif()
    exif[_DESCRIPTION_TAG] = DESCRIPTION
    exif[_SOFTWARE_TAG] = "Lontar"
    file = io.BytesIO()
    for quality in JPEG_QUALITIES:
        file = io.BytesIO()
        image.save(
            file,
            "JPEG",
            quality=quality,
            progressive=True,
            optimize=True,
            exif=exif,
            comment=DESCRIPTION.encode(),
        )
        if file.tell() <= LARGEST_BYTES:
            break
    return file.getvalue()


def main_ink(folio: Folio, layout: Layout, seed: str) -> Array:
    """Give the coverage of the lines of text alone, before fading."""
    ink = blank(layout.height, WIDTH)
    add_main_text(ink, folio, layout, seed)
    return ink


def _add_writing(picture: Array, folio: Folio, layout: Layout, seed: str) -> None:
    """Write and draw on the leaf with the folio's tool."""
    if "ruled lines" in folio.margins:
        ruled = blank(layout.height, WIDTH)
        add_lines(ruled, ruled_lines(layout), 1.5)
        paint(picture, ruled, (96, 66, 40), 0.62)
    ink = main_ink(folio, layout, seed)
    if "correction" in folio.margins:
        add_correction(ink, folio, layout, seed)
    if "marginal note" in folio.margins:
        add_marginal_note(ink, folio, layout, seed)
    # What is asked about does not fade: the folio's number and the drawing.
    firm = blank(layout.height, WIDTH)
    if "folio number" in folio.margins:
        add_folio_number(firm, folio, layout, seed)
    add_drawing(firm, folio, layout, seed)
    strength = np.maximum(ink_strength(folio, seed)[None, :], firm > 0)
    np.maximum(ink, firm, out=ink)
    if folio.writing == "surface inked":
        paint(picture, _brushed(ink, folio, seed) * strength, (28, 22, 22), 0.94)
    else:
        oiled = folio.coating == "oiled or varnished"
        burr = np.roll(ink, (2, 2), (0, 1)) * np.clip(1 - ink, 0, 1)
        stroke = np.clip(1.25 * ink - 0.2, 0, 1)
        paint(picture, burr * strength, (248, 226, 180), 0.38 if oiled else 0.5)
        paint(picture, stroke * strength, (40, 25, 14), 0.95 if oiled else 0.88)


def _brushed(ink: Array, folio: Folio, seed: str) -> Array:
    """Broaden strokes as a slanted nib does, soft at the edge and uneven in ink."""
    broad = np.maximum(ink, np.roll(ink, (-1, 1), (0, 1)))
    soft = Image.fromarray((broad * 255).astype(np.uint8)).filter(ImageFilter.GaussianBlur(0.7))
    noise = chance(seed, folio.name, "brush")
    height, width = ink.shape
    pools = Image.fromarray(noise.uniform(0.78, 1.0, (height // 9 + 1, width // 14 + 1)))
    pools = pools.resize((width, height), Image.Resampling.BILINEAR)
    unevenness = np.asarray(pools, dtype=np.float32)
    return np.asarray(soft, dtype=np.float32) / np.float32(255) * unevenness


Progress = Callable[[int, int], None]

# Starting a process costs as much as drawing a few folios.
FEWEST_TO_SHARE = 12


def write_pictures(
    pictures: Sequence[tuple[Path, Folio]], seed: str, progress: Progress | None = None
) -> None:
    """Draw each folio into its folder as `<name>.jpg`.

    `progress` hears how many of how many are done.
    """
    for folder in dict.fromkeys(folder for folder, _ in pictures):
        folder.mkdir(parents=True, exist_ok=True)
    if len(pictures) < FEWEST_TO_SHARE:
        for done, (folder, folio) in enumerate(pictures, 1):
            _write_picture(folder, folio, seed)
            _tell(progress, done, len(pictures))
        return
    # Not forked: the caller may run threads, such as a progress bar's.
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as processes:
        work = [processes.submit(_write_picture, folder, folio, seed) for folder, folio in pictures]
        try:
            for done, drawn in enumerate(as_completed(work), 1):
                drawn.result()
                _tell(progress, done, len(pictures))
        finally:  # Whoever interrupts does not wait for all that was to come.
            processes.shutdown(cancel_futures=True)


def _write_picture(folder: Path, folio: Folio, seed: str) -> None:
    (folder / f"{folio.name}.jpg").write_bytes(encode_folio(draw_folio(folio, seed)))


def _tell(progress: Progress | None, done: int, total: int) -> None:
    if progress is not None:
        progress(done, total)
