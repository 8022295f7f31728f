"""What never becomes a whole request holds nobody up, ends in time, and leaves no trace."""

from __future__ import annotations

import contextlib
import gzip
import http.client
import json
import socket
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

TOKEN = "a-personal-token-of-22"
HEADER_SECONDS = 15
LINKS = 300
HOST = "Host: x\r\n"
FORM = "Content-Type: application/x-www-form-urlencoded\r\n"
MALFORMED = {
    "no version": f"GET /p/{TOKEN}\r\n\r\n",
    "letters beyond ASCII": f"GET /p/{TOKEN}é HTTP/1.1\r\n{HOST}\r\n",
    "a header without a name": f"GET /p/{TOKEN} HTTP/1.1\r\nHo st x\r\n\r\n",
    "a host that is none": f"GET /p/{TOKEN} HTTP/1.1\r\nHost: a..b\r\n\r\n",
    "a header beyond ASCII": f"GET /p/{TOKEN} HTTP/1.1\r\n{HOST}X-Name: é\r\n\r\n",
    "more than announced": f"POST /p/{TOKEN} HTTP/1.1\r\n{HOST}Content-Length: 1\r\n\r\nabcdef",
    "a length that is none": f"POST /p/{TOKEN} HTTP/1.1\r\n{HOST}Content-Length: x\r\n\r\n",
    "two lengths": f"POST / HTTP/1.1\r\n{HOST}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    "headers without end": f"GET /p/{TOKEN} HTTP/1.1\r\n{HOST}X: {'y' * 90_000}\r\n\r\n",
    "another place": f"CONNECT {TOKEN}:1 HTTP/1.1\r\n{HOST}\r\n",
    "cut off": f"POST /p/{TOKEN} HTTP/1.1\r\n{HOST}{FORM}Content-Length: 9\r\n\r\nabc",
    "cut off in parts": f"POST /p/{TOKEN} HTTP/1.1\r\n{HOST}{FORM}"
    "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
}


@pytest.fixture(scope="module")
def server(
    make_small_study: Callable[..., Path],
    run_process: Callable[..., Any],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Any]:
    """One worker, at the level of the log that says most."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("LONTAR_LOG", "debug")
        folder = make_small_study(tmp_path_factory.mktemp("edge") / "study", people=8)
        server = run_process(folder, "--workers", "1")
    yield server
    server.stop()


def connect(server: Any) -> socket.socket:
    place = urlsplit(server.address)
    return socket.create_connection((place.hostname, place.port), timeout=HEADER_SECONDS + 15)


def ask(server: Any, path: str, **headers: str) -> tuple[int, Any, bytes]:
    """Return the status, headers and body of a reply; underscores in headers' names stay."""
    connection = http.client.HTTPConnection(urlsplit(server.address).netloc, timeout=20)
    connection.request("GET", path, headers=headers)
    reply = connection.getresponse()
    found = reply.status, reply.headers, reply.read()
    connection.close()
    return found


@pytest.mark.parametrize("kind", MALFORMED)
def test_no_malformed_request_is_served_or_quoted_in_the_log(server: Any, kind: str) -> None:
    status = b""
    # The edge may have closed the link by now, which is as good as a refusal.
    with connect(server) as link, contextlib.suppress(OSError):
        link.sendall(MALFORMED[kind].encode())
        link.shutdown(socket.SHUT_WR)
        status = link.recv(12)
    assert status[9:10] != b"2"
    assert ask(server, "/healthz")[0] == 200
    log = (server.folder / "server.log").read_text()
    for secret in (TOKEN, "127.0.0.1:", "127.0.0.1'"):
        assert secret not in log.replace(server.address, ""), secret


def test_a_personal_link_leaves_no_trace_at_the_level_that_says_most(server: Any) -> None:
    link = urlsplit(server.links["P01"]).path
    assert ask(server, link)[0] in (200, 303)
    assert link.rsplit("/", 1)[1] not in (server.folder / "server.log").read_text()


def test_links_that_send_half_a_header_hold_nobody_up_and_are_closed(server: Any) -> None:
    with ExitStack() as held:
        links = [held.enter_context(connect(server)) for _ in range(LINKS)]
        for link in links:
            link.sendall(f"GET /p/{TOKEN} HTTP/1.1\r\n{HOST}".encode())
        before = time.monotonic()
        for _ in range(8):
            assert ask(server, "/healthz")[0] == 200
        assert time.monotonic() - before < 5
        assert links[0].recv(1) == b""
        assert time.monotonic() - before < HEADER_SECONDS + 10


def test_a_header_that_only_looks_like_a_proxy_s_is_not_believed(
    make_small_study: Callable[..., Path], run_process: Callable[..., Any], tmp_path: Path
) -> None:
    folder = make_small_study(tmp_path / "study")
    with (folder / "study.toml").open("a", encoding="utf-8") as toml:
        toml.write("\n[server]\ntrusted_proxies = 1\n")
    server = run_process(folder, "--workers", "1")
    _, headers, body = ask(
        server, "/question", X_Forwarded_Prefix="/evil", X_Forwarded_Proto="https"
    )
    assert b"/evil" not in body
    assert headers["Strict-Transport-Security"] is None
    server.stop()


def test_a_page_is_compressed_unless_its_address_has_a_query(server: Any) -> None:
    token = urlsplit(server.links["P02"]).path
    cookie = ask(server, token)[1]["Set-Cookie"].partition(";")[0]
    gzipped = {"Accept-Encoding": "gzip"}
    _, _, plain = ask(server, "/language", Cookie=cookie)
    _, headers, packed = ask(server, "/language", Cookie=cookie, **gzipped)
    assert headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in ",".join(headers.get_all("Vary"))
    assert len(gzip.decompress(packed)) == len(plain)
    for path in ("/language?next=x", "/coordinator/sign-in"):
        assert ask(server, path, Cookie=cookie, **gzipped)[1]["Content-Encoding"] is None


def test_two_workers_count_together_over_ipv6_log_json_and_end_when_asked(
    make_small_study: Callable[..., Path], tmp_path: Path, run_process: Callable[..., Any]
) -> None:
    folder = make_small_study(tmp_path / "study")
    variables = {"LONTAR_LOG": "info", "LONTAR_METRICS_TOKEN": "a token for this test"}
    server = run_process(folder, "--workers", "2", host="::1", invited=False, **variables)
    for _again in range(40):
        with urllib.request.urlopen(f"{server.address}/healthz", timeout=30) as reply:
            assert reply.status == 200
    asked = urllib.request.Request(f"{server.address}/metrics")
    asked.add_header("Authorization", "Bearer a token for this test")
    with urllib.request.urlopen(asked, timeout=30) as reply:
        lines = reply.read().decode().splitlines()
    counted = [
        one for one in lines if one.startswith("lontar_http_requests_total") and "healthz" in one
    ]
    assert sum(float(one.split()[-1]) for one in counted) >= 40, counted
    server.process.terminate()
    assert server.process.wait(40) == 0
    written = (folder / "server.log").read_text().splitlines()
    logged = [json.loads(one) for one in written if one.startswith("{")]
    assert sum(one.get("route") == "/healthz" for one in logged) >= 40
    assert not [one for one in written if "Traceback" in one]
