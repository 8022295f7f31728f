"""The demonstration's studies as folders: made once, recognised and taken up again."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import resources
from pathlib import Path

from sampling.study.errors import StudyError
from sampling.study.folder import StudyFolder, open_study
from sampling.synthetic.benchmark import write_roster, write_synthetic_benchmark
from sampling.synthetic.try_it import write_try_it_benchmark

MARKER = ".lontar-demo"
SEED = "lontar demonstration"
GUEST = "Guest"


def prepare_folder(folder: Path) -> None:
    """Make the folder, or recognise an earlier demonstration; never touch anything else.

    Raises
    ------
    StudyError
        When the folder holds something that no demonstration has put there.
    """
    if folder.exists() and not folder.is_dir():
        raise StudyError(f"{folder}: is a file; name a folder for the demonstration")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MARKER).is_file():
        raise StudyError(
            f"{folder}: exists and holds no demonstration, so nothing was done; "
            "name another folder, `lontar demo DIR`"
        )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARKER).write_text("Made by `lontar demo`, which may take it up again.\n")


def make_study(folder: Path, progress: Callable[[int, int], None]) -> StudyFolder:
    """Draw the folios and write the study's first files, unless a sample was drawn already."""
    if not (folder / "sample" / "manifest.json").is_file():
        write_synthetic_benchmark(folder, SEED, progress=progress)
        (folder / "study.toml").write_bytes(_template("study.toml"))
        write_roster(folder / "participants.csv")
    return open_study(folder)


def make_try_it(folder: Path) -> None:
    """Write the benchmark and the files of the ten-question study."""
    if not (folder / "sample" / "manifest.json").is_file():
        write_try_it_benchmark(folder, SEED)
        (folder / "study.toml").write_bytes(_template("try-it.toml"))
        (folder / "participants.csv").write_text(f"participant,annotator_ids\n{GUEST},\n")


def answered_before(study: StudyFolder) -> set[tuple[str, str]]:
    """List (participant, sample_id) of the answers an export holds, if there was one."""
    if not study.responses_file.is_file():
        return set()
    rows = map(json.loads, study.responses_file.read_text(encoding="utf-8").splitlines())
    return {(row["participant"], row["sample_id"]) for row in rows if row["status"] == "answered"}


def _template(name: str) -> bytes:
    return (resources.files("templates") / "demonstration" / name).read_bytes()
