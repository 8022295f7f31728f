"""One question of each format on real photographs of palm leaves, by keyboard alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


@pytest.fixture
def real_leaves(
    make_small_study: Callable[..., Path],
    run_server: Callable[..., Any],
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> Any:
    """A study on the five Khmer folios where they are present, else on drawn leaves."""
    folder = make_small_study(tmp_path / "study", people=2)
    folios = Path(__file__).parents[2].parent / "shared" / "khmer-folios" / "images"
    photographs = sorted(folios.glob("*.jp*g")) if folios.is_dir() else []
    for number, image in enumerate(sorted((folder / "benchmark" / "images").iterdir())):
        if photographs:
            image.write_bytes(photographs[number % len(photographs)].read_bytes())
    return run_server(folder)


def shown_width(page: Page) -> Any:
    return page.evaluate(
        "document.getElementById('frame').viewer.world.getItemAt(0).getContentSize().x"
    )


def test_each_format_is_answered_on_a_real_leaf_without_a_mouse(
    real_leaves: Any, page: Page
) -> None:
    keys = page.keyboard
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(real_leaves.links["P01"])
    page.get_by_role("button", name="English").press("Enter")
    page.get_by_role("button", name="I have read the instructions").press("Enter")
    widths = []
    for pressed in ("2", "23", "1", "12", None, "4"):
        page.wait_for_selector("#frame[data-shown=yes]")
        widths.append(shown_width(page))
        asked = page.locator("#asked").inner_text()
        keys.press("+")
        keys.press("Shift+ArrowRight")
        keys.press("Home")
        if pressed is None:
            page.locator("#text").focus()
            keys.insert_text("ព្រះ\nធម៌ □")
            keys.press("Control+Enter")
        else:
            for key in pressed:
                keys.press(key)
            keys.press("Enter")
        page.wait_for_function("w => document.getElementById('asked')?.innerText !== w", arg=asked)
    expect(page.locator(".code")).to_be_visible()
    stored = [row["raw_response"] for row in real_leaves.responses() if row["participant"] == "P01"]
    assert stored == ["Khmer", ["cracks", "stains"], "yes", 12, "ព្រះ\nធម៌ □", "ខ្មែរ"]
    # The whole picture, not a smaller copy of it.
    assert min(widths) >= 900
    real_leaves.stop()
