"""Finding a benchmark's question files and reading their rows, whatever the format."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sampling.study.errors import Problems, StudyError, did_you_mean
from sampling.tables.other_formats import is_croissant, read_croissant, read_parquet
from sampling.tables.row_files import RowTable, format_ending, read_rows, read_text

# What a folder may hold, in the order of looking.
IN_FOLDER = (
    "metadata.jsonl",
    "metadata.csv",
    "metadata.parquet",
    "conv.jsonl",
    "*/conv.jsonl",
    "croissant.json",
    "*.jsonl",
    "*.parquet",
    "*.csv",
    "*.tsv",
    "*.json",
)
GLOB_SIGNS = "*?["


@dataclass(frozen=True)
class QuestionFile:
    """One file of questions and its rows."""

    path: Path
    table: RowTable


def read_question_files(
    root: Path, patterns: tuple[str, ...], problems: Problems
) -> Iterator[QuestionFile]:
    """Read every file that the patterns name; files that cannot be read are noted as problems."""
    paths = find_question_files(root, patterns, problems)
    repeated = Counter(path.name for path in paths)
    for path in paths:
        name = f"{path.parent.name}/{path.name}" if repeated[path.name] > 1 else path.name
        try:
            yield QuestionFile(path, read_table(path, name, problems))
        except StudyError as error:
            problems.extend(error)


def read_table(path: Path, name: str, problems: Problems) -> RowTable:
    """Read the rows of one file of any format.

    Raises
    ------
    StudyError
        When the file as a whole cannot be read.
    """
    if path.suffix.lower() == ".parquet":
        return read_parquet(path, name)
    if format_ending(path) == ".json":
        text = read_text(path, name)
        if is_croissant(text):
            return read_croissant(path, json.loads(text), problems)
    return read_rows(path, problems, name)


def find_question_files(
    root: Path, patterns: tuple[str, ...], problems: Problems
) -> tuple[Path, ...]:
    """List the files that paths, folders and globs name, each once, globs sorted."""
    found: dict[Path, None] = {}
    for pattern in patterns:
        paths = _expand(root, pattern)
        if not paths:
            problems.add("study.toml [benchmark] questions", _not_found(root, pattern))
        found |= dict.fromkeys(paths)
    return tuple(found)


def _expand(root: Path, pattern: str) -> list[Path]:
    """List what one entry of `questions` names."""
    path = root / pattern
    if path.is_file():
        return [path]
    if path.is_dir():
        for inside in IN_FOLDER:
            files = sorted(path.glob(inside))
            if files:
                return files
        return []
    if any(sign in pattern for sign in GLOB_SIGNS):
        anchor = Path(path.anchor)
        base, parts = (
            (anchor, path.parts[1:]) if Path(pattern).is_absolute() else (root, (pattern,))
        )
        return sorted(file for file in base.glob("/".join(parts)) if file.is_file())
    return []


def _not_found(root: Path, pattern: str) -> str:
    """Say that an entry names nothing, with the nearest name in its folder."""
    path = root / pattern
    if path.is_dir():
        return f"the folder {pattern!r} holds no file of questions"
    if any(sign in pattern for sign in GLOB_SIGNS):
        return f"{pattern!r} matches no file"
    beside = [file.name for file in path.parent.iterdir()] if path.parent.is_dir() else []
    return f"no file {pattern!r}{did_you_mean(path.name, beside)}"
