"""Models are given the study's own instructions and upright images, or a note says otherwise."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from analysis.predictions.prompts import (
    ONLY_VISIBLE,
    instruction_notes,
    model_format_texts,
    model_instructions,
    turned_images,
    write_upright,
)
from sampling.study.folder import StudyFolder, open_study
from study_server.cli import lontar

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


def test_a_text_on_a_format_is_told_to_both(study: StudyFolder) -> None:
    mine = study.root / "mine"
    (mine / "format_count.md").write_text("## A number\nA bundle counts once.\n")
    assert model_format_texts(study) == {"count": "## A number\nA bundle counts once."}
    (note,) = instruction_notes(study)
    assert note.startswith("people read the built-in instructions.md beside format_count.md")
    (mine / "instructions.md").write_text("Zoom in.")
    assert instruction_notes(study) == []
    (mine / "models.md").write_text("Zoom in.")
    assert model_format_texts(study) == {}
    (note,) = instruction_notes(study)
    assert note.endswith("people read another text: format_count.md")


def test_a_text_in_another_language_alone_is_said(study: StudyFolder) -> None:
    (study.root / "mine" / "km").mkdir()
    (study.root / "mine" / "km" / "instructions.md").write_text("ពង្រីក", encoding="utf-8")
    assert model_instructions(study) == "ពង្រីក"
    (note,) = instruction_notes(study)
    assert note.startswith("instructions.md of your own is there in km only")


def prompts(study: StudyFolder, images: dict[str, str], *options: str) -> Result:
    """Write a sample of one count question an image, and run the command."""
    asked = [
        {"sample_id": f"q{number}", "image_name": name, "category": "Lines", "question_en": "n?"}
        | {"question_id": number}
        for number, name in enumerate(images)
    ]
    (study.root / "sample").mkdir()
    text = "".join(json.dumps(one) + "\n" for one in asked)
    (study.root / "sample" / "questions.jsonl").write_text(text, encoding="utf-8")
    (study.root / "v.json").write_text('{"Lines": {"format": "count"}}', encoding="utf-8")
    done = CliRunner().invoke(lontar, ["-C", str(study.root), "prompts", *options])
    assert done.exit_code == 0, done.exception
    return done


KINDS = {"a.jpg": "JPEG", "b.png": "PNG", "c.webp": "WEBP", "d.tif": "TIFF", "e.jpg": "JPEG"}


@pytest.mark.parametrize("options", [[], ["--per-image"]])
def test_the_command_writes_what_people_read_and_see(
    study: StudyFolder, options: list[str]
) -> None:
    for name, kind in KINDS.items():
        picture = Image.new("RGB", (32, 16), "white")
        picture.paste((255, 0, 0), (0, 0, 8, 8))
        exif = Image.Exif()
        exif[0x0112] = 1 if name == "e.jpg" else 6
        picture.save(study.root / "images" / name, kind, exif=exif)
    (study.root / "mine" / "instructions.md").write_text("Zoom in.")
    (study.root / "mine" / "format_count.md").write_text("A bundle counts once.")
    done = prompts(study, KINDS, *options)
    assert "note: 4 images are turned or mirrored by EXIF" in done.stderr
    for name in ("open", "constrained"):
        text = (study.root / "prompts" / f"{name}.jsonl").read_text(encoding="utf-8")
        lines = [json.loads(line) for line in text.splitlines()]
        assert all(one["prompt"].startswith("Zoom in.\n\nA bundle counts once.") for one in lines)
        turned = {one["image"]: one.get("upright_image") for one in lines}
        assert turned.pop("e.jpg") is None
        for image, upright in turned.items():
            with Image.open(study.root / "prompts" / str(upright)) as seen:
                assert seen.size == (16, 32), image
                red, green, _ = seen.convert("RGB").getpixel((12, 3))  # type: ignore[misc]
                assert (red > 200, green < 60) == (True, True), image
                assert 0x0112 not in seen.getexif()


def test_images_that_were_not_looked_at_are_said(study: StudyFolder) -> None:
    assert "note: 1 image is not in images (first: 'a.jpg')" in prompts(study, {"a.jpg": ""}).stderr


def test_images_in_a_store_are_said_not_to_be_looked_at(study: StudyFolder) -> None:
    text = STUDY.replace('images = "images"', 'images = "s3://bucket/leaves"')
    (study.root / "study.toml").write_text(text, encoding="utf-8")
    assert "note: the images lie in s3://bucket/leaves and were not looked at" in (
        prompts(study, {"a.jpg": ""}).stderr
    )
