"""Freezing: every later change of what was fixed is named, and nothing else is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sampling.record.event_log import Event, event_line
from sampling.record.freeze import Freeze, deviations, make_freeze, read_freeze, write_freeze
from sampling.record.freeze_parts import current_parts, parts_digest
from sampling.study.errors import StudyError
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
[instructions]
folder = "texts"
"""


@pytest.fixture
def frozen(tmp_path: Path) -> StudyFolder:
    (tmp_path / "study.toml").write_text(STUDY_TOML, encoding="utf-8")
    for name in ("sample/questions.jsonl", "sample/keys.jsonl", "plan/assignment.csv"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"{name}\n", encoding="utf-8")
    (tmp_path / "vocabularies.json").write_text("{}\n", encoding="utf-8")
    (tmp_path / "texts" / "en").mkdir(parents=True)
    (tmp_path / "texts" / "en" / "welcome.md").write_text("Look.\n", encoding="utf-8")
    study = open_study(tmp_path)
    write_freeze(study.freeze_file, make_freeze(study, "2026-01-02T03:04:05Z", 0))
    return study


def test_an_untouched_study_has_no_deviations(frozen: StudyFolder) -> None:
    assert deviations(frozen) == []


def test_freezing_twice_writes_the_same_bytes(frozen: StudyFolder) -> None:
    before = frozen.freeze_file.read_bytes()
    write_freeze(frozen.freeze_file, make_freeze(frozen, "2026-01-02T03:04:05Z", 0))
    assert frozen.freeze_file.read_bytes() == before


def test_other_line_ends_are_no_deviation(frozen: StudyFolder) -> None:
    frozen.assignment_file.write_bytes(b"plan/assignment.csv\r\n")
    assert deviations(frozen) == []


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("sample/questions.jsonl", "sample"),
        ("sample/keys.jsonl", "sample"),
        ("plan/assignment.csv", "plan"),
        ("vocabularies.json", "vocabularies"),
        ("texts/en/welcome.md", "instructions"),
    ],
)
def test_a_changed_file_is_named_with_its_part(frozen: StudyFolder, name: str, part: str) -> None:
    (frozen.root / name).write_text("other\n", encoding="utf-8")
    (found,) = deviations(frozen)
    assert (found.part, found.sentence) == (part, f"{name}: changed since it was frozen")


def test_a_file_that_is_gone_and_a_new_one_are_told_apart(frozen: StudyFolder) -> None:
    (frozen.root / "texts" / "en" / "welcome.md").unlink()
    (frozen.root / "texts" / "en" / "hello.md").write_text("Hi\n", encoding="utf-8")
    assert [found.sentence for found in deviations(frozen)] == [
        "texts/en/hello.md: was not there when frozen",
        "texts/en/welcome.md: was there when frozen and is gone",
    ]


def test_a_changed_setting_is_shown_with_both_values(frozen: StudyFolder) -> None:
    text = STUDY_TOML + "[assignment]\nresponses_per_question = 4\n"
    (frozen.root / "study.toml").write_text(text, encoding="utf-8")
    (found,) = deviations(open_study(frozen.root))
    assert found.part == "plan"
    assert found.sentence == "[assignment] responses_per_question: 3 when frozen, now 4"


def test_another_seed_is_a_deviation(frozen: StudyFolder) -> None:
    text = STUDY_TOML.replace('seed = "s"', 'seed = "t"')
    (frozen.root / "study.toml").write_text(text, encoding="utf-8")
    (found,) = deviations(open_study(frozen.root))
    assert found.sentence == '[study] seed: "s" when frozen, now "t"'


def test_a_freeze_of_before_the_seed_was_fixed_too_still_holds(frozen: StudyFolder) -> None:
    parts = {part: dict(items) for part, items in current_parts(frozen).items()}
    del parts["sample"]["[study] seed"]
    older = Freeze("2026-01-02T03:04:05Z", "0.1.0", 0, parts, parts_digest(parts))
    write_freeze(frozen.freeze_file, older)
    assert deviations(frozen) == []


def test_a_server_address_is_no_deviation(frozen: StudyFolder) -> None:
    text = STUDY_TOML + '[server]\nurl = "https://leaves.example.org"\n'
    (frozen.root / "study.toml").write_text(text, encoding="utf-8")
    assert deviations(open_study(frozen.root)) == []


def test_keys_are_not_read_where_the_server_asks(frozen: StudyFolder) -> None:
    frozen.keys_file.unlink()
    assert deviations(frozen, with_keys=False) == []


def test_a_late_freeze_says_so(frozen: StudyFolder) -> None:
    write_freeze(frozen.freeze_file, make_freeze(frozen, "2026-01-02T03:04:05Z", 12))
    (found,) = deviations(frozen)
    assert found.sentence == "frozen only after 12 answers had come in"


def test_interventions_after_the_freeze_are_deviations_and_earlier_ones_are_not(
    frozen: StudyFolder,
) -> None:
    after = Event(
        2, "2026-02-01T00:00:00Z", "coordinator:m", "slots.released", "participant:P03", "gone"
    )
    before = replace(after, number=1, at="2026-01-01T00:00:00Z")
    harmless = replace(after, number=3, action="link.rotated")
    log = frozen.responses_file.with_name("events.jsonl")
    log.parent.mkdir()
    lines = [event_line(event) + "\n" for event in (before, after, harmless)]
    log.write_text("".join(lines), encoding="utf-8")
    (found,) = deviations(frozen)
    assert found.sentence == "2026-02-01 participant P03: open questions released (gone)"


def test_an_edited_freeze_is_refused(frozen: StudyFolder) -> None:
    text = frozen.freeze_file.read_text(encoding="utf-8")
    frozen.freeze_file.write_text(text.replace('"3"', '"4"'), encoding="utf-8")
    with pytest.raises(StudyError, match="edited after it was written"):
        read_freeze(frozen.freeze_file)


def test_a_study_without_sample_and_plan_cannot_be_frozen(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(STUDY_TOML, encoding="utf-8")
    with pytest.raises(StudyError) as caught:
        make_freeze(open_study(tmp_path), "2026-01-02T03:04:05Z", 0)
    assert caught.value.problems == (
        "sample/questions.jsonl: not there yet; run `lontar sample` first",
        "plan/assignment.csv: not there yet; run `lontar assign` first",
    )
