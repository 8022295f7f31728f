"""Options of a benchmark on the page: each on its line, and none that a question does not have."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from study_server.cli import lontar

STUDY = """
[study]
name = "Options"
seed = "s"
[benchmark]
questions = "q.jsonl"
vocabularies = "v.json"
images = "images"
[benchmark.fields]
question_en = "{question}\\nA. {options.0} B. {options.1} C. {options.2}"
[sample]
strata = ["category"]
per_stratum = 1
[assignment]
responses_per_question = 1
[server]
languages = ["en"]
"""
OPTIONS = {"two": ["kookaburra", "spoonbill", None], "three": ["crow", "lark", "wren"]}


@pytest.fixture
def make_small_study(small_image: Callable[[str], bytes]) -> Callable[..., Path]:
    """A function that draws and plans a study of some categories by the real commands."""

    def make(folder: Path, categories: tuple[str, ...]) -> Path:
        (folder / "images").mkdir(parents=True)
        (folder / "images" / "a.jpg").write_bytes(small_image("a"))
        rows = [
            {"id": name, "image": "a.jpg", "category": name, "question": f"Which of {name}?"}
            | {"options": OPTIONS[name], "answer": "A"}
            for name in categories
        ]
        labels = {
            name: ["A", "B", "C"][: len(list(filter(None, OPTIONS[name])))] for name in OPTIONS
        }
        for name, text in (
            ("study.toml", STUDY),
            ("q.jsonl", "".join(json.dumps(row) + "\n" for row in rows)),
            ("v.json", json.dumps({name: labels[name] for name in categories})),
            ("participants.csv", "participant,annotator_ids\nP1,\n"),
        ):
            (folder / name).write_text(text, encoding="utf-8")
        for command in ("sample", "assign"):
            done = CliRunner().invoke(lontar, ["-C", str(folder), command])
            assert done.exit_code == 0, done.exception
        return folder

    return make


@pytest.mark.parametrize(
    ("categories", "said"),
    [
        (("two", "three"), "You answered 2 questions, and every answer is saved."),
        (("two",), "You answered 1 question, and the answer is saved."),
    ],
)
def test_a_question_offers_its_own_options_only(
    small_study: Callable[..., Any], categories: tuple[str, ...], said: str
) -> None:
    visit = small_study(categories=categories).visit("P1")
    shown = {}
    for _ in categories:
        (heading,) = re.findall(r'<h1 class="asked"[^>]*>([^<]*)</h1>', visit.page)
        assert f">{heading}</legend>" in visit.page
        shown[heading] = re.findall(r'name="answer" value="([^"]*)"', visit.page)
        visit.answer("A")
    expected = {
        "Which of two?\nA. kookaburra B. spoonbill": ["A", "B"],
        "Which of three?\nA. crow B. lark C. wren": ["A", "B", "C"],
    }
    assert shown == {asked: expected[asked] for asked in shown}
    assert len(shown) == len(categories)
    assert visit.path == "/done"
    assert said in visit.page
