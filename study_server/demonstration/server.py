"""The real server as a process of its own: started, waited for, stopped."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from sampling.study.errors import StudyError

HOST = "127.0.0.1"
START_SECONDS = 30.0
STOP_SECONDS = 10.0
# -P keeps a folder named like one of our packages, where the command is run, out of the way.
LONTAR = (sys.executable, "-P", "-c", "from study_server.cli import main; main()")


def run_lontar(folder: Path, *arguments: str, output: TextIO | int | None = None) -> str:
    """Run one `lontar` command on a study; give what it printed when `output` is a pipe.

    It has said itself what went wrong when it fails.
    """
    done = subprocess.run(
        [*LONTAR, "-C", str(folder), *arguments], check=False, stdout=output, text=True
    )
    if done.returncode:
        raise StudyError(f"`lontar {' '.join(arguments)}` failed in {folder}; see above")
    return done.stdout or ""


def free_port(wanted: int | None = None) -> int:
    """Give the port that was asked for, or any that is free."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, wanted or 0))
        except OSError:
            raise StudyError(
                f"--port {wanted}: in use by another program; choose another"
            ) from None
        port: int = probe.getsockname()[1]
    return port


@contextmanager
def serving(folder: Path, port: int) -> Iterator[None]:
    """Run `lontar serve` for a study, wait until it answers, stop it at the end.

    What the server says goes to `server.log` in the study's folder.
    """
    log = folder / "server.log"
    with log.open("ab") as output:
        process = subprocess.Popen(
            [*LONTAR, "-C", str(folder), "serve", "--host", HOST, "--port", str(port)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            # Ctrl-C reaches the demonstration alone, which then stops its servers in order.
            start_new_session=True,
        )
        try:
            _wait_until_healthy(process, f"http://{HOST}:{port}/healthz", log)
            yield
        finally:
            _stop(process)


def _wait_until_healthy(process: subprocess.Popen[bytes], address: str, log: Path) -> None:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        try:
            with opener.open(address, None, 5.0):
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.1)
    last = "\n".join(log.read_text(errors="replace").splitlines()[-15:])
    raise StudyError(f"the server did not start; {log} ends with:\n{last}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
