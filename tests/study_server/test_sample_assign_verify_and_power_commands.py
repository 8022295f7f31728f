from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from sampling.assignment.plan import read_plan
from sampling.study.errors import StudyError
from study_server.commands.freeze import verify_command
from study_server.commands.power import power_command
from study_server.commands.sample import assign_command, sample_command


@pytest.fixture
def study(paper_shape: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "study"
    shutil.copytree(paper_shape / "study", folder)
    shutil.rmtree(folder / "responses")
    return folder


def run(command, folder: Path, *arguments: str):
    result = CliRunner().invoke(command, arguments, obj=folder)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_a_study_is_sampled_planned_and_verified(study: Path) -> None:
    assert "sample/questions.jsonl is written again" in run(sample_command, study).stderr
    assert run(assign_command, study).exit_code == 0
    assert set(Counter(slot.participant for slot in _plan(study)).values()) == {96}
    result = run(verify_command, study)
    assert result.exit_code == 0
    assert [line.split()[:2] for line in result.stdout.splitlines()] == [
        ["sample", "holds"],
        ["plan", "holds"],
        ["freeze", "absent"],
        ["log", "absent"],
        ["responses", "absent"],
        ["results", "absent"],
        ["erasure", "absent"],
        ["bundle", "absent"],
    ]
    assert "made again it is the same" in result.stdout
    assert "Nothing." in (study / "plan/report.md").read_text()


def test_an_annotators_file_that_bars_nobody_is_pointed_out(study: Path) -> None:
    assert "keeps nobody" not in run(assign_command, study).stderr
    roster = study / "participants.csv"
    roster.write_text(roster.read_text().replace(",A", ",B"))
    told = run(assign_command, study)
    assert told.exit_code == 0
    assert "note: annotators.csv keeps nobody from any question" in told.stderr


def _plan(study: Path):
    return read_plan(study / "plan/assignment.csv")


def test_a_sample_not_drawn_from_the_seed_is_told_apart(study: Path) -> None:
    # The example's sample was drawn by other means: on disk it is the truth, here it differs.
    result = run(verify_command, study)
    assert result.exit_code == 1
    first, second, *_ = result.stdout.splitlines()
    assert first == "sample    differs  1 difference"
    assert re.fullmatch(
        r"  - questions\.jsonl: \d+ of 256 questions are not those that the seed draws; there is "
        r"no sample/manifest\.json: drawn by other means, or the manifest is lost",
        second,
    )


def test_a_key_of_a_sample_drawn_by_other_means_is_compared_with_the_benchmark(
    study: Path,
) -> None:
    rows = (study / "sample/keys.jsonl").read_text().splitlines()
    first = json.loads(rows[0])["sample_id"]
    rows[0] = json.dumps({"sample_id": first, "answer": "nonsense"})
    (study / "sample/keys.jsonl").write_text("\n".join(rows) + "\n")
    told = run(verify_command, study).stdout
    assert "sample    differs  2 differences" in told
    assert f"keys.jsonl: {first} has 'nonsense', the benchmark has" in told


def test_a_faulty_question_is_replaced_in_sample_and_plan(study: Path) -> None:
    run(sample_command, study)
    run(assign_command, study)
    faulty = json.loads((study / "sample/questions.jsonl").read_text().splitlines()[9])["sample_id"]
    before = {
        (slot.participant, slot.position) for slot in _plan(study) if slot.sample_id == faulty
    }
    result = run(sample_command, study, "--replace", faulty, "--reason", "two leaves on one image")
    new = re.search(r"replaced by (\S+)", result.stderr)
    assert new is not None
    after = {(slot.participant, slot.position) for slot in _plan(study) if slot.sample_id == new[1]}
    assert len(after) == 3
    assert len(before & after) >= 2
    assert faulty not in {slot.sample_id for slot in _plan(study)}
    assert run(verify_command, study).exit_code == 0
    assert f"{faulty} stays replaced" in run(sample_command, study).stderr


def test_only_a_question_of_the_sample_can_be_replaced(study: Path) -> None:
    run(sample_command, study)
    with pytest.raises(StudyError, match="q999: not a question of the sample"):
        run(sample_command, study, "--replace", "q999", "--reason", "x")


def test_a_replacement_needs_its_reason(study: Path) -> None:
    assert run(sample_command, study, "--replace", "q1").exit_code == 2


def test_nothing_is_replaced_after_the_settings_changed(study: Path) -> None:
    run(sample_command, study)
    text = (study / "study.toml").read_text()
    (study / "study.toml").write_text(text.replace("per_stratum = 4", "per_stratum = 3"))
    faulty = json.loads((study / "sample/questions.jsonl").read_text().splitlines()[0])["sample_id"]
    with pytest.raises(StudyError, match="changed since the sample was drawn"):
        run(sample_command, study, "--replace", faulty, "--reason", "x")


def test_a_frozen_study_is_neither_sampled_nor_planned_again(study: Path) -> None:
    (study / "freeze.json").write_text("{}")
    for command in (sample_command, assign_command):
        with pytest.raises(StudyError, match="the study is frozen"):
            run(command, study)


def test_a_plan_that_cannot_be_is_refused_and_every_question_is_named(study: Path) -> None:
    roster = (study / "participants.csv").read_text().splitlines()[:7]
    quotas = [roster[0] + ",quota", *(f"{line},127" for line in roster[1:])]
    (study / "participants.csv").write_text("\n".join(quotas) + "\n")
    # 6 x 127 = 762 of 768.
    with pytest.raises(StudyError, match=r"no plan: 6 answers short: 256 questions \(") as raised:
        run(assign_command, study)
    assert "only 6 people (P01, P02, P03, P04, P05, P06)" in str(raised.value)
    report = (study / "plan/report.md").read_text()
    assert len(re.findall(r"^- \w+__\d$", report, re.MULTILINE)) == 256
    assert not (study / "plan/assignment.csv").exists()


def test_power_prints_its_table_and_writes_its_plot(study: Path) -> None:
    result = run(power_command, study)
    row = next(line for line in result.stdout.splitlines() if line.startswith("em      all"))
    # EM of 256 questions x 3 by 8 people: +-3.3 (+-3.9 for new people), a gap of 7.6 (8.4).
    assert row.split() == ["em", "all", "256", "3", "8", "3.3", "3.9", "6.3", "6.7", "7.6", "8.4"]
    assert {file.name for file in (study / "power").iterdir()} == {
        "power.json",
        "power.png",
        "power.svg",
    }


def test_power_is_known_before_the_sample_is_drawn(study: Path) -> None:
    with_sample = run(power_command, study).stdout
    shutil.rmtree(study / "sample")
    assert run(power_command, study).stdout == with_sample
    assert not (study / "sample").exists()


def test_a_bundle_alone_is_checked_without_its_study(tmp_path: Path) -> None:
    (tmp_path / "bundle").mkdir()
    result = run(verify_command, tmp_path, str(tmp_path / "bundle"))
    assert result.exit_code == 1
    assert "SHA256SUMS: not found" in result.stdout
