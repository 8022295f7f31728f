"""A new study folder is ready to use: it parses, its options parse, nothing is overwritten."""

from __future__ import annotations

import csv
import json
import re
import shutil
import tomllib
from pathlib import Path
from typing import Any, get_args

import pytest

from sampling.answers.vocabulary_files import read_vocabularies
from sampling.assignment.roster import read_roster
from sampling.benchmark.annotators import read_annotators
from sampling.benchmark.benchmark import read_benchmark
from sampling.draw.draw import draw_sample
from sampling.study.definition import StudyDefinition
from sampling.study.errors import StudyError
from sampling.study.folder import open_study
from sampling.study.presets import GENERIC, PRESETS, write_preset
from sampling.study.study_toml import parse_definition

ALL = (GENERIC, *PRESETS)


@pytest.mark.parametrize("preset", ALL)
def test_a_new_folder_holds_a_definition_a_roster_and_a_readme_in_each_folder(
    preset: str, tmp_path: Path
) -> None:
    written = write_preset(tmp_path / "study", preset)
    assert all(path.is_file() for path in written)
    folders = {path for path in (tmp_path / "study").rglob("*") if path.is_dir()}
    assert {path.name for path in folders} == {"benchmark", "images", "practice", "predictions"}
    assert all((folder / "README.md").is_file() for folder in folders)
    people = read_roster(tmp_path / "study" / "participants.csv")
    assert [person.pseudonym for person in people] == [f"P0{number}" for number in range(1, 9)]


@pytest.mark.parametrize("preset", ALL)
def test_its_definition_is_valid_and_carries_the_seed(preset: str, tmp_path: Path) -> None:
    write_preset(tmp_path, preset, "a seed of one's own")
    definition = open_study(tmp_path).definition
    assert definition.study.seed == "a seed of one's own"
    assert definition.participants.roster == "participants.csv"


@pytest.mark.parametrize("preset", ALL)
def test_every_setting_that_is_commented_out_is_valid_when_taken_up(
    preset: str, tmp_path: Path
) -> None:
    write_preset(tmp_path, preset)
    text = (tmp_path / "study.toml").read_text(encoding="utf-8")
    taken_up = re.sub(r"^#(?=[\[a-z])", "", text, flags=re.MULTILINE)
    definition = parse_definition(tomllib.loads(taken_up))
    assert definition.consent.required
    assert definition.practice is not None
    assert len(definition.models) == 2


def test_a_new_study_toml_shows_every_setting_there_is(tmp_path: Path) -> None:
    write_preset(tmp_path)
    text = (tmp_path / "study.toml").read_text(encoding="utf-8")
    taken_up = tomllib.loads(re.sub(r"^#(?=[\[a-z])", "", text, flags=re.MULTILINE))
    for name, field in StudyDefinition.model_fields.items():
        tables = taken_up[name] if name == "models" else [taken_up[name]]
        shown = {key for table in tables for key in table}
        known = getattr(_table_of(field.annotation), "model_fields", {})
        if name in ("practice", "attention"):  # between them
            shown = {*taken_up["practice"], *taken_up["attention"]}
        assert set(known) <= shown, name


def _table_of(annotation: Any) -> Any:
    """Find the table in `Table`, `Table | None` and `tuple[Table, ...]`."""
    return next(part for part in (*get_args(annotation), annotation) if part not in (..., None))


def test_palmleaf_vqa_is_the_design_of_the_paper(tmp_path: Path) -> None:
    write_preset(tmp_path, "palmleaf-vqa")
    definition = open_study(tmp_path).definition
    assert definition.sample.strata == ("script_name", "category")
    assert definition.sample.per_stratum == 4
    assert definition.sample.spread == "image_name"
    assert definition.assignment.responses_per_question == 3
    assert definition.assignment.exclude_roles == ("author", "reviewer", "adjudicator")
    assert definition.assignment.questions_per_session == 32
    assert definition.benchmark.where == {"split": "test"}
    assert read_annotators(tmp_path / "benchmark" / "annotators.csv") == ()


