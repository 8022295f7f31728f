"""Metrics: behind a token, counted from the tables, and no page without the token."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from study_server.app import create_app
from study_server.web.configuration import EXTENSION, ServerConfiguration


@pytest.fixture
def client(small: Any) -> Iterator[Any]:
    small.answer("P1", 3)
    small.answer("P2", 2)
    url = small.engine.url.render_as_string(hide_password=False)
    app = create_app(ServerConfiguration(url, b"x" * 32, {}))
    yield app.test_client()
    app.extensions[EXTENSION].engine.dispose()


def test_without_a_token_there_is_no_page(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LONTAR_METRICS_TOKEN", raising=False)
    assert client.get("/metrics").status_code == 404
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404
    monkeypatch.setenv("LONTAR_METRICS_TOKEN", "right")
    assert client.get("/metrics", headers={"Authorization": "Bearer wrong"}).status_code == 404


def test_with_the_token_the_numbers_are_there(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LONTAR_METRICS_TOKEN", "right")
    reply = client.get("/metrics", headers={"Authorization": "Bearer right"})
    assert reply.status_code == 200
    lines = reply.text.splitlines()
    assert "lontar_answers 5.0" in lines
    assert "lontar_answers_needed 72.0" in lines
    assert 'lontar_participants{state="invited"} 6.0' in lines
    assert "lontar_study_open 1.0" in lines
    counted = [line for line in lines if line.startswith("lontar_questions{")]
    assert sum(float(line.split()[-1]) for line in counted) == 24
