"""Servers on several addresses, and the measuring scripts run as a person runs them."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
LONTAR = (sys.executable, "-P", "-c", "from study_server.cli import main; main()")
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


@dataclass
class Host:
    """One `lontar serve`, as on a machine of its own."""

    address: str
    process: subprocess.Popen[bytes]


@pytest.fixture
def serve_at(tmp_path: Path) -> Iterator[Callable[..., Host]]:
    """A function that serves a study's folder at an address, until the test ends."""
    hosts: list[Host] = []

    def serve(folder: Path, ip: str = "127.0.0.1", workers: int = 1, **variables: str) -> Host:
        with socket.socket() as probe:
            probe.bind((ip, 0))
            port = probe.getsockname()[1]
        command = [*LONTAR, "-C", str(folder), "serve", "--host", ip, "--port", str(port)]
        log = tmp_path / f"{ip}-{port}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [*command, "--workers", str(workers)],
                env={**os.environ, **variables},
                stdout=output,
                stderr=output,
            )
        host = Host(f"http://{ip}:{port}", process)
        hosts.append(host)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and process.poll() is None:
            try:
                with OPENER.open(f"{host.address}/healthz", None, 5):
                    return host
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                time.sleep(0.05)
        raise AssertionError(log.read_text())

    yield serve
    for host in hosts:
        host.process.terminate()
    for host in hosts:
        host.process.wait(40)


@pytest.fixture
def measure(tmp_path: Path) -> Callable[..., Any]:
    """A function that runs a script of benchmarks/ and gives what it wrote as JSON."""

    def run(script: str, *arguments: str) -> Any:
        written = tmp_path / "figures.json"
        done = subprocess.run(
            [sys.executable, ROOT / "benchmarks" / script, *arguments, "--json", written],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr[-3000:]}"
        return done.stdout, json.loads(written.read_text())

    return run
