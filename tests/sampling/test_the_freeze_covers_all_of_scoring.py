"""The freeze: every module that scoring reaches counts, and where a definition stands does not."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from sampling.answers.normalization import NormalizedAnswer, Policy
from sampling.answers.vocabularies import Vocabulary
from sampling.record import freeze, scoring_code
from sampling.record.freeze import Freeze, deviations, make_freeze, write_freeze
from sampling.record.freeze_parts import current_parts, parts_digest
from sampling.record.scoring_code import (
    FIRST_FILES,
    FIRST_READING,
    FIRST_SCORES,
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
# Rooms in which everything decides how an answer is read or scored; what models are told does not.
ROOMS = ("sampling/answers", "analysis/predictions", "analysis/scoring")
ELSEWHERE = {"analysis.predictions.prompts"}
ROOT = Path(__file__).resolve().parents[2]


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


def loaded_by_scoring() -> set[str]:
    """Let Python itself import where scoring begins, and list what it loaded of this product."""
    code = f"import sys, {', '.join(scoring_code.ROOTS)}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return {one for one in done.stdout.split() if one.partition(".")[0] in scoring_code.PACKAGES}


def test_every_module_that_scoring_reaches_is_digested() -> None:
    reached = reachable_sources().keys()
    assert loaded_by_scoring() <= reached
    for room in ROOMS:
        names = {f"{room.replace('/', '.')}.{path.stem}" for path in (ROOT / room).glob("[!_]*.py")}
        assert names - reached <= ELSEWHERE


def test_a_module_that_is_not_found_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoring_code, "ROOTS", ("analysis.scoring.not_there",))
    with pytest.raises(ImportError, match="not_there: no such module"):
        reachable_sources()
    with pytest.raises(ImportError, match="relative place"):
        scoring_code._imported("from . import exact", "analysis.scoring.scored")
    monkeypatch.setattr(scoring_code, "ROOTS", ("analysis.scoring.exact",))
    monkeypatch.setattr(scoring_code, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match="exact: no such module"):
        reachable_sources()


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


def test_a_freeze_of_the_first_version_names_these_files() -> None:
    assert set(FIRST_FILES) == {
        *("analysis/scoring.py", "analysis/scoring_basis.py", "analysis/transcription_scores.py"),
        *("sampling/label_keys.py", "sampling/lenient.py", "sampling/normalization.py"),
        "sampling/transcription.py",
    }


def test_a_freeze_of_the_first_version_does_not_hold_where_scores_changed(
    study: StudyFolder,
) -> None:
    freeze_of_the_first_version(study, FIRST_FILES)
    assert deviations(study, scores=FIRST_SCORES) == []
    assert {one.item for one in deviations(study, scores="others")} == set(FIRST_FILES)


def test_a_changed_score_is_a_deviation_whatever_the_version(study: StudyFolder) -> None:
    frozen = make_freeze(study, "2026-01-02T03:04:05Z", 0, scores="scores")
    write_freeze(study.freeze_file, replace(frozen, lontar_version="9.9"))
    assert deviations(study, scores="scores") == []
    assert [one.item for one in deviations(study, scores="others")] == ["scores and averages"]
    # A server neither computes nor compares them.
    assert deviations(study) == []
    write_freeze(study.freeze_file, make_freeze(study, "2026-01-02T03:04:05Z", 0))
    assert deviations(study, scores="scores") == []


def test_a_changed_reading_of_the_studys_own_labels_is_a_deviation(
    study: StudyFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = {"Script": {"format": "single", "labels": ["Grantha"], "aliases": {"G": "Grantha"}}}
    study.vocabularies_file.write_text(json.dumps(entries), encoding="utf-8")
    write_freeze(study.freeze_file, make_freeze(study, "2026-01-02T03:04:05Z", 0))
    assert deviations(study) == []
    before = scoring_code.normalize

    def changed(raw: object, vocabulary: Vocabulary, policy: Policy) -> NormalizedAnswer:
        return before("" if raw == "G" else raw, vocabulary, policy)

    scoring_code._own_reading_digest.cache_clear()
    monkeypatch.setattr(scoring_code, "normalize", changed)
    assert [one.item for one in deviations(study)] == ["reading of the study's labels"]
    scoring_code._own_reading_digest.cache_clear()


def test_another_vocabulary_is_one_deviation_and_so_is_another_rule(study: StudyFolder) -> None:
    entries = {"Script": {"format": "single", "labels": ["Grantha"]}}
    study.vocabularies_file.write_text(json.dumps(entries), encoding="utf-8")
    write_freeze(study.freeze_file, make_freeze(study, "2026-01-02T03:04:05Z", 0))
    chosen = STUDY_TOML + "[analysis]\nreading_rule = 1\n"
    study.definition_file.write_text(chosen, encoding="utf-8")
    items = {one.item for one in deviations(open_study(study.root)) if one.part == "scoring rules"}
    assert items <= {"reading rule", "[text] canonical_equivalence"}
    study.definition_file.write_text(STUDY_TOML, encoding="utf-8")
    entries["Script"]["labels"] = ["Grantha", "Tamil"]
    study.vocabularies_file.write_text(json.dumps(entries), encoding="utf-8")
    assert [one.item for one in deviations(study)] == ["vocabularies.json"]


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
