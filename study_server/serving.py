"""Runs the application under gunicorn: several worker processes, each with many threads."""

from __future__ import annotations

import gc
import socket
from collections.abc import Callable
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication
from gunicorn.glogging import Logger

from sampling.errors import StudyError
from study_server.app import create_app
from study_server.configuration import ServerConfiguration
from study_server.logs import chosen_level, logging_configuration
from study_server.metrics import Meter

# A reply occupies a thread until it has arrived, and an image takes minutes over a slow link. Few
# compute at the same time: see `single_file`.
THREADS = 64
DRAIN_SECONDS = 30


class QuietLogger(Logger):
    """Gunicorn's log of what went wrong, without preparing a line for every request.

    Its addresses hold the tokens of links; `watching` notes requests without them.
    """

    def access(self, *_facts: object) -> None:
        """Note nothing."""


class Server(BaseApplication):
    """Gunicorn with our settings in the place of its command line."""

    def __init__(self, make_application: Callable[[], Flask], options: dict[str, Any]) -> None:
        self.make_application = make_application
        self.options = options
        super().__init__()

    def load_config(self) -> None:
        """Hand over our settings."""
        assert self.cfg is not None  # noqa: S101 - gunicorn made it before it asks
        for name, value in self.options.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        """Make the application, in each worker; what it consists of is never garbage."""
        application = self.make_application()
        gc.collect()
        gc.freeze()
        return application


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


def serve(configuration: ServerConfiguration, host: str, port: int, workers: int) -> None:
    """Serve a study until SIGTERM or Ctrl-C, which let running requests finish."""
    meter = Meter()
    serve_application(lambda: create_app(configuration, meter), host, port, workers)


def serve_application(
    make_application: Callable[[], Flask], host: str, port: int, workers: int
) -> None:
    """Serve an application, which each worker makes for itself."""
    place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    level = chosen_level()
    options = {
        "bind": place,
        "workers": workers,
        "threads": THREADS,
        "worker_class": "gthread",
        "graceful_timeout": DRAIN_SECONDS,
        "timeout": 60,
        "keepalive": 15,
        "logger_class": QuietLogger,
        "errorlog": "-",
        "loglevel": level,
        "logconfig_dict": logging_configuration(level),
        "proc_name": "lontar",
        "limit_request_line": 4094,
        "limit_request_fields": 60,
        "forwarded_allow_ips": "",
    }
    Server(make_application, options).run()
