"""`lontar verify`: responses, results and the bundle are compared with each other."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import pytest
from click.testing import CliRunner

from analysis.release.verification import bundle_digest
from study_server.cli import lontar

pytestmark = pytest.mark.slow

RESPONSES = "responses/responses.jsonl"


def part(told: str, name: str) -> str:
    """Give what was said of one part."""
    lines = told.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(f"{name} "))
    after = (number for number in range(start + 1, len(lines)) if lines[number][0] != " ")
    return "\n".join(lines[start : next(after, len(lines))])


def test_an_untouched_study_holds_and_says_what_was_not_made_again(released: Any) -> None:
    told = released.run("verify")
    assert part(told, "responses") == "responses holds    12 rows, each as in the database"
    assert "results   holds    made from the files that are there, by digest" in told
    assert "(not made again: intervals, tests" in part(told, "results")
    assert "and the data are those of the study and its results" in part(told, "bundle")


def test_an_edited_answer_is_found_with_both_values(released: Any) -> None:
    released.change(RESPONSES, '"answer 1"', '"better"')
    told = released.run("verify")
    assert "raw_response is 'better', the database has 'answer 1'" in part(told, "responses")
    assert f"{RESPONSES}: changed since `lontar analyze`" in part(told, "results")
    assert "tables not compared" in part(told, "results")
    assert "made from other responses" in part(told, "bundle")


def test_a_row_that_was_taken_out_and_one_that_was_put_in_are_found(released: Any) -> None:
    lines = (released.root / RESPONSES).read_text("utf-8").splitlines()
    lines[0] = lines[0].replace('"P01"', '"P09"').replace('"P02"', '"P09"')
    (released.root / RESPONSES).write_text("\n".join(lines) + "\n", "utf-8")
    told = part(released.run("verify"), "responses")
    assert "responses differs  2 differences" in told
    assert "is in the database and not in the file; `lontar export`" in told
    assert "by P09: is not in the database" in told


def test_without_a_database_responses_are_not_compared(released: Any) -> None:
    released.engine.dispose()
    (released.root / "study.db").unlink()
    told = part(released.run("verify"), "responses")
    assert told.startswith("responses absent   not compared: there is no database")


def test_edited_results_are_found_cell_by_cell_and_so_is_the_bundle_of_before(
    released: Any,
) -> None:
    table = (released.root / "results/table11.csv").read_text("utf-8").splitlines()
    human = table[1].split(",")
    where = table[0].split(",").index("em")
    before, human[where] = human[where], "99.99"
    text = "\n".join([table[0], ",".join(human), *table[2:]]) + "\n"
    (released.root / "results/table11.csv").write_text(text, "utf-8")
    told = released.run("verify")
    said = f"results/table11.csv: Human: em is 99.99, made again it is {before}"
    assert said in part(told, "results")
    assert "release/table11.csv: is not that of the study" in part(told, "bundle")


def test_an_edited_key_is_found_by_its_digest(released: Any) -> None:
    with (released.root / "sample/keys.jsonl").open("a") as file:
        file.write("\n")
    told = part(released.run("verify"), "results")
    assert "sample/keys.jsonl: changed since `lontar analyze`" in told


def test_a_record_of_a_run_that_is_gone_or_none_is_a_difference(released: Any) -> None:
    (released.root / "results/run.json").write_text("[1]")
    assert "results/run.json: is not the record of a run" in released.run("verify")
    (released.root / "results/run.json").unlink()
    assert "results/run.json: is gone; `lontar analyze`" in released.run("verify")


def test_the_bundle_holds_where_the_key_of_its_codes_is_away(released: Any) -> None:
    key = released.root / "secrets" / "release.key"
    key.parent.mkdir(exist_ok=True)
    key.write_text("another secret")
    released.run("release")
    key.unlink()
    told = part(released.run("verify"), "bundle")
    assert "bundle    holds" in told
    assert "people's codes and the plan (secrets/release.key is not here)" in told


def test_release_prints_the_digest_that_verify_repeats(released: Any) -> None:
    digest = released.run("release").strip()
    assert digest == bundle_digest(released.root / "release")
    assert f"the digest of SHA256SUMS is {digest}" in part(released.run("verify"), "bundle")


def test_a_bundle_alone_claims_no_more_than_was_done(released: Any) -> None:
    told = CliRunner().invoke(lontar, ["verify", str(released.root / "release")])
    assert told.exit_code == 0
    assert "not made again: models' numbers (their outputs are in no bundle" in told.stdout


def test_a_database_that_is_none_is_a_difference_and_no_traceback(released: Any) -> None:
    released.engine.dispose()
    for file in released.root.glob("study.db*"):
        file.unlink()
    (released.root / "study.db").write_text("no database at all")
    told = released.run("verify")
    assert "study.db: is no database, or a damaged one" in part(told, "responses")


@pytest.mark.parametrize("command", ["export", "verify"])
def test_a_database_damaged_in_one_place_is_told_without_a_traceback(
    released: Any, command: str
) -> None:
    released.engine.dispose()
    with closing(sqlite3.connect(released.root / "study.db")) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = database.execute("PRAGMA page_size").fetchone()
        where = "SELECT rootpage FROM sqlite_master WHERE name = 'answer'"
        (page,) = database.execute(where).fetchone()
    with (released.root / "study.db").open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)
    done = CliRunner().invoke(lontar, ["-C", str(released.root), command])
    assert "put a backup in its place" in f"{done.output} {done.exception}"
