"""Runs the application under Granian: several worker processes, each with few threads."""

from __future__ import annotations

import socket
from collections.abc import Callable
from functools import partial

from flask import Flask
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server import Server

from sampling.study.errors import StudyError
from study_server.app import create_app
from study_server.web.configuration import ServerConfiguration
from study_server.web.edge import Edge
from study_server.web.metrics import Meter
from study_server.web.monitoring import chosen_level, logging_configuration

DRAIN_SECONDS = 30
# A link that has not sent all headers of a request so long after the last reply is closed.
HEADER_SECONDS = 15
LARGEST_HEADERS = 32_768
# Links of a worker at once; further ones wait. It stays below the usual limit of 1,024 open files.
MOST_LINKS = 800
BACKLOG = 2_048
RESPAWN_SECONDS = 0.1


def check_place(host: str, port: int) -> None:
    """Refuse a place that nothing can listen on, before anything is said or started.

    Raises
    ------
    StudyError
        When another program listens there, or the host is none of this machine's.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        raise StudyError(
            f"--host {host} --port {port}: cannot listen there ({error.strerror}); "
            "stop the other program, or choose another --port"
        ) from None


def computing_threads(database_url: str) -> int:
    """Return how many threads of a worker compute questions at once.

    SQLite takes one writer at a time, so nothing is gained by more; a PostgreSQL on another host
    keeps each waiting for its replies.
    """
    return 1 if database_url.startswith("sqlite:") else 2


def serve(configuration: ServerConfiguration, host: str, port: int, workers: int) -> None:
    """Serve a study until SIGTERM or Ctrl-C, which let running requests finish."""
    threads = computing_threads(configuration.database_url)
    serve_application(partial(create_app, configuration, Meter()), host, port, workers, threads)


def serve_application(
    make_application: Callable[[], Flask], host: str, port: int, workers: int, threads: int = 1
) -> None:
    """Serve an application, which each worker makes for itself, in so many threads a worker."""
    level = chosen_level()
    server = Server(
        "lontar",
        host,
        port,
        interface=Interfaces.RSGI,
        workers=workers,
        http=HTTPModes.http1,
        websockets=False,
        backlog=BACKLOG,
        backpressure=MOST_LINKS,
        http1_settings=HTTP1Settings(
            header_read_timeout=1000 * HEADER_SECONDS, max_buffer_size=LARGEST_HEADERS
        ),
        log_level=LogLevels(level),
        log_dictconfig=logging_configuration(level),
        respawn_failed_workers=True,
        respawn_interval=RESPAWN_SECONDS,
        workers_kill_timeout=DRAIN_SECONDS,
    )
    loader = partial(_edge, make_application, threads)
    server.serve(target_loader=loader, wrap_loader=False)  # type: ignore[arg-type]


def _edge(make_application: Callable[[], Flask], threads: int) -> Edge:
    """Make a worker's application."""
    return Edge(make_application(), threads)
