"""Pages, quality and `score` read answers by the rule of the study, which 0.1.0 did not store."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import update

from sampling.study.definition import TextTable
from study_server.cli import lontar
from study_server.coordinator.quality import agreement_so_far
from study_server.participant.receiving import is_correct
from study_server.store.asking.content import served_study
from study_server.store.schema.database import reading, transaction
from study_server.store.schema.tables import StudyTable
from study_server.store.steering.quality import GivenAnswer

RULE_1 = "\n[analysis]\nreading_rule = 1\n"
DECOMPOSED, COMPOSED = "e\u0301a", "\u00e9a"


def forget_the_rule(study: Any) -> None:
    """Make the database one of 0.1.0, which stored no rule."""
    with transaction(study.engine) as session:
        settings = dict(session.get(StudyTable, 1).settings)
        del settings["reading_rule"]
        session.execute(update(StudyTable).values(settings=settings))


@pytest.mark.parametrize(
    ("toml", "older", "shown"),
    [("", False, COMPOSED), (RULE_1, False, DECOMPOSED), ("", True, DECOMPOSED)],
)
def test_a_text_is_previewed_as_it_will_be_scored(
    small_study: Callable[..., Any], toml: str, older: bool, shown: str
) -> None:
    study = small_study(toml=toml)
    if older:
        forget_the_rule(study)
    found = json.loads(study.visit("P01").post("/preview", answer=f"{DECOMPOSED}\n"))
    assert found == {"text": shown, "characters": len(shown)}


@pytest.mark.parametrize(
    ("toml", "older", "rule"), [("", False, 2), (RULE_1, False, 1), ("", True, 1)]
)
def test_practice_and_attention_are_judged_by_the_rule(
    small_study: Callable[..., Any], toml: str, older: bool, rule: int
) -> None:
    study = small_study(toml=toml)
    if older:
        forget_the_rule(study)
    with reading(study.engine) as session:
        served = served_study(session)
    assert served is not None
    assert {one.rule for one in served.vocabularies.values()} == {rule}
    text = next(one for one in served.vocabularies.values() if one.format == "text")
    assert is_correct(DECOMPOSED, COMPOSED, text, TextTable()) is (rule == 2)


@pytest.mark.parametrize(("rule", "alike"), [(2, 1.0), (1, 0.0)])
def test_agreement_so_far_compares_texts_as_they_are_scored(rule: int, alike: float) -> None:
    given = [
        GivenAnswer(person, 1, "Stele", json.dumps(text), 20.0, open_seconds=30.0)
        for person, text in ((1, "e\u0301"), (2, "\u00e9"))
    ]
    entries = {"Stele": {"format": "text", "labels": []}}
    (row,) = agreement_so_far(given, entries, TextTable(), rule)
    assert row.alike == alike


def test_score_says_by_which_rule_it_read_and_takes_another(tmp_path: Path) -> None:
    rows = {
        "q.jsonl": {"sample_id": "q1", "image_name": "a", "category": "c", "question_en": "x"},
        "k.jsonl": {"sample_id": "q1", "answer": "5"},
        "v.json": {"c": {"format": "single", "labels": ["5", "6"]}},
        "m.jsonl": {"sample_id": "q1", "prediction": "-5"},
    }
    for name, row in rows.items():
        (tmp_path / name).write_text(json.dumps(row) + "\n", encoding="utf-8")
    files = [str(tmp_path / name) for name in rows]
    options = ["--questions", files[0], "--keys", files[1], "--vocabularies", files[2]]
    for more, rule, match in (([], 2, 0.0), (["--reading-rule", "1"], 1, 1.0)):
        done = CliRunner().invoke(lontar, ["score", *options, *more, files[3]])
        assert done.exit_code == 0, done.output
        assert f"answers were read by reading rule {rule}" in done.stderr
        assert json.loads(done.stdout.splitlines()[0])["exact_match"] == match
