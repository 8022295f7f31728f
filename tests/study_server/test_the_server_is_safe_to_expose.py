"""Security: headers, cookies, tokens, malformed input, secrets, proxies."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select, text
from sqlalchemy.exc import OperationalError

from sampling.study.errors import StudyError
from study_server.folder.inviting import invite
from study_server.folder.secret_files import VARIABLE, secret_key
from study_server.participant import question_pages, signing_in
from study_server.store.schema.database import reading, transaction
from study_server.store.schema.tables import LinkTable

Study = Callable[..., Any]


def test_every_reply_carries_the_security_headers(small_study: Study) -> None:
    client = small_study().app().test_client()
    for address in ("/", "/healthz", "/nowhere", "/static/participant/participant.css"):
        headers = client.get(address).headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["X-Frame-Options"] == "DENY"
        assert re.fullmatch("[0-9a-f]{16}", headers["X-Request-Id"])


def test_no_page_has_inline_scripts_or_styles(small_study: Study) -> None:
    visit = small_study().visit("P01")
    for address in ("/question", "/instructions", "/language", "/withdraw"):
        page = visit.get(address)
        assert not re.search(r"<script(?![^>]*src=)|<style|\son\w+=|\sstyle=", page)


@pytest.mark.parametrize(("scheme", "secure"), [("http", False), ("https", True)])
def test_cookies_are_closed_to_scripts_and_secure_behind_tls(
    small_study: Study, scheme: str, secure: bool
) -> None:
    study = small_study()
    reply = (
        study.app().test_client().get(f"/p/{study.links['P01']}", base_url=f"{scheme}://localhost")
    )
    cookie = reply.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert ("Secure" in cookie) == secure
    assert cookie.startswith("lontar_")


def test_a_proxy_with_a_prefix_is_believed_only_when_trusted(small_study: Study) -> None:
    behind = {
        "X-Forwarded-Prefix": "/leaves",
        "X-Forwarded-Proto": "https",
        "X-Forwarded-Host": "example.org",
    }
    trusted = small_study(toml="\n[server]\ntrusted_proxies = 1\n")
    reply = trusted.app().test_client().get(f"/p/{trusted.links['P01']}", headers=behind)
    assert reply.headers["Location"] == "/leaves/"
    assert "Path=/leaves" in reply.headers["Set-Cookie"]
    assert "Secure" in reply.headers["Set-Cookie"]
    alone = small_study()
    reply = alone.app().test_client().get(f"/p/{alone.links['P01']}", headers=behind)
    assert reply.headers["Location"] == "/"


def test_tokens_have_128_bits_and_are_stored_hashed(small_study: Study) -> None:
    study = small_study()
    with reading(study.engine) as session:
        hashes = list(session.scalars(select(LinkTable.token_hash)))
    for token in study.links.values():
        # URL-safe base64: six bits a character.
        assert len(token) * 6 >= 128
        assert token not in str(hashes)
    files = [Path(f"{study.study.database_file}{ending}") for ending in ("", "-wal")]
    stored = b"".join(file.read_bytes() for file in files if file.exists())
    assert not any(token.encode() in stored for token in study.links.values())


def test_an_unforeseen_error_logs_no_token(
    small_study: Study, caplog: pytest.LogCaptureFixture
) -> None:
    study = small_study()
    with patch.object(signing_in, "find_link", side_effect=RuntimeError("unforeseen")):
        reply = study.app().test_client().get(f"/p/{study.links['P01']}")
    assert reply.status_code == 500
    assert reply.headers["X-Request-Id"] in reply.get_data(as_text=True)
    assert "unforeseen" in caplog.text
    assert study.links["P01"] not in caplog.text


def test_a_renewed_link_ends_the_old_one_and_its_sessions(small_study: Study, noon: Any) -> None:
    study = small_study()
    visit = study.visit("P01")
    with transaction(study.engine) as session:
        (fresh,) = invite(session, ["p01 "], True, noon)
    assert visit.client.get("/question").status_code == 401
    assert visit.client.get(f"/p/{study.links['P01']}").status_code == 404
    assert study.app().test_client().get(f"/p/{fresh.token}").status_code == 303


def test_a_form_without_its_token_is_refused_and_keeps_what_was_typed(small_study: Study) -> None:
    visit = small_study().visit("P01")
    fields = {"slot": visit.field("slot"), "key": "k", "answer": "Khmer"}
    reply = visit.client.post("/question", data=fields)
    assert reply.status_code == 400
    assert 'name="answer" value="Khmer"' in reply.get_data(as_text=True)


@settings(
    max_examples=250, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    path=st.sampled_from(["/question", "/skip", "/problem", "/language", "/consent", "/sign-in",
                          "/preview", "/practice", "/break", "/p/x", "/image/x", "/session"]),
    body=st.one_of(
        st.binary(max_size=300),
        st.dictionaries(
            st.sampled_from(["slot", "key", "answer", "active_seconds", "csrf_token"]),
            st.text(max_size=80),
            max_size=6,
        ),
    ),
    kind=st.sampled_from(["application/x-www-form-urlencoded", "multipart/form-data",
                          "multipart/form-data; boundary=x", "application/json", "text/plain", ""]),
)  # fmt: skip
def test_malformed_bodies_are_the_senders_fault(
    malformed: Callable[[str, Any, str], int], path: str, body: Any, kind: str
) -> None:
    assert malformed(path, body, kind) < 500


@pytest.fixture
def malformed(small_study_anywhere: Study) -> Callable[[str, Any, str], int]:
    """A function that posts anything, signed in, with and without the form token."""
    visit = small_study_anywhere().visit("P01")
    token, slot = visit.field("csrf_token"), visit.field("slot")

    def send(path: str, body: Any, kind: str) -> int:
        if isinstance(body, dict):
            body = {"csrf_token": token, "slot": slot, "key": "k", **body}
            return int(visit.client.post(path, data=body).status_code)
        headers = {"X-CSRFToken": token}
        reply = visit.client.post(path, data=body, content_type=kind, headers=headers)
        return int(reply.status_code)

    return send


def test_an_oversized_body_is_refused(small_study: Study) -> None:
    visit = small_study().visit("P01")
    reply = visit.client.post(
        "/question", data={"csrf_token": visit.field("csrf_token"), "answer": "x" * 3_000_000}
    )
    assert reply.status_code == 413


def test_a_database_that_is_away_is_said_plainly_and_nothing_is_lost(small_study: Study) -> None:
    visit = small_study().visit("P01")
    sent = {name: visit.field(name) for name in ("slot", "key", "csrf_token")} | {"answer": "Khmer"}
    away = OperationalError("SELECT 1", {}, Exception("server closed the connection"))
    with patch.object(question_pages, "receive_answer", side_effect=away):
        reply = visit.client.post("/question", data=sent)
    assert reply.status_code == 503
    assert reply.headers["Retry-After"]
    assert "Nothing was saved" in reply.get_data(as_text=True)
    assert visit.client.post("/question", data=sent).status_code == 303


def test_the_secret_is_made_once_and_for_its_owner_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    first = secret_key(tmp_path)
    assert len(first) == 64
    assert secret_key(tmp_path) == first
    assert (tmp_path / "secrets" / "server.key").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "secrets").stat().st_mode & 0o777 == 0o700
    assert [file.name for file in (tmp_path / "secrets").iterdir()] == ["server.key"]


def test_a_secret_from_the_environment_must_be_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "short")
    with pytest.raises(StudyError, match="openssl rand"):
        secret_key(tmp_path)
    monkeypatch.setenv(VARIABLE, "x" * 32)
    assert secret_key(tmp_path) == b"x" * 32
    assert not (tmp_path / "secrets").exists()


def test_the_database_answers_the_health_check(small_study: Study) -> None:
    study = small_study()
    assert study.app().test_client().get("/healthz").status_code == 200
    with reading(study.engine) as session:
        assert session.scalar(text("PRAGMA journal_mode")) == "wal"
        assert session.scalar(text("PRAGMA synchronous")) == 2
        assert session.scalar(text("PRAGMA foreign_keys")) == 1
