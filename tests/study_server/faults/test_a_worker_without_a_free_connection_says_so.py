"""All connections wait for something: who comes then is asked to try again; a monitor sees it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from study_server.web.configuration import EXTENSION


def test_pages_and_the_monitor_answer_503_until_a_connection_is_free(
    small_study: Callable[..., Any],
) -> None:
    study = small_study()
    visit = study.visit("P01")
    engine = study.app().extensions[EXTENSION].engine
    engine.pool._timeout = 0.1  # instead of half a minute
    with ExitStack() as held:
        for _ in range(64):
            held.enter_context(engine.connect())
        assert visit.client.get("/healthz").status_code == 503
        page = visit.client.get("/question")
        assert (page.status_code, page.headers["Retry-After"]) == (503, "5")
    assert visit.client.get("/healthz").status_code == 200
    assert visit.client.get("/question").status_code == 200