def test_a_benchmark_in_its_shape_is_read_and_drawn_once_its_files_are_copied(
    tmp_path: Path, paper_shape: Path
) -> None:
    write_preset(tmp_path, "palmleaf-vqa")
    for path in (paper_shape / "study" / "benchmark").iterdir():
        shutil.copy(path, tmp_path / "benchmark")
    toml = tmp_path / "study.toml"
    # The example has no images.
    toml.write_text(toml.read_text(encoding="utf-8").replace("\nimages =", "\n#images ="))
    study = open_study(tmp_path)
    sample = draw_sample(read_benchmark(study), study.definition)
    # Eight collections by eight categories, four questions each.
    assert len(sample.questions) == 256


def test_ancient_bench_reads_the_benchmarks_folders_as_they_are(tmp_path: Path) -> None:
    write_preset(tmp_path, "ancient-bench")
    for medium in ("seals", "cliff_carvings"):
        folder = tmp_path / "benchmark" / "Ancient_Bench" / medium
        folder.mkdir(parents=True)
        rows = [{"image": f"{medium}_{n:06}.png", "human_gt": "山水\n清音"} for n in range(3)]
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (folder / "conv.jsonl").write_text(lines, encoding="utf-8")
        for row in rows:
            found = tmp_path / "benchmark" / "images" / row["image"]
            found.write_bytes(b"")
    study = open_study(tmp_path)
    benchmark = read_benchmark(study)
    assert {record.question.category for record in benchmark.records} == {"seals", "cliff_carvings"}
    assert {record.question.sample_id for record in benchmark.records} >= {"seals_000001"}
    assert len(draw_sample(benchmark, study.definition).questions) == 6


def test_ancient_bench_knows_the_nine_media(tmp_path: Path) -> None:
    write_preset(tmp_path, "ancient-bench")
    vocabularies = read_vocabularies(tmp_path / "benchmark" / "answer_vocabularies.json")
    display = open_study(tmp_path).definition.benchmark.display["category"]
    assert set(vocabularies) == set(display)
    assert len(display) == 9
    assert {vocabulary.format.value for vocabulary in vocabularies.values()} == {"text"}
    assert display["inscription_rubbings"] == "Stele"


def test_study_toml_alone_turns_the_palm_leaf_study_into_one_of_texts(
    tmp_path: Path, examples: Path
) -> None:
    write_preset(tmp_path, "palmleaf-vqa", "seed")
    shape = examples / "formats" / "ancient_bench_shape" / "Ancient_Bench"
    shutil.copytree(shape, tmp_path / "benchmark" / "Ancient_Bench")
    write_preset(tmp_path / "other", "ancient-bench", "seed")
    for name in ("study.toml", "benchmark/answer_vocabularies.json"):
        shutil.copy(tmp_path / "other" / name, tmp_path / name)
    shutil.rmtree(tmp_path / "other")
    study = open_study(tmp_path)
    sample = draw_sample(read_benchmark(study), study.definition)
    assert [(one.sample_id, one.category) for one in sample.questions] == [
        ("seals_900001", "seals"),
        ("seals_900002", "seals"),
        ("seals_900003", "seals"),
    ]
    assert sample.keys[0].answer == "山水\n清音"


def test_an_existing_study_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text("mine")
    with pytest.raises(StudyError, match=r"holds a study already .*; nothing was written"):
        write_preset(tmp_path, "palmleaf-vqa")
    assert [path.name for path in tmp_path.iterdir()] == ["study.toml"]
    assert (tmp_path / "study.toml").read_text() == "mine"


def test_no_file_of_ones_own_is_overwritten_either(tmp_path: Path) -> None:
    with (tmp_path / "participants.csv").open("w", newline="") as file:
        csv.writer(file).writerow(("participant", "annotator_ids"))
    with pytest.raises(StudyError, match=r"would overwrite participants\.csv; nothing was written"):
        write_preset(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["participants.csv"]


def test_a_folder_with_other_files_is_taken(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    write_preset(tmp_path)
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_a_file_is_no_place_for_a_study(tmp_path: Path) -> None:
    (tmp_path / "study").write_text("")
    with pytest.raises(StudyError, match="is a file"):
        write_preset(tmp_path / "study")
