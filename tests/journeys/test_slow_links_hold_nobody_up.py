"""An image takes minutes over a slow link: meanwhile everybody else is served as ever."""

from __future__ import annotations

import http.client
import random
import socket
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from PIL import Image

PEOPLE, SLOW = 12, 10
# More than the kernel keeps for a connection, so that the server has to wait for the reader.
LARGE = (2000, 1500)


@pytest.fixture
def server(
    make_small_study: Callable[..., Path], run_process: Callable[..., Any], tmp_path: Path
) -> Iterator[Any]:
    """One worker over images of nine megabytes."""
    folder = make_small_study(tmp_path / "study", people=PEOPLE)
    noise = random.Random(1).randbytes(3 * LARGE[0] * LARGE[1])
    for file in (folder / "benchmark" / "images").iterdir():
        Image.frombytes("RGB", LARGE, noise).save(file, "PNG", compress_level=0)
    server = run_process(folder, "--workers", "1")
    yield server
    server.stop()


def sign_in(server: Any, name: str) -> dict[str, str]:
    """Open a link and give the headers of somebody who is signed in."""
    link = urlsplit(server.links[name])
    connection = http.client.HTTPConnection(link.netloc, timeout=30)
    connection.request("GET", link.path)
    cookie = connection.getresponse().getheader("Set-Cookie")
    connection.close()
    return {"Cookie": cookie.partition(";")[0]}


def test_others_see_their_pages_while_ten_images_are_on_their_way(server: Any) -> None:
    place = urlsplit(server.address)
    with sqlite3.connect(server.folder / "study.db") as database:
        (image,) = database.execute("SELECT public_id FROM image LIMIT 1").fetchone()
    path, names = f"/image/{image}", iter(server.links)
    with ExitStack() as open_links:
        for name in (next(names) for _ in range(SLOW)):
            link = open_links.enter_context(socket.socket())
            link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            link.connect((place.hostname, place.port))
            cookie = sign_in(server, name)["Cookie"]
            link.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nCookie: {cookie}\r\n\r\n".encode())
            assert link.recv(12) == b"HTTP/1.1 200"
        # Nobody reads any further; without a thread left, this would never be answered.
        headers = sign_in(server, next(names))
        connection = http.client.HTTPConnection(place.netloc, timeout=30)
        connection.request("GET", "/language", headers=headers)
        assert connection.getresponse().status == 200
        connection.close()


def begin_to_answer(server: Any, name: str) -> socket.socket:
    """Send a form whose greater part never comes."""
    place = urlsplit(server.address)
    link = socket.create_connection((place.hostname, place.port), timeout=30)
    head = [
        "POST /question HTTP/1.1",
        "Host: x",
        f"Cookie: {sign_in(server, name)['Cookie']}",
        "Content-Type: application/x-www-form-urlencoded",
        "Content-Length: 100",
        "",
        "slot=x",
    ]
    link.sendall("\r\n".join(head).encode())
    return link


def test_others_see_their_questions_while_answers_are_on_their_way(server: Any) -> None:
    place = urlsplit(server.address)
    with ExitStack() as open_links:
        for name in ("P01", "P02", "P03"):
            open_links.enter_context(begin_to_answer(server, name))
        connection = http.client.HTTPConnection(place.netloc, timeout=30)
        connection.request("GET", "/question", headers=sign_in(server, "P04"))
        assert connection.getresponse().status == 303
        connection.close()


def test_an_answer_that_was_cut_off_is_not_taken_for_a_whole_one(server: Any) -> None:
    with begin_to_answer(server, "P01") as link:
        link.shutdown(socket.SHUT_WR)
        assert link.recv(12) == b"HTTP/1.1 400"
        assert b"csrf" not in link.recv(10_000)


def test_an_image_arrives_whole(server: Any) -> None:
    (file, *_) = (server.folder / "benchmark" / "images").iterdir()
    with sqlite3.connect(server.folder / "study.db") as database:
        (image,) = database.execute(
            "SELECT public_id FROM image WHERE image_name = ?", (file.name,)
        ).fetchone()
    connection = http.client.HTTPConnection(urlsplit(server.address).netloc, timeout=30)
    for _from_the_benchmark_then_from_the_disk in range(2):
        connection.request("GET", f"/image/{image}", headers=sign_in(server, "P01"))
        reply = connection.getresponse()
        body = reply.read()
        assert reply.getheader("Content-Type") == "image/png"
        assert len(body) == int(reply.getheader("Content-Length")) > 3 * LARGE[0] * LARGE[1]
    connection.request("HEAD", f"/image/{image}", headers=sign_in(server, "P01"))
    reply = connection.getresponse()
    assert (reply.read(), int(reply.getheader("Content-Length"))) == (b"", len(body))
    connection.close()
