"""The one place where the server reads the clock."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> datetime:
    """Give this moment, aware and in UTC."""
    return datetime.now(UTC)
