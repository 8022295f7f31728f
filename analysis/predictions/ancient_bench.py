"""Prediction folders of Ancient-Bench: one JSON file an image under `<medium>/results/`."""

from __future__ import annotations

from pathlib import Path

from analysis.predictions.rows import PredictionRow, as_text
from analysis.predictions.tables import read_json
from sampling.study.errors import StudyError

RESULTS = "results"


def result_files(folder: Path) -> list[Path]:
    """List the answer files under a model's folder, or under one that holds several models."""
    return sorted(
        path for path in folder.rglob("*.json") if path.parent.name == RESULTS and path.is_file()
    )


def read_result_file(path: Path) -> PredictionRow:
    """Read one image's answer; the model is the folder above the medium's."""
    content = read_json(path)
    if not isinstance(content, dict) or "answer" not in content:
        raise StudyError(f"{path.name}: not an object with `answer`")
    folders = path.parts
    model = folders[-4] if len(folders) >= 4 and folders[-2] == RESULTS else None
    return PredictionRow(
        raw=content["answer"],
        place="/".join(folders[-3:]),
        image=as_text(content.get("image")) or path.stem,
        model=model,
    )
