"""The server's edge: Granian takes requests in and sends replies, and a few threads compute.

No thread waits for somebody's link: a request is computed when all of it has come, and its reply
is handed over whole, an image as the name of its file.
"""

from __future__ import annotations

import asyncio
import io
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from granian.rsgi import ProtocolClosed

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication, WSGIEnvironment
    from granian.rsgi import HTTPProtocol, Scope

LARGEST_REQUEST = 2_000_000
# A request that is not whole after so long is refused; a long transcription has a few kilobytes.
PATIENCE_SECONDS = 60.0
# Pages that compute long or wait for a disk or another host; questions do not wait behind them.
SLOW = ("/image/", "/coordinator")
SLOW_THREADS = 4
# Where an application names the file that its reply consists of, in the request's environment.
REPLY_FILE = "lontar.reply_file"
Headers = list[tuple[str, str]]


class Edge:
    """An RSGI application that runs a WSGI one in `threads` threads, and slow pages in others."""

    def __init__(self, application: WSGIApplication, threads: int = 1) -> None:
        self._application = application
        self._quick = ThreadPoolExecutor(threads, "quick")
        self._slow = ThreadPoolExecutor(SLOW_THREADS, "slow")

    async def __rsgi__(self, scope: Scope, protocol: HTTPProtocol) -> None:
        """Answer a request, if all of it comes in time."""
        environ = environment(scope)
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                whole = await _receive(environ, protocol)
        except TimeoutError:
            protocol.response_empty(408, [("connection", "close")])
            return
        except ProtocolClosed:
            whole = False
        if not whole:
            protocol.response_empty(400, [("connection", "close")])
            return
        threads = self._slow if scope.path.startswith(SLOW) else self._quick
        loop = asyncio.get_running_loop()
        status, headers, body = await loop.run_in_executor(threads, run, self._application, environ)
        _send(protocol, status, headers, body, environ.get(REPLY_FILE))

    def __rsgi_del__(self, _loop: object) -> None:
        """Let what is computed end, when no request is left."""
        self._quick.shutdown()
        self._slow.shutdown()


def run(application: WSGIApplication, environ: WSGIEnvironment) -> tuple[int, Headers, bytes]:
    """Return the status, headers and body of a WSGI application's reply.

    The body is empty where the application names a file that it consists of.
    """
    begun: list[Any] = []

    def start(status: str, headers: Headers, _failure: object = None) -> Any:
        begun[:] = [int(status.partition(" ")[0]), headers]
        return io.BytesIO().write

    reply: Iterable[bytes] = application(environ, start)
    try:
        in_file = REPLY_FILE in environ and begun and begun[0] in (200, 206)
        body = b"" if in_file else b"".join(reply)
    finally:
        if hasattr(reply, "close"):
            reply.close()
    return begun[0], begun[1], body


def environment(scope: Scope) -> WSGIEnvironment:
    """Return a request as WSGI has it, without a body.

    Headers whose names have an underscore are left out: they would pass for a proxy's own.
    """
    server, _, port = scope.server.rpartition(":")
    environ: WSGIEnvironment = {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": scope.path.encode("utf-8", "replace").decode("latin-1"),
        "QUERY_STRING": scope.query_string,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "SERVER_NAME": server.strip("[]"),
        "SERVER_PORT": port,
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": io.BytesIO(),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in scope.headers.items():
        if "_" in name:
            continue
        key = name.upper().replace("-", "_")
        if key not in {"CONTENT_TYPE", "CONTENT_LENGTH"}:
            key = f"HTTP_{key}"
        between = "; " if key == "HTTP_COOKIE" else ","
        environ[key] = f"{environ[key]}{between}{value}" if key in environ else value
    return environ


async def _receive(environ: WSGIEnvironment, protocol: HTTPProtocol) -> bool:
    """Take in the body, and tell whether all of it came.

    What is announced as too large is left unread, and what grows too large is cut off: the
    application refuses both by their length.
    """
    chunked = "HTTP_TRANSFER_ENCODING" in environ
    announced = environ.get("CONTENT_LENGTH", "0")
    if not chunked:
        if not announced.isdecimal():
            return False
        if not 0 < int(announced) <= LARGEST_REQUEST:
            return True
    body = bytearray()
    async for part in protocol:
        body += part
        if len(body) > LARGEST_REQUEST:
            break
    environ["wsgi.input"] = io.BytesIO(body)
    if chunked:
        del environ["HTTP_TRANSFER_ENCODING"]
        environ["CONTENT_LENGTH"] = str(len(body))
    return chunked or len(body) == int(announced)


def _send(
    protocol: HTTPProtocol, status: int, headers: Headers, body: bytes, file: str | None
) -> None:
    """Hand a reply over: who reads it slowly is Granian's matter."""
    if file is not None and status == 200:
        protocol.response_file(status, headers, file)
    elif file is not None and status == 206:
        first, last = dict(headers)["Content-Range"].split()[1].partition("/")[0].split("-")
        protocol.response_file_range(status, headers, file, int(first), int(last) + 1)
    else:
        protocol.response_bytes(status, headers, body)
