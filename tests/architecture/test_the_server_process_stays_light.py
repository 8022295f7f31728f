"""A server worker loads no data-frame and no plotting library; `lontar --help` loads no command."""

from __future__ import annotations

import subprocess
import sys

HEAVY = {"pandas", "matplotlib", "krippendorff"}


def modules_after(statement: str) -> set[str]:
    """Give the top-level modules a fresh interpreter holds after one statement."""
    done = subprocess.run(
        [sys.executable, "-c", f"{statement}\nimport sys\nprint(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return {name.split(".")[0] for name in done.stdout.split()}


def test_the_server_imports_neither_pandas_nor_matplotlib() -> None:
    assert modules_after("import study_server.app") & HEAVY == set()


def test_a_planted_import_is_seen() -> None:
    assert "pandas" in modules_after("import pandas")


def test_the_command_line_loads_no_command_before_it_is_called() -> None:
    assert modules_after("import study_server.cli") & {*HEAVY, "numpy", "flask", "sqlalchemy"} == (
        set()
    )
