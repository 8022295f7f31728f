"""A benchmark of texts in its own folders, through every command from `new` to `analyze`."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from study_server.cli import lontar

Run = Callable[..., Result]
PAPER = """
[[models]]
name = "demo-model"
predictions = "predictions/demo-model"

[[models]]
name = "A paper's model"
[models.aggregates]
overall = { ned = 52.08, char_f1 = 57.86 }
Seal = { ned = 18.59 }
bronze_rubbings = { char_f1 = 38.48 }
"""


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run a command of `lontar` on the study's folder, which must succeed."""

    def call(*arguments: str) -> Result:
        done = CliRunner().invoke(lontar, ["-C", str(tmp_path / "study"), *arguments])
        assert done.exit_code == 0, (done.output, done.exception)
        return done

    return call


def rows(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / "results" / f"{name}.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def answer_everything(folder: Path, answers: dict[str, list[str]]) -> None:
    """Write what an export would hold: each question's answers by their response index."""
    with (folder / "plan" / "assignment.csv").open(encoding="utf-8", newline="") as stream:
        slots = list(csv.DictReader(stream))
    lines = [
        {
            "sample_id": slot["sample_id"],
            "participant": slot["participant"],
            "response_index": int(slot["response_index"]),
            "status": "answered",
            "raw_response": answers[slot["sample_id"]][int(slot["response_index"]) - 1],
            "shown_at": "2026-09-01T08:00:00Z",
            "submitted_at": "2026-09-01T08:02:00Z",
            "active_seconds": 60.0,
        }
        for slot in slots
    ]
    (folder / "responses").mkdir()
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    (folder / "responses" / "responses.jsonl").write_text(text, encoding="utf-8")


def test_the_benchmarks_folders_run_from_new_to_analyze(
    tmp_path: Path, run: Run, examples: Path
) -> None:
    folder = tmp_path / "study"
    CliRunner().invoke(lontar, ["new", str(folder), "--preset", "ancient-bench"])
    shape = examples / "formats" / "ancient_bench_shape"
    shutil.copytree(shape / "Ancient_Bench", folder / "benchmark" / "Ancient_Bench")
    shutil.copytree(shape / "infer_results" / "demo-model", folder / "predictions" / "demo-model")
    with (folder / "study.toml").open("a", encoding="utf-8") as file:
        file.write(PAPER)
    assert "A paper's model" in run("check").stdout
    run("sample")
    run("assign")
    answer_everything(
        folder,
        {
            # As written; then one sign less of four: 3/4 and 6/7.
            "seals_900001": ["山水清音", "山水清"],
            # 五 units, 記 missed: 4/5 and 8/9; nothing could be read: 0.
            "seals_900002": ["□年=<unrecognizable>", ""],
            # 卷一天地小注人, seven units: all; without the two inside <ignore>: 5/7 and 10/12.
            "seals_900003": ["<ignore>卷一</ignore>天地（小注）人", "天地小注人"],
        },
    )
    printed = run("analyze").stdout
    human, model, paper = rows(folder, "table11")
    # People: (1 + 3/4 + 4/5 + 0 + 1 + 5/7)/6 = 597/840; F1 (1 + 6/7 + 8/9 + 0 + 1 + 5/6)/6.
    assert (human["n_text"], human["ned"], human["char_f1"]) == ("6", "71.07", "76.32")
    # Pairs: 3/4, 0, 5/7.
    assert human["agreement"] == "48.81"
    # The model's three items are 1, 3/5, 3/7 and 1, 2/3, 3/5.
    assert (model["n_text"], model["ned"], model["char_f1"]) == ("3", "67.62", "75.56")
    # 597/840 - 71/105 = 29/840.
    assert model["ned_gap"] == "3.45"
    assert (paper["kind"], paper["ned"], paper["ned_gap"]) == ("reported", "52.08", "")
    assert "A paper's model (reported)" in printed
    by_category = {(row["evaluator"], row["group"]): row for row in rows(folder, "by_category")}
    # The medium has the name of the benchmark's own table. One that was not drawn has no row.
    assert set(by_category) == {
        ("Human", "Seal"),
        ("demo-model", "Seal"),
        ("A paper's model", "Seal"),
    }
    assert by_category["A paper's model", "Seal"]["condition"] == "reported"
    assert [row["n_empty"] for row in rows(folder, "transcriptions")] == ["1", "0"]


def test_loads_are_equal_in_characters_and_media_weigh_the_same(tmp_path: Path, run: Run) -> None:
    folder = tmp_path / "study"
    CliRunner().invoke(lontar, ["new", str(folder), "--preset", "ancient-bench"])
    # One long text and nine short ones in one medium, one short text in another.
    keys = {
        "silk_manuscripts": ["甲" * 90, *["乙丙丁戊己庚辛壬癸子"] * 9],
        "seals": ["天地玄黃宇宙洪荒日月"],
    }
    answers: dict[str, list[str]] = {}
    for medium, texts in keys.items():
        place = folder / "benchmark" / "Ancient_Bench" / medium
        place.mkdir(parents=True)
        lines = []
        for number, text in enumerate(texts):
            name = f"{medium}_{number:06}"
            lines.append(json.dumps({"image": f"{name}.png", "human_gt": text}) + "\n")
            answers[name] = [text if medium == "seals" else text[: len(text) // 2]]
        (place / "conv.jsonl").write_text("".join(lines), encoding="utf-8")
    toml = (folder / "study.toml").read_text(encoding="utf-8")
    toml = toml.replace("responses_per_question = 2", "responses_per_question = 1")
    (folder / "study.toml").write_text(toml, encoding="utf-8")
    (folder / "participants.csv").write_text("participant,annotator_ids\nP1,\nP2,\n")
    run("sample")
    run("assign")
    with (folder / "plan" / "assignment.csv").open(encoding="utf-8", newline="") as stream:
        slots = [(row["participant"], row["sample_id"]) for row in csv.DictReader(stream)]
    length = {"silk_manuscripts_000000": 90}
    loads = {
        person: (
            sum(length.get(asked, 10) for one, asked in slots if one == person),
            sum(one == person for one, _ in slots),
        )
        for person, _ in slots
    }
    # 190 characters in 11 questions: the long one and one more, or the other nine.
    assert sorted(loads.values()) == [(90, 9), (100, 2)]
    answer_everything(folder, answers)
    run("analyze")
    # Half of each silk text, all of the seal's: macro (1/2 + 1)/2 and not (10·1/2 + 1)/11.
    assert rows(folder, "table11")[0]["ned"] == "75.00"
    weighed = {row["group"]: row["ned"] for row in rows(folder, "overall")}
    assert (weighed["categories"], weighed["answers"]) == ("75.00", "54.55")
