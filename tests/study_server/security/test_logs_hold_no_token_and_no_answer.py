"""What the server writes down: routes and ids, never an address with a token, never an answer."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

import pytest

from sampling.study.errors import StudyError
from study_server.participant import question_pages, signing_in
from study_server.web.monitoring import JsonLines, chosen_level, logging_configuration

Study = Callable[..., Any]


@pytest.fixture
def lines() -> Iterator[list[str]]:
    """Every line that any logger writes, in the server's own format."""
    written: list[str] = []

    class Keeper(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            written.append(JsonLines().format(record))

    keeper, root, ours = Keeper(), logging.getLogger(), logging.getLogger("lontar")
    levels = root.level, ours.level
    root.addHandler(keeper)
    root.setLevel("INFO")
    ours.setLevel("INFO")
    yield written
    root.removeHandler(keeper)
    root.setLevel(levels[0])
    ours.setLevel(levels[1])


def test_a_whole_visit_leaves_neither_token_nor_answer_nor_key_in_the_log(
    small_study: Study, lines: list[str]
) -> None:
    study = small_study(toml="\n[server]\ncomments = true\n")
    visit = study.visit("P01")
    slot, key = visit.field("slot"), visit.field("key")
    visit.answer("Tamil", comment="a secret remark")
    visit.post("/sign-in", link=f"https://h/p/{study.links['P02']}")
    text = "\n".join(lines)
    assert '"route": "/p/<token>"' in text
    assert '"route": "/question"' in text
    for secret in (*study.links.values(), slot, key, "Tamil", "a secret remark", "127.0.0.1"):
        assert secret not in text, secret


def test_a_failure_is_logged_by_kind_and_place_under_the_id_of_its_page(
    small_study: Study, lines: list[str]
) -> None:
    study = small_study()
    client = study.app().test_client()
    client.application.config["PROPAGATE_EXCEPTIONS"] = False
    token = study.links["P01"]
    with patch.object(signing_in, "find_link", side_effect=ValueError(f"bad token {token}")):
        reply = client.get(f"/p/{token}")
    assert reply.status_code == 500
    shown = reply.headers["X-Request-Id"]
    assert shown in reply.get_data(as_text=True)
    (line,) = [json.loads(one) for one in lines if '"level": "error"' in one]
    assert (line["request_id"], line["exception"]) == (shown, "ValueError")
    assert any("signing_in.py" in frame for frame in line["frames"])
    assert token not in "".join(lines)


def test_an_error_is_logged_without_the_value_it_was_about(
    small_study: Study, lines: list[str]
) -> None:
    visit = small_study().visit("P01")
    with patch.object(question_pages, "receive_answer", side_effect=KeyError("Khmer")):
        visit.client.application.config["PROPAGATE_EXCEPTIONS"] = False
        visit.client.post(
            "/question",
            data={"csrf_token": visit.field("csrf_token"), "slot": "x", "answer": "Khmer"},
        )
    assert "Khmer" not in "".join(lines)


def test_every_line_is_one_json_object_in_utc(small_study: Study, lines: list[str]) -> None:
    small_study().app().test_client().get("/healthz")
    for line in map(json.loads, lines):
        assert line["at"].endswith("Z")
        assert line["level"] in {"debug", "info", "warning", "error"}
    health = next(line for line in map(json.loads, lines) if line.get("route") == "/healthz")
    assert (health["method"], health["status"]) == ("GET", 200)
    assert len(health["request_id"]) == 16


def test_the_level_is_chosen_by_a_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LONTAR_LOG", raising=False)
    assert chosen_level() == "warning"
    monkeypatch.setenv("LONTAR_LOG", "INFO")
    assert logging_configuration(chosen_level())["loggers"]["lontar"]["level"] == "INFO"
    monkeypatch.setenv("LONTAR_LOG", "loud")
    with pytest.raises(StudyError, match="'loud' is no level; use one of debug, info"):
        chosen_level()


def test_a_proxys_request_id_is_taken_over_only_where_proxies_are_trusted(
    small_study: Study,
) -> None:
    given = {"X-Request-Id": "from-the-proxy-1"}
    alone = small_study().app().test_client().get("/healthz", headers=given)
    behind = small_study(toml="\n[server]\ntrusted_proxies = 1\n").app().test_client()
    assert alone.headers["X-Request-Id"] != "from-the-proxy-1"
    assert behind.get("/healthz", headers=given).headers["X-Request-Id"] == "from-the-proxy-1"
    bad = behind.get("/healthz", headers={"X-Request-Id": 'x"; drop'})
    assert len(bad.headers["X-Request-Id"]) == 16
