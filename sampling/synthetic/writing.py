"""Writing on a leaf: shaped text with a scribe's unevenness, as coverage of ink."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sampling.synthetic.attributes import VERSE_COLLECTION, Folio
from sampling.synthetic.canvas import Array, Points, add_lines, add_outline, chance, placed
from sampling.synthetic.layout import MARGIN, Layout
from sampling.synthetic.letters import SYLLABARIES, number, word
from sampling.synthetic.shaping import ShapedText, outline, shape

VERSE_GAP_EMS = 2.6
NOTE_SCALE = 0.56


@dataclass(frozen=True)
class Scribe:
    """A hand: its slant, and how much its letters vary in size, tilt and height."""

    slant: float
    size: float
    tilt: float
    height: float
    wave: float


def hand(folio: Folio, seed: str) -> Scribe:
    """Choose a folio's scribe."""
    noise = chance(seed, folio.name, "scribe")
    slant = 0.0 if folio.script == "sundanese" else noise.uniform(-0.03, 0.14)
    return Scribe(
        slant,
        noise.uniform(0.02, 0.045),
        noise.uniform(0.01, 0.025),
        noise.uniform(0.015, 0.035),
        noise.uniform(1.0, 2.4),
    )


def add_text(
    coverage: Array,
    text: ShapedText,
    at: tuple[float, float],
    em: float,
    scribe: Scribe,
    noise: np.random.Generator,
) -> None:
    """Write a shaped text from a point on its baseline, letter groups varying as units.

    The glyphs of one cluster share one variation, so that marks and subjoined letters stay
    where HarfBuzz put them.
    """
    unsteady: dict[int, tuple[float, float, float]] = {}
    anchors: dict[int, float] = {}
    for glyph in text.glyphs:
        if glyph.cluster not in unsteady:
            unsteady[glyph.cluster] = (
                1 + noise.normal(0, scribe.size),
                noise.normal(0, scribe.tilt),
                noise.normal(0, scribe.height),
            )
            anchors[glyph.cluster] = glyph.x
        size, tilt, lift = unsteady[glyph.cluster]
        anchor = anchors[glyph.cluster]
        contours = []
        for points in outline(text.script, glyph.glyph_id):
            x = points[:, 0] + glyph.x - anchor
            y = points[:, 1] + glyph.y
            across = size * (x - tilt * y) + anchor + scribe.slant * y
            up = size * (y + tilt * x) + lift
            contours.append(np.column_stack([at[0] + em * across, at[1] - em * up]))
        if contours:
            add_outline(coverage, contours)


def add_main_text(coverage: Array, folio: Folio, layout: Layout, seed: str) -> None:
    """Fill every line's stretches with invented words, flush at both ends."""
    scribe = hand(folio, seed)
    noise = chance(seed, folio.name, "text")
    texts = _texts(folio, seed)
    phase = noise.uniform(0, 2 * np.pi)
    for line, (baseline, segments) in enumerate(
        zip(layout.baselines, layout.segments, strict=True)
    ):
        for left, right in segments:
            for text, x in _justified(texts, left, right, layout.em):
                sway = scribe.wave * np.sin(x / 260 + phase + line)
                y = baseline + float(layout.bow(x)) + sway
                add_text(coverage, text, (x, y), layout.em, scribe, noise)


def _justified(
    texts: Iterator[tuple[ShapedText, float]], left: float, right: float, em: float
) -> list[tuple[ShapedText, float]]:
    """Take words until a stretch is full, passing over those too long for what is left.

    Returns
    -------
    Each word and where it begins; what is left over is shared out among the gaps.
    """
    chosen: list[tuple[ShapedText, float]] = []
    room = (right - left) / em
    refused = 0
    while refused < 12:
        text, gap = next(texts)
        if text.width <= room:
            chosen.append((text, gap))
            room -= text.width + gap
        else:
            refused += 1
    spare = room + (chosen[-1][1] if chosen else 0)
    stretch = spare / (len(chosen) - 1) if len(chosen) > 1 else 0.0
    x = left
    placed = []
    for text, gap in chosen:
        placed.append((text, x))
        x += (text.width + gap + stretch) * em
    return placed


