"""A database behind a cable that can be pulled, and commands run as somebody without rights."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from sqlalchemy import make_url

NOBODY = 65534


@dataclass
class Cable:
    """Forwards TCP connections to a Unix socket until it is pulled."""

    target: str
    listener: socket.socket
    pulled: bool = False
    open: list[socket.socket] = field(default_factory=list)

    @property
    def port(self) -> int:
        return int(self.listener.getsockname()[1])

    def run(self) -> None:
        while True:
            try:
                near, _address = self.listener.accept()
            except OSError:
                return
            if self.pulled:
                near.close()
                continue
            far = socket.socket(socket.AF_UNIX)
            far.connect(self.target)
            self.open += [near, far]
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=_pass_on, args=(one, other), daemon=True).start()

    def pull(self) -> None:
        """Cut every connection and take no new one."""
        self.pulled = True
        for one in self.open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self.open.clear()

    def plug_in(self) -> None:
        self.pulled = False


def _pass_on(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while data := one.recv(65_536):
            other.sendall(data)
    with suppress(OSError):
        other.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def cable(postgres_url: str) -> Iterator[tuple[Cable, str]]:
    """A cable to an empty PostgreSQL database, and the database's address through it."""
    address = make_url(postgres_url)
    folder = address.query["host"]
    assert isinstance(folder, str)
    listener = socket.create_server(("127.0.0.1", 0))
    cable = Cable(str(Path(folder) / f".s.PGSQL.{address.port or 5432}"), listener)
    threading.Thread(target=cable.run, daemon=True).start()
    through = address.set(host="127.0.0.1", port=cable.port, query={})
    yield cable, through.render_as_string(hide_password=False)
    cable.pull()
    listener.close()


@pytest.fixture
def as_nobody() -> Callable[[Callable[[], str]], str]:
    """A function that runs another in a process without root's rights, and gives its text."""

    def run(act: Callable[[], str]) -> str:
        here, there = os.pipe()
        child = os.fork()
        if child == 0:
            status = 1
            try:
                os.close(here)
                if os.geteuid() == 0:
                    os.setegid(NOBODY)
                    os.seteuid(NOBODY)
                os.write(there, act().encode())
                status = 0
            finally:
                os._exit(status)
        os.close(there)
        with os.fdopen(here, "rb") as reader:
            text = reader.read().decode()
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        return text

    return run
