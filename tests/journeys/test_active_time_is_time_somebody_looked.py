"""Active seconds: visible, focused, not idle for longer than the cap, within what passed."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from playwright.sync_api import Page, Route

pytestmark = pytest.mark.browser

BLUR = "document.hasFocus = () => false"
HIDE = "Object.defineProperty(document, 'visibilityState', {get: () => 'hidden'})"


def test_idle_hidden_and_sleeping_time_does_not_count(
    page: Page, new_person: Callable[[Page], Any]
) -> None:
    person = new_person(page)
    page.clock.install()
    person.enter()
    sent: list[str] = []

    def note(route: Route) -> None:
        sent.extend(re.findall("active_seconds=([^&]+)", route.request.post_data or ""))
        route.continue_()

    page.route("**/question", note)
    page.mouse.move(200, 200)
    # Five minutes without a sign of life: only the first 60 seconds count.
    page.clock.run_for(300_000)
    # A computer that slept wakes up in one long moment.
    page.mouse.move(210, 200)
    page.clock.fast_forward(50_000)
    for away in (BLUR, f"delete document.hasFocus; {HIDE}"):
        page.evaluate(away)
        page.mouse.move(220, 200)
        page.clock.run_for(30_000)
    asked = person.asked
    person.give_answer()
    person.save()
    page.clock.run_for(1_000)
    person.wait_for_next(asked)
    (seconds,) = (float(one) for one in sent)
    # The page was really open for some seconds before and between, on however slow a machine.
    assert 60 <= seconds < 90
    (row,) = person.rows()
    shown, submitted = (datetime.fromisoformat(row[name]) for name in ("shown_at", "submitted_at"))
    # No more than the server's own clock saw, whatever the browser says.
    assert 0 <= row["active_seconds"] <= (submitted - shown).total_seconds()
