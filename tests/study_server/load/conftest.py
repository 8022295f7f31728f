"""The measuring scripts, run as a person runs them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]


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
