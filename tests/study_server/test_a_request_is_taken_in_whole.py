"""What a request sends has arrived before anything is computed, or the request is refused."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from study_server.whole_body import WholeBody

LARGEST = 10


class Gone(io.BytesIO):
    """A link that brings nothing any more."""

    def read(self, _size: int | None = -1) -> bytes:
        raise TimeoutError


def application(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
    start("200 OK", [])
    length = environ.get("CONTENT_LENGTH", "")
    return [f"{length} ".encode(), environ["wsgi.input"].read()]


def send(stream: io.BytesIO, **environ: str) -> tuple[str, bytes]:
    statuses: list[str] = []
    given: Any = {"wsgi.input": stream, **environ}
    body = WholeBody(application, LARGEST)(given, lambda status, _headers: statuses.append(status))  # type: ignore[arg-type,return-value]
    return statuses[0][:3], b"".join(body)


@pytest.mark.parametrize(
    ("stream", "environ", "reply"),
    [
        (io.BytesIO(b"a=b"), {"CONTENT_LENGTH": "3"}, ("200", b"3 a=b")),
        (io.BytesIO(b""), {}, ("200", b" ")),
        (io.BytesIO(b"a=b"), {"HTTP_TRANSFER_ENCODING": "chunked"}, ("200", b"3 a=b")),
        # One byte more than allowed is enough to be refused.
        (io.BytesIO(b"x" * 99), {"HTTP_TRANSFER_ENCODING": "chunked"}, ("200", b"11 " + b"x" * 11)),
        (io.BytesIO(b"a=1"), {"CONTENT_LENGTH": "4"}, ("400", b"")),
        (io.BytesIO(b"a=1"), {"CONTENT_LENGTH": "many"}, ("400", b"")),
        (Gone(), {"CONTENT_LENGTH": "4"}, ("400", b"")),
        # Left unread: the application refuses it by its length.
        (io.BytesIO(b"x" * 11), {"CONTENT_LENGTH": "11"}, ("200", b"11 " + b"x" * 11)),
    ],
)
def test_a_body_comes_whole_or_not_at_all(
    stream: io.BytesIO, environ: dict[str, str], reply: tuple[str, bytes]
) -> None:
    assert send(stream, **environ) == reply
