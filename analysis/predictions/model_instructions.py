"""What models are told before a question: the study's own words, and which way up images are."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from PIL import ImageOps

from analysis.predictions.prompts import ONLY_VISIBLE
from sampling.benchmark.image_names import image_file
from sampling.benchmark.pictures import UNREADABLE, open_picture
from sampling.study.folder import StudyFolder
from sampling.tables.row_files import read_text

PEOPLE, MODELS = "instructions.md", "models.md"
LANGUAGE = "en"
ORIENTATION = 0x0112
TURNED = range(2, 9)
COMMENT = re.compile(r"\A<!--.*?-->\s*", re.DOTALL)


def own_text(study: StudyFolder, name: str) -> str | None:
    """Read one of the study's own texts as people get it in English, or None without one."""
    folder = study.definition.instructions.folder
    if folder is None:
        return None
    root = study.root / folder
    found = next((one for one in (root / LANGUAGE / name, root / name) if one.is_file()), None)
    return None if found is None else COMMENT.sub("", read_text(found)).strip()


def model_instructions(study: StudyFolder) -> str:
    """Return what models are told: `models.md`, else people's own `instructions.md`, else ours."""
    return own_text(study, MODELS) or own_text(study, PEOPLE) or ONLY_VISIBLE


def instruction_notes(study: StudyFolder) -> list[str]:
    """Say where people and models are told different things."""
    people, models = own_text(study, PEOPLE), own_text(study, MODELS)
    if models and models != people:
        return [f"`lontar prompts` tells models {MODELS}, and people read another text: {PEOPLE}"]
    return []


def turned_images(study: StudyFolder, names: Iterable[str]) -> dict[str, int]:
    """Find the images that EXIF turns or mirrors, with its number (2 to 8)."""
    folder = study.images_folder
    if folder is None:
        return {}
    turned: dict[str, int] = {}
    for name in sorted(set(names)):
        try:
            with open_picture(image_file(folder, name)) as picture:
                orientation = picture.getexif().get(ORIENTATION)
        except UNREADABLE:
            continue
        if isinstance(orientation, int) and orientation in TURNED:
            turned[name] = orientation
    return turned


def turned_note(count: int, remedy: str) -> str:
    """Say that some files lie otherwise than people see them."""
    which = "1 image is" if count == 1 else f"{count:,} images are"
    return (
        f"{which} turned or mirrored by EXIF: people see the upright view, and a client that sends "
        f"the file to a model may not; {remedy}"
    )


def write_upright(study: StudyFolder, names: Iterable[str], folder: Path) -> dict[str, str]:
    """Write upright PNG copies of images, and return the file name of each."""
    written: dict[str, str] = {}
    if study.images_folder is None:
        return written
    for name in names:
        copy = f"{name}.png"
        target = folder / copy
        target.parent.mkdir(parents=True, exist_ok=True)
        with open_picture(image_file(study.images_folder, name)) as picture:
            upright = ImageOps.exif_transpose(picture)
        upright.info.pop("exif", None)
        upright.save(target, "PNG")
        written[name] = copy
    return written
