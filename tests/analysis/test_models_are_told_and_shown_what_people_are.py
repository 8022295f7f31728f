"""Models are given the study's own instructions and upright images, or a note says otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from analysis.predictions.prompts import (
    ONLY_VISIBLE,
    instruction_notes,
    model_instructions,
    turned_images,
    write_upright,
)
from sampling.study.folder import StudyFolder, open_study

STUDY = """
[study]
name = "S"
seed = "s"
[benchmark]
questions = "q.jsonl"
vocabularies = "v.json"
images = "images"
[sample]
strata = ["category"]
per_stratum = 1
[instructions]
folder = "mine"
"""


@pytest.fixture
def study(tmp_path: Path) -> StudyFolder:
    (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")
    (tmp_path / "mine").mkdir()
    (tmp_path / "images").mkdir()
    return open_study(tmp_path)


def test_models_get_the_text_that_people_get(study: StudyFolder) -> None:
    assert model_instructions(study) == ONLY_VISIBLE
    (study.root / "mine" / "instructions.md").write_text("<!-- draft -->\nUse all you know.\n")
    assert model_instructions(study) == "Use all you know."
    assert instruction_notes(study) == []


def test_another_text_for_models_is_said(study: StudyFolder) -> None:
    (study.root / "mine" / "instructions.md").write_text("Zoom in.")
    (study.root / "mine" / "models.md").write_text("Look closely.")
    assert model_instructions(study) == "Look closely."
    assert len(instruction_notes(study)) == 1


def test_images_that_exif_turns_get_upright_copies(study: StudyFolder) -> None:
    for orientation in range(1, 9):
        picture = Image.new("RGB", (30, 20), "white")
        exif = Image.Exif()
        exif[0x0112] = orientation
        picture.save(study.root / "images" / f"{orientation}.jpg", exif=exif)
    names = [f"{orientation}.jpg" for orientation in range(1, 9)]
    turned = turned_images(study, names)
    assert turned == {f"{orientation}.jpg": orientation for orientation in range(2, 9)}
    written = write_upright(study, turned, study.root / "up")
    with Image.open(study.root / "up" / written["6.jpg"]) as upright:
        assert upright.size == (20, 30)
        assert 0x0112 not in upright.getexif()