def _texts(folio: Folio, seed: str) -> Iterator[tuple[ShapedText, float]]:
    """Yield shaped words without end, each with the gap after it in ems."""
    letters = SYLLABARIES[folio.script]
    verse = folio.collection == VERSE_COLLECTION
    gap = 0.34 if letters.space else 0.05
    count = 0
    verse_number = 1 + len(folio.name) % 7
    while True:
        count += 1
        letters_of_word = word(folio.script, seed, folio.name, str(count))
        if count % 9 == 0 and not verse:
            letters_of_word += f" {letters.stop}"
        made_up = shape(letters_of_word, folio.script)
        if verse and count % 12 == 0:
            yield made_up, 0.5
            numeral, script = number(folio.script, verse_number)
            closing = f"{letters.verse_stop} {numeral} {letters.verse_stop}"
            yield shape(closing, script), VERSE_GAP_EMS
            verse_number += 1
        elif verse:
            yield made_up, VERSE_GAP_EMS if count % 3 == 0 else gap
        else:
            yield made_up, gap if count % 9 else 0.5


def ruled_lines(layout: Layout) -> list[Points]:
    """Give a line under every line of text, from end to end of the leaf."""
    x = np.linspace(layout.leaf.left + 14, layout.leaf.right - 14, 60)
    return [
        np.column_stack([x, baseline + 0.1 * layout.em + layout.bow(x)])
        for baseline in layout.baselines
    ]


def add_folio_number(coverage: Array, folio: Folio, layout: Layout, seed: str) -> None:
    """Write the leaf's number in the script's numerals in the left margin."""
    noise = chance(seed, folio.name, "folio number")
    text, script = number(folio.script, int(noise.integers(11, 99)))
    shaped = shape(text, script)
    em = layout.em * 1.25
    x = layout.leaf.left + 0.52 * MARGIN - shaped.width * em / 2
    y = layout.leaf.middle[1] + 0.3 * em + float(layout.bow(x))
    add_text(coverage, shaped, (x, y), em, hand(folio, seed), noise)


def add_marginal_note(coverage: Array, folio: Folio, layout: Layout, seed: str) -> None:
    """Write three short lines of small letters in the right margin."""
    noise = chance(seed, folio.name, "note")
    em = layout.em * NOTE_SCALE
    for line in range(3):
        x = layout.leaf.right - MARGIN + 52
        y = layout.leaf.middle[1] + (line - 0.6) * em * 1.9 + float(layout.bow(x))
        count = 0
        while True:
            count += 1
            made_up = word(folio.script, seed, folio.name, "note", str(line), str(count))
            shaped = shape(made_up, folio.script)
            if x + shaped.width * em > layout.leaf.right - 30:
                break
            add_text(coverage, shaped, (x, y), em, hand(folio, seed), noise)
            x += (shaped.width + 0.3) * em


def add_correction(coverage: Array, folio: Folio, layout: Layout, seed: str) -> None:
    """Strike words out with two lines and write a small word and a caret above them."""
    noise = chance(seed, folio.name, "correction")
    line = len(layout.baselines) // 2
    left, right = max(layout.segments[line], key=lambda stretch: stretch[1] - stretch[0])
    width = 4.6 * layout.em
    x = left + (right - left - width) * noise.uniform(0.25, 0.75)
    y = layout.baselines[line] + float(layout.bow(x))
    across = np.linspace(x, x + width, 24)
    strokes = [
        np.column_stack([across, y - layout.em * up + noise.normal(0, 0.7, 24)])
        for up in (0.42, 0.2)
    ]
    add_lines(coverage, strokes, 3.0)
    caret = placed([[-9, 4], [0, -12], [9, 4]], x + width + 12, y + 6)
    add_lines(coverage, [caret], 2.6)
    inserted = shape(word(folio.script, seed, folio.name, "correction"), folio.script)
    em = layout.em * 0.6
    at = (x + (width - inserted.width * em) / 2, y - 0.98 * layout.em)
    add_text(coverage, inserted, at, em, hand(folio, seed), noise)
