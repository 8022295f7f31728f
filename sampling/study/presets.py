"""First study folders: a commented `study.toml`, a roster, and folders that say what goes in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from sampling.study.errors import StudyError

GENERIC = "generic"
PRESETS = ("palmleaf-vqa", "ancient-bench")
OPTIONS = "options.toml"
STUDY = "study.toml"
SEED_PLACE = "SEED"

_HEADING = re.compile(r"^#?\[+([a-z]+)", re.MULTILINE)


def write_preset(folder: Path, preset: str = GENERIC, seed: str = "any text") -> list[Path]:
    """Write a study folder's first files.

    Parameters
    ----------
    folder : made when it is not there
    preset : `palmleaf-vqa`, `ancient-bench` or `generic`
    seed : what `[study] seed` says

    Returns
    -------
    The files written, sorted.

    Raises
    ------
    StudyError
        When the folder holds a study, or a file that would be overwritten; nothing is written.
    """
    root = files("templates") / "presets"
    contents = dict(_contents(root / preset, Path()))
    study = contents[Path(STUDY)].replace(SEED_PLACE, seed, 1)
    contents[Path(STUDY)] = with_options(study, (root / OPTIONS).read_text(encoding="utf-8"))
    _refuse_to_overwrite(folder, sorted(contents))
    for path, text in contents.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")
    return sorted(folder / path for path in contents)


def with_options(study: str, options: str) -> str:
    r"""Add the paragraphs on optional tables, leaving out tables that the study already names.

    >>> with_options("[server]\nurl = 1\n", "# Pages.\n#[server]\n\n#[release]\n")
    '[server]\nurl = 1\n\n#[release]\n'
    """
    named = set(_HEADING.findall(study))
    paragraphs = options.strip("\n").split("\n\n")
    wanted = [part for part in paragraphs if not named & set(_HEADING.findall(part))]
    return study.rstrip("\n") + "\n\n" + "\n\n".join(wanted) + "\n"


def _contents(folder: Traversable, path: Path) -> Iterator[tuple[Path, str]]:
    """Yield every file below a folder of the package, with its path inside."""
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _contents(entry, path / entry.name)
        else:
            yield path / entry.name, entry.read_text(encoding="utf-8")


def _refuse_to_overwrite(folder: Path, paths: list[Path]) -> None:
    if folder.exists() and not folder.is_dir():
        raise StudyError(f"{folder}: is a file; name a folder for the study")
    if (folder / STUDY).exists():
        raise StudyError(
            f"{folder}: holds a study already ({STUDY}); nothing was written. "
            "Name another folder, or change that study's files"
        )
    present = [str(path) for path in paths if (folder / path).exists()]
    if present:
        raise StudyError(
            f"{folder}: would overwrite {', '.join(present)}; nothing was written. "
            "Name another folder, or move these files away"
        )
