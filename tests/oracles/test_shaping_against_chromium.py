"""Shaped outlines fall on the same pixels as Chromium's own text, in all seven scripts."""

from __future__ import annotations

import base64
import io
from importlib.resources import files
from typing import Any

import numpy as np
import pytest
from PIL import Image

from sampling.synthetic.canvas import add_outline, blank, placed
from sampling.synthetic.letters import SYLLABARIES, word
from sampling.synthetic.shaping import outline, shape

EM, WIDTH, HEIGHT = 64, 1400, 180
BASELINE = 110
FONT = "noto-sans-{0}-{0}-400-normal.woff"


def drawn_here(text: str, script: str) -> Any:
    coverage = blank(HEIGHT, WIDTH)
    for glyph in shape(text, script).glyphs:
        contours = [
            placed(points, 20 + glyph.x * EM, BASELINE - glyph.y * EM, EM, -EM)
            for points in outline(script, glyph.glyph_id)
        ]
        add_outline(coverage, contours)
    return coverage


def drawn_by_chromium(text: str, script: str, page: Any) -> Any:
    font = files("sampling.synthetic").joinpath("fonts", FONT.format(script)).read_bytes()
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.set_content(
        f"<canvas id=c width={WIDTH} height={HEIGHT} style='position:fixed;left:0;top:0'></canvas>"
    )
    page.evaluate(
        """async ([font, text, em, baseline]) => {
            const face = new FontFace("folio", `url(data:font/woff;base64,${font})`);
            document.fonts.add(await face.load());
            const pen = document.getElementById("c").getContext("2d");
            pen.fillStyle = "white"; pen.fillRect(0, 0, 1e4, 1e4);
            pen.fillStyle = "black"; pen.font = `${em}px folio`;
            pen.fillText(text, 20, baseline);
        }""",
        [base64.b64encode(font).decode(), text, EM, BASELINE],
    )
    image = Image.open(io.BytesIO(page.screenshot())).convert("L")
    return 1 - np.asarray(image, dtype=np.float64) / 255


@pytest.mark.browser
@pytest.mark.parametrize("script", sorted(SYLLABARIES))
def test_the_ink_is_where_chromium_puts_it(script: str, page: Any) -> None:
    text = " ".join(word(script, "oracle", str(number)) for number in range(5))
    ours, theirs = drawn_here(text, script), drawn_by_chromium(text, script, page)
    common = np.minimum(ours, theirs).sum()
    assert theirs.sum() > 2000
    # Hinting and anti-aliasing differ by fractions of a pixel at the strokes' edges; a wrong
    # order, a missing sign or a wrong stack would lose far more.
    assert common / max(ours.sum(), theirs.sum()) > 0.93
