"""LONTAR_REQUIRE_ALL: whatever would be skipped fails, however it is skipped."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SKIPS = '''
import pytest

def test_imports(): pytest.importorskip("no_such_library")

@pytest.mark.skipif(True, reason="a mark")
def test_marked(): ...

def test_called(): pytest.skip("a call")

@pytest.fixture
def absent(): pytest.skip("a fixture")

def test_fixture(absent): ...

@pytest.mark.xfail(reason="known", strict=True)
def test_expected(): assert False

def documented():
    """
    >>> 1 / 0  # doctest: +SKIP
    """
'''


@pytest.mark.parametrize(
    ("required", "counts"),
    [("", "5 skipped, 1 xfailed"), ("1", "3 failed, 1 xfailed, 2 errors")],
)
def test_each_kind_of_skip_fails_where_all_is_required(
    tmp_path: Path, required: str, counts: str
) -> None:
    (tmp_path / "test_skips.py").write_text(SKIPS)
    (tmp_path / "conftest.py").write_text((Path(__file__).parent / "conftest.py").read_text())
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --doctest-modules\n")
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)],
        env={**os.environ, "LONTAR_REQUIRE_ALL": required},
        capture_output=True,
        text=True,
        check=False,
    )
    assert counts in ran.stdout, ran.stdout
    assert (ran.returncode != 0) == bool(required)
