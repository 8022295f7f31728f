"""Libraries that only tests use: skipped where absent, unless everything is required."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture(scope="session")
def library() -> Callable[[str], Any]:
    """A function that imports a library, or skips; it fails where LONTAR_REQUIRE_ALL is set."""

    def find(name: str) -> Any:
        absent = importlib.util.find_spec(name.split(".", maxsplit=1)[0]) is None
        if absent and os.environ.get("LONTAR_REQUIRE_ALL"):
            pytest.fail(f"{name} is not installed (LONTAR_REQUIRE_ALL forbids skipping)")
        return pytest.importorskip(name)

    return find
