"""The commands a coordinator types first: clear words, nothing shown twice."""

from __future__ import annotations

import csv
import re
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from sampling.study.errors import StudyError
from study_server.cli import lontar
from study_server.commands import serve as serve_module

Run = Callable[..., Any]


@pytest.fixture
def run(make_small_study: Callable[..., Path], tmp_path: Path) -> Run:
    folder = make_small_study(tmp_path / "study")

    def call(*arguments: str) -> Any:
        done = CliRunner().invoke(lontar, ["-C", str(folder), *arguments])
        if isinstance(done.exception, StudyError):
            raise done.exception
        assert done.exit_code == 0, done.output
        return done

    return call


def test_links_are_shown_once(run: Run) -> None:
    first = run("invite", "--url", "https://example.org/leaves/")
    lines = first.stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["P01", "P02", "P03"]
    assert all(line.split()[1].startswith("https://example.org/leaves/p/") for line in lines)
    again = run("invite")
    assert again.stdout == ""
    assert "everyone has a link;" in again.stderr
    unwritten = run("invite", "--csv", "late.csv").stderr
    assert "everyone has a link, so late.csv was not written" in unwritten


def test_an_address_that_no_browser_opens_is_refused_before_links_are_made(run: Run) -> None:
    with pytest.raises(StudyError, match="must begin with https"):
        run("invite", "--url", "example.org")
    assert len(run("invite").stdout.splitlines()) == 3


def test_links_that_lead_to_this_machine_only_come_with_a_word(run: Run, tmp_path: Path) -> None:
    assert "from this machine only" in run("invite", "P01").stderr
    assert "from this machine only" in run("invite", "P02", "--csv", str(tmp_path / "b")).stderr
    assert "this machine" not in run("invite", "P03", "--url", "https://leaves.example").stderr


