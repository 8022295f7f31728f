"""A folder `analysis/` or `templates/` that Python finds first does not stand in for Lontar's."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", ["sampling", "analysis", "templates", "instructions"])
def test_a_command_runs_beside_a_folder_of_that_name(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").touch()
    path = os.pathsep.join((str(tmp_path), str(ROOT)))
    ended = subprocess.run(
        [sys.executable, "-c", "from study_server.cli import main; main()", "new", "x"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert (tmp_path / "x" / "study.toml").is_file()
