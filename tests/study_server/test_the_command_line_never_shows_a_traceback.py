"""The one place that tells the person at the keyboard what went wrong."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from study_server.cli import main

Run = Callable[..., tuple[int | str | None, str, str]]


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command line; give its exit code, what it printed and what it said."""

    def run(*arguments: str) -> tuple[int | str | None, str, str]:
        monkeypatch.setattr(sys, "argv", ["lontar", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        return ended.value.code, printed.out, printed.err

    return run


def test_a_folder_that_is_no_study_is_one_message(told: Run, tmp_path: Path) -> None:
    assert told("-C", str(tmp_path), "check") == (
        1,
        "",
        (
            f"lontar: study.toml: not found in {tmp_path}; name the study's folder with -C DIR, "
            "or start one with `lontar new DIR`\n"
        ),
    )


def test_a_folder_named_after_the_command_is_told_where_it_belongs(
    told: Run, tmp_path: Path
) -> None:
    code, _, err = told("check", "-C", str(tmp_path))
    assert code == 2
    assert err.endswith(
        "No such option '-C'. It stands before the command: lontar -C DIR COMMAND.\n"
    )


def test_a_folder_in_the_place_of_study_toml_is_one_message(told: Run, tmp_path: Path) -> None:
    (tmp_path / "study.toml").mkdir()
    code, out, err = told("-C", str(tmp_path), "check")
    assert (code, out, err) == (1, "", "lontar: study.toml: is a folder, not a file\n")


def test_a_file_in_the_way_of_a_folder_is_one_message(told: Run, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    code, out, err = told("new", str(tmp_path / "file" / "study"))
    assert (code, out) == (1, "")
    assert err.startswith(f"lontar: {tmp_path / 'file' / 'study'}")
    assert err.endswith(": not a directory; check that you may read and write there\n")


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (
            PermissionError(errno.EACCES, os.strerror(errno.EACCES), "results/table11.csv"),
            (
                "lontar: results/table11.csv: permission denied; check that you may read and write "
                "there\n"
            ),
        ),
        (
            OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)),
            (
                "lontar: a file could not be written: no space left on device; "
                "make room and run it again\n"
            ),
        ),
    ],
)
def test_what_the_system_refuses_is_one_message(
    told: Run, monkeypatch: pytest.MonkeyPatch, fault: OSError, said: str
) -> None:
    def refuse(**_: object) -> None:
        raise fault

    monkeypatch.setattr("study_server.cli.lontar", refuse)
    assert told("analyze") == (1, "", said)


def test_a_fault_of_the_program_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: object) -> None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))

    monkeypatch.setattr("study_server.cli.lontar", fail)
    with pytest.raises(OSError, match=r"\[Errno 9\]"):
        main()


@pytest.mark.parametrize(
    "arguments", [(), ("chek",), ("check", "--foo"), ("serve", "--port", "70000"), ("backup",)]
)
def test_wrong_usage_ends_with_two(told: Run, arguments: tuple[str, ...]) -> None:
    code, out, err = told(*arguments)
    assert (code, out) == (2, "")
    assert "Usage: lontar" in err
