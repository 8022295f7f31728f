"""What a bundle tells whoever holds the benchmark's table of annotators, and a pooled one does not.

The attack: people are kept from questions whose key they made, so that the code without an answer
to any question of an annotator's is probably that annotator.
"""

from __future__ import annotations

import csv
import hashlib
import json
import shutil
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from study_server.cli import lontar

pytestmark = pytest.mark.slow

Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def study(paper_shape: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("linkage") / "study"
    shutil.copytree(paper_shape / "study", folder, copy_function=shutil.copyfile)
    with (folder / "study.toml").open("a", encoding="utf-8") as file:
        file.write("\n[analysis]\nresamples = 200\n")
    run(folder, "analyze")
    return folder


def run(folder: Path, *arguments: str) -> str:
    done = CliRunner().invoke(lontar, ["-C", str(folder), *arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def read_rows(file: Path) -> Rows:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def own_questions(study: Path, sample: set[str]) -> dict[str, set[str]]:
    """Read who made which keys, as anybody can where the table is public."""
    made = defaultdict(set)
    with (study / "benchmark" / "annotators.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["role"] == "author" and row["sample_id"] in sample:
                made[row["annotator"]].add(row["sample_id"])
    return made


def named(rows: Rows, made: dict[str, set[str]], field: str) -> dict[str, list[Any]]:
    """Name each annotator whom exactly one value of the field avoids, with its answers."""
    groups: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for row in rows:
        groups[json.dumps(row[field])].append((row["sample_id"], json.dumps(row["raw_response"])))
    found = {}
    for annotator, questions in made.items():
        silent = [one for one in groups.values() if not questions & {name for name, _ in one}]
        if len(silent) == 1:
            found[annotator] = sorted(silent[0])
    return found


def truth(study: Path) -> dict[str, list[Any]]:
    """Give the answers of each annotator who took part."""
    with (study / "participants.csv").open(encoding="utf-8", newline="") as file:
        people = {row["participant"]: row["annotator_ids"] for row in csv.DictReader(file)}
    answers = defaultdict(list)
    for row in read_rows(study / "responses" / "responses.jsonl"):
        answers[people[row["participant"]]].append(
            (row["sample_id"], json.dumps(row["raw_response"]))
        )
    return {name: sorted(given) for name, given in answers.items() if name}


def test_codes_alone_name_annotators_and_a_pooled_bundle_names_nobody(study: Path) -> None:
    run(study, "release")
    rows = read_rows(study / "release" / "responses.jsonl")
    made = own_questions(study, {row["sample_id"] for row in rows})
    real = truth(study)
    # The attack works on codes: five of six annotators who took part, at least.
    told = named(rows, made, "participant")
    assert sum(real[who] == told.get(who) for who in real) >= 5
    sheet = (study / "release" / "datasheet.md").read_text(encoding="utf-8")
    assert "probably that annotator" in sheet

    run(study, "release", "--pool-participants")
    rows = read_rows(study / "release" / "responses.jsonl")
    assert "participant" not in rows[0]
    for field in rows[0]:
        told = named(rows, made, field)
        assert [who for who, given in told.items() if real.get(who) == given] == [], field


def test_a_pooled_bundle_is_verified_and_described_as_it_is(study: Path) -> None:
    run(study, "release", "--pool-participants")
    # The sample of the example was drawn by other means: of all the rest nothing differs.
    told = CliRunner().invoke(lontar, ["-C", str(study), "verify"]).output
    states = dict(line.split()[:2] for line in told.splitlines() if line[:1].isalpha())
    assert states["bundle"] == states["results"] == "holds"
    assert [name for name, state in states.items() if state == "differs"] == ["sample"]
    bundle = study / "release"
    described = json.loads((bundle / "croissant.json").read_text(encoding="utf-8"))
    for file in described["distribution"]:
        content = (bundle / file["contentUrl"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == file["sha256"]
    (records,) = described["recordSet"]
    fields = [field["source"]["extract"]["column"] for field in records["field"]]
    rows = read_rows(bundle / "responses.jsonl")
    assert all(list(row) == fields for row in rows)
    assert {field["source"]["fileObject"]["@id"] for field in records["field"]} <= {
        file["@id"] for file in described["distribution"]
    }
    assert not {"assignment.csv", "participants.csv"} & {path.name for path in bundle.iterdir()}
    sheet = (bundle / "datasheet.md").read_text(encoding="utf-8")
    assert "Participants' pseudonyms were replaced by codes" not in sheet
    assert "References: `ground_truth`" in sheet
