"""A study to load: written as files, invited to by the command, on either database."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw

LONTAR = (sys.executable, "-P", "-c", "from study_server.cli import main; main()")
IMAGES = 16
CATEGORIES = (
    ("Script Name", "Which script is the leaf written in?"),
    ("Physical Condition", "Which kinds of damage are visible?"),
    ("Drawings", "Is there a drawing on the leaf?"),
    ("Line Count", "How many lines of writing are there?"),
)
COLLECTIONS = ("Balinese", "Khmer", "Tamil", "Grantha")
VOCABULARIES = {
    "Script Name": {"format": "single", "labels": [f"script {n}" for n in range(1, 9)]},
    "Physical Condition": {
        "format": "multi",
        "labels": ["intact", "cracks", "stains", "fading", "holes", "mould"],
        "exclusive": ["intact"],
    },
    "Drawings": {"format": "binary", "labels": ["yes", "no"]},
    "Line Count": {"format": "count", "min": 0, "max": 40},
}
TOML = """\
[study]
name = "Load"
seed = "load"

[benchmark]
questions = ["benchmark/test.jsonl"]
vocabularies = "benchmark/vocabularies.json"
images = "benchmark/images"

[sample]
strata = ["category"]
per_stratum = 1

[assignment]
responses_per_question = {k}
mode = "{mode}"
lease_minutes = {lease_minutes}
questions_per_session = {per_session}
{max_load}

[server]
languages = ["en"]
"""


@dataclass(frozen=True)
class LoadStudy:
    """A study's folder, the surroundings its commands run in, and everybody's token."""

    folder: Path
    environment: dict[str, str]
    tokens: dict[str, str]

    def lontar(self, *arguments: str) -> str:
        """Run a command on the study and give what it printed."""
        done = subprocess.run(
            [*LONTAR, "-C", str(self.folder), *arguments],
            env=self.environment,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        return done.stdout


def make_study(
    folder: Path,
    questions: int = 256,
    people: int = 32,
    k: int = 3,
    mode: str = "plan",
    database: str | None = None,
    lease_minutes: float = 30.0,
    per_session: int = 32,
    max_load: int | None = None,
) -> LoadStudy:
    """Write the files of a study, load them into its database, and invite everybody."""
    names = [f"P{number:04}" for number in range(1, people + 1)]
    ids = [f"leaf{number:06}" for number in range(questions)]
    _write_images(folder / "benchmark" / "images")
    settings = TOML.format(
        k=k,
        mode=mode,
        lease_minutes=lease_minutes,
        per_session=per_session,
        max_load="" if max_load is None else f"max_load = {max_load}",
    )
    _write(folder / "study.toml", settings)
    _write(folder / "benchmark/vocabularies.json", json.dumps(VOCABULARIES))
    _write(
        folder / "participants.csv",
        "\n".join(["participant,annotator_ids", *(f"{name}," for name in names), ""]),
    )
    lines = [json.dumps(_question(number, one)) for number, one in enumerate(ids)]
    _write(folder / "sample/questions.jsonl", "\n".join([*lines, ""]))
    if mode == "plan":
        _write(folder / "plan/assignment.csv", _plan(ids, names, k, per_session))
    environment = dict(os.environ)
    environment.pop("LONTAR_DATABASE_URL", None)
    if database is not None:
        environment["LONTAR_DATABASE_URL"] = database
    study = LoadStudy(folder, environment, {})
    links = folder / "links.csv"
    study.lontar("invite", "--csv", str(links))
    with links.open(encoding="utf-8") as opened:
        study.tokens.update(
            (row["participant"], row["link"].rsplit("/", 1)[1]) for row in csv.DictReader(opened)
        )
    return study


def _question(number: int, sample_id: str) -> dict[str, object]:
    category, words = CATEGORIES[number % len(CATEGORIES)]
    return {
        "sample_id": sample_id,
        "image_name": f"leaf{number % IMAGES:02}.jpg",
        "script_name": COLLECTIONS[number // len(CATEGORIES) % len(COLLECTIONS)],
        "question_id": number,
        "category": category,
        "question_en": words,
    }


def _plan(ids: list[str], names: list[str], k: int, per_session: int) -> str:
    """Deal the questions out in turn: k distinct people each, equal loads."""
    given: dict[str, list[tuple[str, int]]] = {name: [] for name in names}
    turn = 0
    for sample_id in ids:
        for index in range(1, k + 1):
            given[names[turn % len(names)]].append((sample_id, index))
            turn += 1
    rows = [
        f"{name},{sample_id},{index},{(position - 1) // per_session + 1},{position}"
        for name in names
        for position, (sample_id, index) in enumerate(given[name], start=1)
    ]
    return "\n".join(["participant,sample_id,response_index,session,position", *rows, ""])


def _write_images(folder: Path) -> None:
    folder.mkdir(parents=True)
    for number in range(IMAGES):
        leaf = Image.new("RGB", (900, 180), (196 - number, 164, 110 + number))
        for line in range(4):
            ImageDraw.Draw(leaf).line([(40, 35 + 35 * line), (860, 35 + 35 * line)], (60, 40, 20))
        leaf.save(folder / f"leaf{number:02}.jpg", "JPEG", quality=88)


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
