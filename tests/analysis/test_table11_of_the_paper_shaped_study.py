"""The paper-shaped study gives the published numbers to the digit, and the same bytes again."""

from __future__ import annotations

import csv
import hashlib
import json
import shutil
from pathlib import Path

import pytest

from analysis.results import core_tables
from analysis.scoring.scored import ScoredStudy
from analysis.scoring.study import score_study
from analysis.table11.files import write_agreement, write_table11
from analysis.table11.table11 import build_table11
from sampling.study.folder import StudyFolder, open_study


@pytest.fixture(scope="module")
def paper(paper_shape: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[StudyFolder, Path]:
    folder = tmp_path_factory.mktemp("paper") / "study"
    shutil.copytree(paper_shape / "study", folder, copy_function=shutil.copyfile)
    return open_study(folder), paper_shape / "expected.json"


@pytest.fixture(scope="module")
def scored(paper: tuple[StudyFolder, Path]) -> ScoredStudy:
    return score_study(paper[0])


def read(path: Path) -> dict[str, dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    return {next(iter(row.values())): row for row in rows}


def test_every_published_number_is_printed(
    scored: ScoredStudy, paper: tuple[StudyFolder, Path], tmp_path: Path
) -> None:
    expected = json.loads(paper[1].read_text(encoding="utf-8"))
    write_table11(build_table11(scored), tmp_path)
    rows = read(tmp_path / "table11.csv")
    assert list(rows) == ["Human", "Gemini 3.5 Flash", "ChatGPT 5.5"]
    for evaluator, name in (("Human", "human"), *((model, model) for model in list(rows)[1:])):
        row, wanted = rows[evaluator], expected[name]
        assert (row["n_em"], row["em"], row["f1"]) == (
            str(wanted["n"]),
            wanted["em"],
            wanted["f1"],
        )
        assert (row["n_w1"], row["w1"]) == (str(wanted["n_w1"]), wanted["w1"])
    # 672/768 - 150/256 = 28.90625 and 672/768 - 153/256 = 27.734375 points.
    assert (rows["Gemini 3.5 Flash"]["em_gap"], rows["ChatGPT 5.5"]["em_gap"]) == (
        "28.91",
        "27.73",
    )
    assert rows["Human"]["agreement"] == expected["agreement"]["overall"]


def test_agreement_by_category_and_overall_is_as_published(
    scored: ScoredStudy, paper: tuple[StudyFolder, Path], tmp_path: Path
) -> None:
    expected = json.loads(paper[1].read_text(encoding="utf-8"))["agreement"]
    write_agreement(scored, tmp_path)
    rows = read(tmp_path / "agreement.csv")
    assert list(rows) == [*sorted(expected["by_category"]), "overall"]
    assert rows["overall"]["exact_agreement"] == expected["overall"]
    for category, printed in expected["by_category"].items():
        assert rows[category]["exact_agreement"] == printed


def test_groups_of_a_table_add_up_to_all_answers(
    scored: ScoredStudy, paper: tuple[StudyFolder, Path]
) -> None:
    tables = core_tables(scored, paper[0].definition, None)
    for name in ("by_category", "by_collection", "by_task_type", "by_cardinality"):
        human = [row for row in tables[name] if row["evaluator"] == "Human"]
        assert sum(int(row["n"]) for row in human) == 768
    # 84 of 96 counts are exact, 93 within one: |error| 0: 84, 1: 9, 2: 3.
    counts = [row["n"] for row in tables["line_count_errors"] if row["evaluator"] == "Human"]
    assert counts == ["84", "9", "3", "0"]


def test_a_second_writing_gives_the_same_bytes(scored: ScoredStudy, tmp_path: Path) -> None:
    digests = []
    for name in ("first", "second"):
        folder = tmp_path / name
        folder.mkdir()
        write_table11(build_table11(scored), folder)
        files = sorted(folder.iterdir())
        digests.append([hashlib.sha256(file.read_bytes()).hexdigest() for file in files])
    assert digests[0] == digests[1]
