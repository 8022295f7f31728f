"""Part of an image can be asked for: who was cut off does not begin again."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture
def visit(small_study: Callable[..., Any]) -> Any:
    """Somebody whose first question is in front of them."""
    study = small_study()
    found = study.visit("P01")
    found.folder = study.study.root / "benchmark" / "images"
    return found


def image_of(visit: Any) -> str:
    found = re.search(r'<img src="([^"]+)"', visit.page)
    assert found
    return found[1]


def ask(visit: Any, **headers: str) -> tuple[int, bytes, Any]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    reply = visit.client.get(image_of(visit), headers=named, buffered=True)
    return reply.status_code, reply.get_data(), reply.headers


def test_the_rest_of_an_image_is_given_to_who_has_its_beginning(visit: Any) -> None:
    status, whole, headers = ask(visit)
    assert (status, headers["Accept-Ranges"]) == (200, "bytes")
    status, rest, later = ask(visit, Range="bytes=1000-", If_Range=headers["ETag"])
    assert (status, rest) == (206, whole[1000:])
    assert later["Content-Range"] == f"bytes 1000-{len(whole) - 1}/{len(whole)}"
    for name in ("ETag", "Cache-Control", "Content-Type"):
        assert later[name] == headers[name]


def test_who_asks_beyond_the_end_is_told_so_and_who_has_all_gets_nothing(visit: Any) -> None:
    _status, whole, headers = ask(visit)
    assert ask(visit, Range=f"bytes={len(whole)}-")[0] == 416
    assert ask(visit, If_None_Match=headers["ETag"])[:2] == (304, b"")


def test_halves_of_two_files_are_never_joined(visit: Any, small_image: Any) -> None:
    headers = ask(visit)[2]
    for file in visit.folder.iterdir():
        file.write_bytes(small_image("another collection"))
    changed = ask(visit)
    assert changed[2]["ETag"] != headers["ETag"]
    status, body, _headers = ask(visit, Range="bytes=1000-", If_Range=headers["ETag"])
    assert (status, body) == (200, changed[1])
    assert ask(visit, If_None_Match=headers["ETag"])[0] == 200
