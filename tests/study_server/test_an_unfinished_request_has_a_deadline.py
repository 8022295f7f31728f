"""A request whose rest never comes is refused in time, and nothing of it is computed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest

from study_server.web import edge


class Link:
    """A link that brings these parts and then, if it `stalls`, nothing more."""

    def __init__(self, *parts: bytes, stalls: bool = False) -> None:
        self.parts, self.stalls = parts, stalls
        self.status, self.body = 0, b""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for part in self.parts:
            yield part
        if self.stalls:
            await asyncio.sleep(3600)

    def response_empty(self, status: int, _headers: Any) -> None:
        self.status = status

    def response_bytes(self, status: int, _headers: Any, body: bytes) -> None:
        self.status, self.body = status, body


def application(environ: dict[str, Any], start: Any) -> list[bytes]:
    start("200 OK", [])
    return [environ.get("CONTENT_LENGTH", "").encode(), b" ", environ["wsgi.input"].read()]


def send(link: Link, **headers: str) -> tuple[int, bytes]:
    scope = SimpleNamespace(
        method="POST",
        path="/",
        query_string="",
        http_version="1.1",
        server="[::1]:8000",
        client="[::1]:50000",
        scheme="http",
        headers={name.replace("_", "-"): value for name, value in headers.items()},
    )
    asyncio.run(edge.Edge(application).__rsgi__(scope, link))  # type: ignore[arg-type]
    return link.status, link.body


def test_who_stalls_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge, "PATIENCE_SECONDS", 0.05)
    assert send(Link(b"a", stalls=True), content_length="2") == (408, b"")


@pytest.mark.parametrize(
    ("parts", "headers", "reply"),
    [
        ([b"a", b"=b"], {"content_length": "3"}, (200, b"3 a=b")),
        ([], {}, (200, b" ")),
        ([b"a=b"], {"transfer_encoding": "chunked"}, (200, b"3 a=b")),
        ([b"a=1"], {"content_length": "4"}, (400, b"")),
        ([b"a=1"], {"content_length": "many"}, (400, b"")),
        # Left unread, for the application to refuse by its length.
        ([b"a"], {"content_length": "2000001"}, (200, b"2000001 ")),
    ],
)
def test_a_body_comes_whole_or_not_at_all(
    parts: list[bytes], headers: dict[str, str], reply: tuple[int, bytes]
) -> None:
    assert send(Link(*parts), **headers) == reply


def test_what_grows_too_large_is_cut_off_just_above_the_limit() -> None:
    status, body = send(Link(*[b"x" * 900_000] * 9), transfer_encoding="chunked")
    assert (status, body[:8]) == (200, b"2700000 ")
