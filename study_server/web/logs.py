"""One JSON object a line on stderr: what happened, never what was answered and never a token.

A request is known by its route (`/p/<token>`), its id and its status; a failure by its kind and
the lines of code it passed through, not by its message, which may quote what somebody sent.
"""

from __future__ import annotations

import json
import logging
import os
import traceback
from datetime import UTC, datetime
from typing import Any

from sampling.study.errors import StudyError

VARIABLE = "LONTAR_LOG"
LEVELS = ("debug", "info", "warning", "error")
USUAL_LEVEL = "warning"
NAME = "lontar"
log = logging.getLogger(NAME)


class JsonLines(logging.Formatter):
    """Writes a record as one line of JSON; `extra={"facts": {...}}` adds to it."""

    def format(self, record: logging.LogRecord) -> str:
        """Write the line; of an exception only its type and where it came from."""
        moment = datetime.fromtimestamp(record.created, UTC)
        line: dict[str, Any] = {
            "at": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
            **getattr(record, "facts", {}),
        }
        if record.exc_info and record.exc_info[0] is not None:
            kind, _, frames = record.exc_info
            line["exception"] = kind.__name__
            line["frames"] = [
                f"{frame.filename}:{frame.lineno} {frame.name}"
                for frame in traceback.extract_tb(frames)
            ]
        return json.dumps(line, ensure_ascii=False)


def chosen_level() -> str:
    """Give the level that `LONTAR_LOG` asks for: `info` notes every request.

    Raises
    ------
    StudyError
        When it is no level.
    """
    level = os.environ.get(VARIABLE, USUAL_LEVEL).lower()
    if level not in LEVELS:
        raise StudyError(f"{VARIABLE}: {level!r} is no level; use one of {', '.join(LEVELS)}")
    return level


def logging_configuration(level: str) -> dict[str, Any]:
    """Give the configuration of Python's logging, ours and the web server's alike."""
    heard = {"level": level.upper(), "handlers": ["lines"], "propagate": False}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": JsonLines}},
        "handlers": {
            "lines": {"class": "logging.StreamHandler", "formatter": "lines"},
        },
        "root": {"level": "WARNING", "handlers": ["lines"]},
        "loggers": {NAME: heard, "_granian": heard},
    }
