"""`lontar new` as a newcomer meets it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sampling.study.errors import StudyError
from sampling.study.folder import open_study
from study_server.cli import lontar


def run(*arguments: str) -> Result:
    return CliRunner().invoke(lontar, arguments)


def test_it_says_what_to_do_next_on_the_error_stream_alone(tmp_path: Path) -> None:
    result = run("-C", str(tmp_path), "new", "mine", "--preset", "palmleaf-vqa")
    assert result.exit_code == 0
    assert result.stdout == ""
    assert f"lontar -C {tmp_path / 'mine'} check" in result.stderr
    assert f"copy the benchmark's files into {tmp_path / 'mine'}/benchmark" in result.stderr
    assert open_study(tmp_path / "mine").definition.study.name == "PalmLeaf-VQA human baseline"


def test_each_study_gets_a_seed_of_its_own(tmp_path: Path) -> None:
    run("new", str(tmp_path / "a"))
    run("new", str(tmp_path / "b"))
    seeds = {open_study(tmp_path / name).definition.study.seed for name in "ab"}
    assert len(seeds) == 2


def test_a_path_with_a_space_is_quoted_for_the_next_command(tmp_path: Path) -> None:
    result = run("new", str(tmp_path / "my study"))
    assert f"lontar -C '{tmp_path / 'my study'}' check" in result.stderr
    assert f"list the people in {tmp_path / 'my study'}/participants.csv" in result.stderr


def test_an_existing_study_is_refused(tmp_path: Path) -> None:
    run("new", str(tmp_path))
    before = (tmp_path / "study.toml").read_bytes()
    result = run("new", str(tmp_path))
    assert isinstance(result.exception, StudyError)
    assert (tmp_path / "study.toml").read_bytes() == before


@pytest.mark.parametrize("arguments", [("new",), ("new", "x", "--preset", "palmleaf")])
def test_wrong_usage_ends_with_two(arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 2
