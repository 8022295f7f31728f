"""`lontar demo` does a whole study: the real server, HTTP answers, Table 11."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

pytestmark = pytest.mark.long
LONTAR = str(Path(sys.executable).parent / "lontar")


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    """A demonstration that has run to its end; `args[-1]` is its folder."""
    folder = tmp_path_factory.mktemp("demonstration") / "demo"
    return subprocess.run(
        [LONTAR, "demo", "--no-serve", str(folder)],
        capture_output=True,
        text=True,
        check=False,
        timeout=1500,
    )


@pytest.fixture(scope="module")
def folder(finished: subprocess.CompletedProcess[str]) -> Path:
    assert finished.returncode == 0, finished.stderr
    return Path(finished.args[-1])


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def test_table_11_has_the_humans_and_two_models(folder: Path) -> None:
    table = rows(folder / "results" / "table11.csv")
    assert [(row["kind"], row["n_em"], row["n_w1"]) for row in table] == [
        ("human", "768", "96"),
        ("model", "256", "32"),
        ("model", "256", "32"),
    ]
    assert table[0]["evaluator"] == "Human"


def test_people_do_better_than_the_models(folder: Path) -> None:
    human, *models = rows(folder / "results" / "table11.csv")
    assert 75 < float(human["em"]) < 95
    assert all(float(model["em"]) < float(human["em"]) for model in models)
    assert all(float(model["em_gap"]) > 0 for model in models)


def test_the_table_is_printed(finished: subprocess.CompletedProcess[str], folder: Path) -> None:
    human = rows(folder / "results" / "table11.csv")[0]
    assert human["em"] in finished.stdout


def test_every_question_has_three_answers_by_three_people_none_its_author(folder: Path) -> None:
    lines = (folder / "responses" / "responses.jsonl").read_text(encoding="utf-8").splitlines()
    answers = [json.loads(line) for line in lines]
    pairs = {(answer["sample_id"], answer["participant"]) for answer in answers}
    assert len(answers) == len(pairs) == 768
    assert set(Counter(question for question, _ in pairs).values()) == {3}
    names = {
        row["annotator_ids"]: row["participant"]
        for row in rows(folder / "participants.csv")
        if row["annotator_ids"]
    }
    wrote = {
        (row["sample_id"], names.get(row["annotator"]))
        for row in rows(folder / "benchmark" / "annotators.csv")
        if row["role"] == "author"
    }
    assert pairs & wrote == set()


def test_running_it_again_keeps_the_answers_and_the_bytes(folder: Path) -> None:
    before = {
        file: file.read_bytes()
        for file in (folder / "results" / "table11.csv", folder / "responses" / "responses.jsonl")
    }
    again = subprocess.run(
        [LONTAR, "demo", "--no-serve", str(folder)],
        capture_output=True,
        text=True,
        check=False,
        timeout=1500,
    )
    assert again.returncode == 0, again.stderr
    assert {file: file.read_bytes() for file in before} == before


def test_a_strangers_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    refused = subprocess.run(
        [LONTAR, "demo", "--no-serve", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert refused.returncode == 1
    assert "nothing was done" in refused.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.tex"]
