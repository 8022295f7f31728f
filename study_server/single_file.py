"""Lets the pages that everybody asks for all the time through a few at once.

Python runs one thread at a time. Several that compute at once do not get on faster: each has to
wait for the others after every word with the database, which holds a lock meanwhile. So there are
many threads, for a reply to a slow link occupies one until it has arrived, but few that compute.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING

from study_server.store.turns import before_waiting

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


class SingleFile:
    """A WSGI application, with so many requests of one path at once and the others as they come.

    What is sent is computed in turn and sent out of turn. Whoever has to wait for another process
    to write lets the next one in.
    """

    def __init__(self, application: WSGIApplication, path: str, width: int = 1) -> None:
        self._application, self._path = application, path
        self._places = threading.BoundedSemaphore(width)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        if environ["PATH_INFO"] != self._path:
            return self._application(environ, start_response)
        place = _Place(self._places)
        waiting = before_waiting.set(place.leave)
        try:
            return self._application(environ, start_response)
        finally:
            before_waiting.reset(waiting)
            place.leave()


class _Place:
    """A place among those who compute, left once."""

    def __init__(self, places: threading.BoundedSemaphore) -> None:
        places.acquire()
        self._places: threading.BoundedSemaphore | None = places

    def leave(self) -> None:
        if self._places is not None:
            self._places.release()
            self._places = None
