"""Images that a table holds itself, as base64 or as bytes, and their file names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import PurePosixPath
from typing import Any

from sampling.study.errors import Problems, StudyError
from sampling.study.folder import StudyFolder
from sampling.tables.field_mapping import FieldMapping, embedded_bytes, row_test
from sampling.tables.find_files import read_question_files


def write_embedded_images(
    study: StudyFolder, progress: Callable[[int, int], None] | None = None
) -> int:
    """Write the images that the question files hold into the images folder.

    Files that exist are left as they are. Gives the number of files written.

    Raises
    ------
    StudyError
        When `images` is not set, or with every row whose image cannot be read.
    """
    folder = study.images_folder
    if folder is None:
        raise StudyError("study.toml [benchmark]: set `images`, the folder to write images into")
    problems = Problems()
    written = 0
    for place, name, value in _images(study, problems):
        target = folder / PurePosixPath(name).name
        if target.is_file():
            continue
        try:
            data = embedded_bytes(value)
        except ValueError:
            problems.add(place, "its image is not valid base64", "images that are no base64")
            continue
        if data:
            folder.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            written += 1
            if progress is not None:
                progress(written, written)
    problems.raise_if_any()
    return written


def _images(study: StudyFolder, problems: Problems) -> Iterator[tuple[str, str, Any]]:
    """Yield place, file name and content of every image that a kept row holds itself."""
    table = study.definition.benchmark
    wanted = row_test(table.where)
    source = table.fields.get("image_name", "image").partition(".")[0]
    for file in read_question_files(study.root, table.questions, problems):
        mapping = FieldMapping(table, file.path)
        for place, row in file.table.places():
            try:
                fields = mapping.apply(row)
            except StudyError as error:
                problems.add(place, f"a pattern of [benchmark.fields]: {error}")
                continue
            if wanted(fields) and row.get(source) is not None:
                yield place, str(fields.get("image_name")), row[source]