def test_links_can_be_written_to_a_file_for_its_owner_only(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "links.csv"
    run("invite", "--csv", str(file))
    with file.open(newline="", encoding="utf-8") as opened:
        rows = list(csv.DictReader(opened))
    assert list(rows[0]) == ["participant", "link"]
    assert file.stat().st_mode & 0o777 == 0o600


def test_links_that_could_not_be_written_are_not_kept(run: Run, tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="no link made"):
        run("invite", "--csv", str(tmp_path / "no folder" / "links.csv"))
    assert len(run("invite").stdout.splitlines()) == 3


def test_links_that_were_written_are_never_written_over(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "links.csv"
    run("invite", "--csv", str(file), "P01", "P02")
    written = file.read_bytes()
    with pytest.raises(StudyError, match="no link made"):
        run("invite", "--csv", str(file))
    assert file.read_bytes() == written
    run("invite", "--csv", str(tmp_path / "more.csv"))
    run("invite", "--csv", str(file))  # nobody waits for a link: nothing to write
    assert file.read_bytes() == written


def test_a_plan_for_something_else_is_one_problem(run: Run, tmp_path: Path) -> None:
    plan = tmp_path / "study" / "plan" / "assignment.csv"
    header = plan.read_text(encoding="utf-8").splitlines()[0]
    plan.write_text(f"{header}\nP01,gone,1,1,1\n", encoding="utf-8")
    with pytest.raises(StudyError) as told:
        run("invite")
    (problem,) = told.value.problems
    assert problem.startswith("plan/assignment.csv: does not fit the study as it is now (gone: ")
    assert problem.count("; and ") == 1
    assert problem.endswith(" more); plan again with `lontar assign`")


def test_every_wrong_name_is_told_at_once(run: Run) -> None:
    run("invite", "P01")
    with pytest.raises(StudyError) as told:
        run("invite", "P01", "P09")
    assert len(told.value.problems) == 2
    assert "--renew" in str(told.value)
    assert run("invite", "--renew", "p01").stdout.startswith("P01  ")


def test_a_link_to_a_study_that_has_every_answer_comes_with_a_word(
    small_study: Callable[..., Any], answer_for: Callable[[str], Any]
) -> None:
    small = small_study(people=2, responses=1)
    invite = ["-C", str(small.study.root), "invite", "--renew", "P01"]
    assert "every question has its answers" not in CliRunner().invoke(lontar, invite).stderr
    (small.links["P01"],) = re.findall(r"/p/(\S+)", CliRunner().invoke(lontar, invite).stdout)
    for pseudonym in small.links:
        visit = small.visit(pseudonym)
        while visit.path == "/question":
            visit.answer(answer_for(visit.page))
    said = CliRunner().invoke(lontar, invite).stderr
    assert "note: every question has its answers; nobody who comes now is asked any\n" in said


def test_a_port_in_use_is_one_clear_message(run: Run) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(StudyError, match="choose another --port"):
            run("serve", "--port", str(other.getsockname()[1]))


def test_serving_gives_a_coordinator_their_passcode_once(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("study_server.commands.serve.serve", lambda *_: None)
    first = run("serve", "--port", str(free_port()), "--coordinator", "maria")
    assert re.fullmatch(r"name: maria\npasscode: \w{5}(-\w{5}){3}\n", first.stdout)
    assert "nobody can sign in" not in first.stderr
    assert run("serve", "--port", str(free_port()), "--coordinator", "Maria ").stdout == ""
    assert run("coordinator", "list").stdout == "maria  coordinator\n"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.parametrize("command", [["export"], ["erase", "P01", "--yes"], ["backup", "x.db"]])
def test_without_a_database_the_way_to_one_is_named(run: Run, command: list[str]) -> None:
    with pytest.raises(StudyError, match="lontar invite"):
        run(*command)


@pytest.mark.parametrize("command", [["export"], ["status"], ["erase", "P01"], ["backup", "x.db"]])
def test_a_database_without_a_study_is_told_and_no_export_is_written_over(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    responses = tmp_path / "study" / "responses" / "responses.jsonl"
    responses.parent.mkdir()
    responses.write_text("of another database\n")
    monkeypatch.setenv("LONTAR_DATABASE_URL", f"sqlite:///{tmp_path}/other.db")
    with pytest.raises(StudyError, match="holds no study; `lontar invite` or `lontar serve`"):
        run(*command)
    assert responses.read_text() == "of another database\n"


def test_erasing_somebody_unknown_is_an_error(run: Run) -> None:
    run("invite")
    with pytest.raises(StudyError, match="no such participant"):
        run("erase", "P77", "--yes")
    with pytest.raises(StudyError, match="no such participant"):
        run("erase", "P77")  # before it asks


def test_erasing_asks_whoever_can_answer_and_else_does_as_it_is_told(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("invite")
    monkeypatch.setattr("study_server.commands.collection.on_terminal", lambda: True)
    with pytest.raises(AssertionError, match="Delete every answer of P01"):
        run("erase", "P01")  # nothing is typed
    monkeypatch.undo()
    assert "P01: erased" in run("erase", "P01").stderr


@pytest.mark.parametrize(
    ("host", "settings", "told"),
    [
        ("127.0.0.1", "", False),
        ("0.0.0.0", "", True),
        ("::", 'url = "https://leaves.example"', True),
        ("0.0.0.0", 'url = "http://leaves.example"\ntrusted_proxies = 1', True),
        ("0.0.0.0", 'url = "https://leaves.example"\ntrusted_proxies = 1', False),
    ],
)
def test_serve_says_that_a_proxy_is_a_must_where_others_reach_it(
    make_small_study: Callable[..., Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    host: str,
    settings: str,
    told: bool,
) -> None:
    folder = make_small_study(tmp_path / "public", toml=f"\n[server]\n{settings}\n")
    monkeypatch.setattr(serve_module, "serve", lambda *_given: None)
    monkeypatch.setattr(serve_module, "check_place", lambda *_given: None)
    done = CliRunner().invoke(lontar, ["-C", str(folder), "serve", "--host", host])
    assert done.exit_code == 0, done.output
    assert ("a proxy with TLS must stand in front" in done.stderr) == told
