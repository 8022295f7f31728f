"""A person's browser as light as can be: one connection that stays, one cookie jar, no parsing."""

from __future__ import annotations

import asyncio
import html
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode

HIDDEN = {
    name: re.compile(rf'name="{name}" value="([^"]*)"'.encode())
    for name in ("slot", "key", "csrf_token")
}
FORMAT = re.compile(rb'data-format="([a-z]+)"')
VALUE = re.compile(rb'name="answer" value="([^"]+)"')
Form = Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Reply:
    """What came back: status, where it leads, the body, and how long it took."""

    status: int
    location: str
    body: bytes
    seconds: float


@dataclass
class Timings:
    """How long each kind of request took, in seconds."""

    question: list[float] = field(default_factory=list)
    answer: list[float] = field(default_factory=list)
    pair: list[float] = field(default_factory=list)

    def note(self, question: float, answer: float) -> None:
        self.question.append(question)
        self.answer.append(answer)
        self.pair.append(question + answer)


class Connection:
    """One connection to a server, opened when needed, that keeps its cookies."""

    def __init__(self, host: str, port: int, cookies: dict[str, str] | None = None) -> None:
        self.host, self.port = host, port
        self.cookies = {} if cookies is None else cookies
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, path: str) -> Reply:
        return await self.send("GET", path)

    async def post(self, path: str, form: Form, accept: str = "text/html") -> Reply:
        return await self.send("POST", path, form, accept)

    async def send(
        self, method: str, path: str, form: Form | None = None, accept: str = "text/html"
    ) -> Reply:
        """Send a request; a connection that was closed while idle is opened again."""
        request = self._request(method, path, form, accept)
        before = time.perf_counter()
        for fresh in (self._streams is None, True):
            try:
                reader, writer = await self._open()
                writer.write(request)
                status, headers, body = await _read(reader)
            except (ConnectionError, asyncio.IncompleteReadError):
                self.close()
                if fresh:
                    raise
                continue
            break
        self._keep_cookies(headers)
        if headers.get(b"connection", [b""])[0].lower() == b"close":
            self.close()
        location = headers.get(b"location", [b""])[0].decode("latin-1")
        return Reply(status, location, body, time.perf_counter() - before)

    async def send_and_vanish(self, path: str, form: Form, delay: float) -> None:
        """Send a form and hang up before the reply is read."""
        request = self._request("POST", path, form, "text/html")
        try:
            _reader, writer = await asyncio.open_connection(self.host, self.port)
            writer.write(request)
            await writer.drain()
            await asyncio.sleep(delay)
        except ConnectionError:
            return
        writer.transport.abort()

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].transport.abort()
            self._streams = None

    async def _open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._streams is None:
            self._streams = await asyncio.open_connection(self.host, self.port, limit=2**20)
        return self._streams

    def _request(self, method: str, path: str, form: Form | None, accept: str) -> bytes:
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self.host}:{self.port}", f"Accept: {accept}"]
        if cookie:
            lines.append(f"Cookie: {cookie}")
        body = b""
        if form is not None:
            body = urlencode(form).encode("ascii")
            lines += [
                "Content-Type: application/x-www-form-urlencoded",
                f"Content-Length: {len(body)}",
            ]
        return "\r\n".join([*lines, "", ""]).encode("latin-1") + body

    def _keep_cookies(self, headers: Mapping[bytes, list[bytes]]) -> None:
        for line in headers.get(b"set-cookie", []):
            name, _, rest = line.decode("latin-1").partition("=")
            self.cookies[name] = rest.partition(";")[0]


async def _read(reader: asyncio.StreamReader) -> tuple[int, dict[bytes, list[bytes]], bytes]:
    head = await reader.readuntil(b"\r\n\r\n")
    first, *lines = head[:-4].split(b"\r\n")
    headers: dict[bytes, list[bytes]] = {}
    for line in lines:
        name, _, value = line.partition(b":")
        headers.setdefault(name.lower(), []).append(value.strip())
    if b"content-length" in headers:
        body = await reader.readexactly(int(headers[b"content-length"][0]))
    elif headers.get(b"transfer-encoding", [b""])[0].lower() == b"chunked":
        body = b""
        while size := int(await reader.readline(), 16):
            body += (await reader.readexactly(size + 2))[:-2]
        await reader.readline()
    else:
        body = b""
    return int(first.split(b" ", 2)[1]), headers, body


def hidden(page: bytes, name: str) -> str:
    """Give a hidden field of a page's form."""
    found = HIDDEN[name].search(page)
    if found is None:
        raise ValueError(f"no field {name!r} on the page")
    return html.unescape(found[1].decode())


def filled(page: bytes, choice: int) -> list[tuple[str, str]]:
    """Fill a question page's form in: the answer is chosen by a number."""
    form = [(name, hidden(page, name)) for name in HIDDEN]
    kind = FORMAT.search(page)
    if kind is None:
        raise ValueError("no question on the page")
    if kind[1] == b"count":
        return [*form, ("answer", str(choice % 41)), ("active_seconds", "1.5")]
    labels = [html.unescape(label.decode()) for label in VALUE.findall(page)]
    return [*form, ("answer", labels[choice % len(labels)]), ("active_seconds", "1.5")]
