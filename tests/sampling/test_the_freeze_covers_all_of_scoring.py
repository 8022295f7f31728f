"""The freeze: every module that scoring reaches counts, and where a definition stands does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from sampling.record import freeze, scoring_code
from sampling.record.freeze import Freeze, deviations, make_freeze, write_freeze
from sampling.record.freeze_parts import current_parts, parts_digest
from sampling.record.scoring_code import (
    FIRST_FILES,
    FIRST_READING,
    definitions_digest,
    reachable_sources,
    reading_digest,
)
from sampling.study.folder import StudyFolder, open_study

STUDY_TOML = """
[study]
name = "Leaves"
seed = "s"
[benchmark]
questions = ["q.jsonl"]
vocabularies = "vocabularies.json"
[sample]
strata = ["category"]
per_stratum = 1
"""
MODULES = (
    *(
        "sampling.answers.normalization",
        "sampling.answers.lenient",
        "sampling.answers.labels",
        "sampling.answers.labels",
    ),
    *(
        "sampling.answers.model_output",
        "sampling.answers.model_output",
        "sampling.answers.vocabularies",
        "sampling.answers.transcription",
    ),
    *(
        "analysis.scoring.scored",
        "analysis.scoring.scores",
        "analysis.scoring.scores",
    ),
    *("analysis.scoring.exact", "analysis.scoring.exact", "analysis.table11.table11"),
)


@pytest.fixture
def study(tmp_path: Path) -> StudyFolder:
    (tmp_path / "study.toml").write_text(STUDY_TOML, encoding="utf-8")
    for name in ("sample/questions.jsonl", "plan/assignment.csv", "vocabularies.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}\n", encoding="utf-8")
    return open_study(tmp_path)


def freeze_of_the_first_version(study: StudyFolder, files: dict[str, str]) -> None:
    parts = {part: dict(items) for part, items in current_parts(study).items()}
    rules = {n: v for n, v in parts["scoring rules"].items() if n.startswith("[")}
    rules.pop("[text] canonical_equivalence", None)
    parts["scoring rules"] = rules | files
    old = Freeze("2026-01-02T03:04:05Z", "0.1.0", 0, parts, parts_digest(parts))
    write_freeze(study.freeze_file, old)


def test_every_module_that_scoring_reaches_is_digested() -> None:
    assert set(MODULES) <= reachable_sources().keys()


def test_each_of_them_counts() -> None:
    sources = reachable_sources()
    whole = definitions_digest(sources)
    for name in sources:
        changed = sources | {name: sources[name] + "\nplanted = 1\n"}
        assert definitions_digest(changed) != whole, name


def test_moving_a_definition_and_rewording_a_docstring_change_nothing() -> None:
    apart = {"a": '"""A."""\nimport b\ndef f():\n    """Do."""\n    return 1\n', "b": "X = 1\n"}
    together = {"c": '"""C."""\nX = 1\ndef f():\n    """Give."""\n    return 1\n'}
    assert definitions_digest(apart) == definitions_digest(together)


def test_a_changed_reading_is_a_deviation(
    study: StudyFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_freeze(study.freeze_file, make_freeze(study, "2026-01-02T03:04:05Z", 0))
    assert deviations(study) == []
    before = scoring_code.normalize
    monkeypatch.setattr(
        scoring_code, "normalize", lambda raw, *rest: before("5" if raw == "-5" else raw, *rest)
    )
    assert [one.item for one in deviations(study)] == ["answer reading"]


def test_a_freeze_of_the_first_version_keeps_rule_1_and_holds(
    study: StudyFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    freeze_of_the_first_version(study, FIRST_FILES)
    assert (study.reading_rule, deviations(study)) == (1, [])
    monkeypatch.setattr(freeze, "reading_digest", lambda rule: "another")
    assert {one.item for one in deviations(study)} == set(FIRST_FILES)


def test_another_rule_for_a_frozen_study_is_a_deviation(study: StudyFolder) -> None:
    freeze_of_the_first_version(study, FIRST_FILES)
    chosen = STUDY_TOML + "[analysis]\nreading_rule = 2\n"
    study.definition_file.write_text(chosen, encoding="utf-8")
    again = open_study(study.root)
    assert again.reading_rule == 2
    assert "reading rule" in {one.item for one in deviations(again)}


def test_rule_1_reads_as_version_0_1_0_did() -> None:
    assert reading_digest(1) == FIRST_READING != reading_digest(2)


def test_how_often_people_may_practise_counts_only_where_a_study_says_it(tmp_path: Path) -> None:
    def pages(more: str) -> dict[str, str]:
        table = '[practice]\nquestions = "p.jsonl"\nkeys = "k.jsonl"\npass_mark = 0.5\n'
        (tmp_path / "study.toml").write_text(STUDY_TOML + table + more, encoding="utf-8")
        return dict(current_parts(open_study(tmp_path))["pages"])

    # A freeze of 0.1.0 knows of no such setting, and holds.
    as_before = pages("")
    assert "[practice] pass_mark" in as_before
    assert "[practice] max_rounds" not in as_before
    assert pages("max_rounds = 5\n") == as_before | {"[practice] max_rounds": "5"}
