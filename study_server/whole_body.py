"""Takes a request in whole before anything is computed: nobody waits for somebody else's link."""

from __future__ import annotations

import io
import socket
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

# A link that brings nothing for so long is gone, whether or not anybody said so.
PATIENCE_SECONDS = 60.0
SOCKET = "gunicorn.socket"


class WholeBody:
    """A WSGI application that is given only requests that have arrived whole.

    A form that was cut off is refused: half of an answer may look like one. What is announced as
    larger than `largest` bytes is left unread, for the application to refuse.
    """

    def __init__(self, application: WSGIApplication, largest: int) -> None:
        self._application, self._largest = application, largest

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request, if all of it comes."""
        try:
            whole = self._receive(environ)
        except (OSError, ValueError):
            whole = False
        if whole:
            return self._application(environ, start_response)
        _hear_no_more(environ)
        start_response("400 Bad Request", [("Content-Length", "0")])
        return []

    def _receive(self, environ: WSGIEnvironment) -> bool:
        """Read the body, if there is one; tell whether as much came as was announced."""
        chunked = "chunked" in environ.get("HTTP_TRANSFER_ENCODING", "").lower()
        announced = int(environ.get("CONTENT_LENGTH") or 0)
        if not chunked and not 0 < announced <= self._largest:
            return True
        link = environ.get(SOCKET)
        if link is not None:
            link.settimeout(PATIENCE_SECONDS)
        try:
            body = environ["wsgi.input"].read(self._largest + 1 if chunked else announced)
        finally:
            if link is not None:
                link.settimeout(None)
        environ["wsgi.input"] = io.BytesIO(body)
        if chunked:
            del environ["HTTP_TRANSFER_ENCODING"]
            environ["CONTENT_LENGTH"] = str(len(body))
        return chunked or len(body) == announced


def _hear_no_more(environ: WSGIEnvironment) -> None:
    """Let the link end with the reply: the rest of this request is not to be taken for another."""
    link: socket.socket | None = environ.get(SOCKET)
    if link is not None:
        with suppress(OSError):
            link.shutdown(socket.SHUT_RD)
