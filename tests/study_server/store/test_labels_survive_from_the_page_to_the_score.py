"""Labels that other tools split, convert or lose: chosen on a page, exported, scored as right."""

from __future__ import annotations

import csv
import html
import json
import re
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner

from sampling.study.folder import open_study
from study_server.app import create_app
from study_server.cli import lontar
from study_server.folder.inviting import invite
from study_server.folder.loading import prepare_database
from study_server.folder.study_content import image_folders
from study_server.store.schema.database import transaction
from study_server.web.configuration import ServerConfiguration

LABELS = (
    *("Paris, France", "a;b", '"q"', "two\nlines", "salt and pepper", "either/or", "R&amp;D"),
    *("None", "NA", "null", "nan", "NO", "007", "1e5", "true", "2026-01-02", "=1+1", "@x"),
    *("ខ្មែរ", "தமிழ்", "עברית", "cafe\u0301", "👩‍🔬", "<b>"),
)
FORMATS = {"One": "single", "Several": "multi"}
KEYS: tuple[Any, ...] = (*LABELS, list(LABELS[:7]), list(LABELS))


def lines(rows: Sequence[dict[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


@pytest.fixture
def folder(make_small_study: Callable[..., Path], tmp_path: Path) -> Path:
    """A study of one person: a question a label, and two with several right labels."""
    folder = make_small_study(tmp_path / "study", people=1)
    image = next((folder / "benchmark/images").iterdir()).name
    asked = [
        {
            "sample_id": f"q{number:02}",
            "image_name": image,
            "script_name": "Khmer",
            "question_id": number,
            "category": "Several" if isinstance(key, list) else "One",
            "question_en": f"Number {number:02}?",
        }
        for number, key in enumerate(KEYS)
    ]
    labels = list(LABELS)
    for name, text in (
        ("sample/questions.jsonl", lines(asked)),
        (
            "sample/keys.jsonl",
            lines([{"sample_id": f"q{n:02}", "answer": key} for n, key in enumerate(KEYS)]),
        ),
        (
            "benchmark/vocabularies.json",
            json.dumps(
                {name: {"format": kind, "labels": labels} for name, kind in FORMATS.items()}
            ),
        ),
        (
            "plan/assignment.csv",
            "participant,sample_id,response_index,session,position\n"
            + "".join(f"P01,q{n:02},1,1,{n + 1}\n" for n in range(len(KEYS))),
        ),
    ):
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def answer_all(folder: Path, noon: datetime, new_visit: Callable[..., Any]) -> None:
    """Choose the key of every question, by the values that the page itself offers."""
    study = open_study(folder)
    engine = prepare_database(study, noon)
    with transaction(engine) as session:
        (link,) = invite(session, (), False, noon)
    app = create_app(
        ServerConfiguration(
            database_url=f"sqlite:///{study.database_file}",
            secret_key=b"a secret for tests, long enough to be one",
            image_folders=image_folders(study),
            image_cache=folder / "cache",
        )
    )
    visit = new_visit(app.test_client())
    visit.get(f"/p/{link.token}")
    while visit.path != "/question":
        visit.go_on()
    while visit.path == "/question":
        asked = re.search(r"Number (\d\d)\?", visit.page)
        assert asked is not None
        key = KEYS[int(asked[1])]
        offered = {
            html.unescape(value)
            for value in re.findall(r'name="answer"[^>]*? value="([^"]*)"', visit.page)
        }
        assert offered == set(LABELS)
        # A browser sends a line break as CRLF, whatever the page holds.
        as_sent = [label.replace("\n", "\r\n") for label in ([key] if key in LABELS else key)]
        visit.answer(as_sent if isinstance(key, list) else as_sent[0])
    app.extensions["lontar"].engine.dispose()
    engine.dispose()


def test_every_label_comes_back_as_itself_and_is_right(
    folder: Path, noon: datetime, new_visit: Callable[..., Any]
) -> None:
    answer_all(folder, noon, new_visit)
    for command in ("export", "analyze"):
        done = CliRunner().invoke(lontar, ["-C", str(folder), command], catch_exceptions=False)
        assert done.exit_code == 0, done.output
    text = (folder / "results/responses_scored.jsonl").read_text(encoding="utf-8")
    scored = [json.loads(line) for line in text.splitlines()]
    assert [row["raw_response"] for row in scored[: len(LABELS)]] == list(LABELS)
    assert [sorted(row["raw_response"]) for row in scored[len(LABELS) :]] == [
        sorted(LABELS[:7]),
        sorted(LABELS),
    ]
    assert {row["exact_match"] for row in scored} == {1}


def test_the_table_reads_back_the_same_whatever_reads_it(
    folder: Path, noon: datetime, new_visit: Callable[..., Any]
) -> None:
    answer_all(folder, noon, new_visit)
    CliRunner().invoke(lontar, ["-C", str(folder), "export"], catch_exceptions=False)
    path = folder / "responses/responses.csv"
    with path.open(encoding="utf-8-sig", newline="") as file:
        cells = [row["raw_response"] for row in csv.DictReader(file)]
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    assert frame["raw_response"].tolist() == cells
    # What a spreadsheet would take for a formula has an apostrophe before it, here only.
    plain = [cell.removeprefix("'") if cell[1:2] in ("=", "@") else cell for cell in cells]
    assert plain[: len(LABELS)] == list(LABELS)
    assert sorted(json.loads(plain[-1])) == sorted(LABELS)
