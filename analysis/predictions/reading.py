"""Reading predictions from a file, a folder, a glob or a list of them, whatever their formats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from analysis.predictions.answer_lists import read_answer_list, take_apart
from analysis.predictions.detect_format import (
    SUFFIXES,
    PredictionFormat,
    is_helm_run,
    is_summary,
    look,
    parse_format,
)
from analysis.predictions.harnesses import read_helm_run, read_sample_log, rows_of_details
from analysis.predictions.inspect_ai import read_inspect_log
from analysis.predictions.rows import PredictionRow, rows_from_records
from analysis.predictions.submissions import (
    read_mmmu,
    read_openai_evals,
    read_result_file,
    read_submission,
    result_files,
)
from analysis.predictions.tables import (
    Record,
    read_excel,
    read_json,
    read_parquet,
    read_rows_with_places,
    records_of_columns,
    records_of_list,
)
from sampling.study.errors import Problems, StudyError
from sampling.tables.row_files import format_ending

FileRows = tuple[Path, tuple[PredictionRow, ...]]


def find_prediction_files(root: Path, patterns: Sequence[str]) -> list[Path]:
    """Find the files (and HELM run folders) that names, folders and globs stand for, sorted.

    Raises
    ------
    StudyError
        With every name that stands for nothing.
    """
    problems = Problems()
    found: dict[Path, None] = {}
    for pattern in patterns:
        path = root / pattern
        matches = [path] if path.exists() else sorted(_glob(root, pattern))
        files = [file for match in matches for file in _files_under(match)]
        if not files:
            problems.add(pattern, "no prediction file there")
        found.update(dict.fromkeys(files))
    problems.raise_if_any()
    return list(found)


def read_prediction_files(
    paths: Iterable[Path],
    format_name: str | None = None,
    problems: Problems | None = None,
    id_field: str = "",
) -> list[FileRows]:
    """Read files of predictions; `format_name` forces what is else found by looking.

    Files and lines that cannot be read are noted in `problems` where they are given, and left
    out. `id_field` is what the benchmark calls the sample id, besides the names known anyway.

    Raises
    ------
    StudyError
        With every problem of every file.
    """
    noted = Problems() if problems is None else problems
    forced = None if format_name is None else parse_format(format_name)
    read: list[FileRows] = []
    for path in paths:
        try:
            rows = _read_file(path, forced or look(path), noted, id_field)
            read.append((path, tuple(part for row in rows for part in take_apart(row))))
        except StudyError as error:
            noted.extend(error)
    if problems is None:
        noted.raise_if_any()
    return read


def _glob(root: Path, pattern: str) -> Iterable[Path]:
    """Match a glob below the study's folder, or from the root of an absolute one."""
    path = Path(pattern)
    if path.is_absolute():
        return Path(path.anchor).glob(str(path.relative_to(path.anchor)))
    return root.glob(pattern)


def _files_under(path: Path) -> list[Path]:
    """List what there is to read at a path, run folders of HELM kept whole."""
    if path.is_file():
        return [path]
    if is_helm_run(path):
        return [path]
    answers = result_files(path)
    if answers:
        return answers
    found: list[Path] = []
    for child in sorted(path.iterdir()):
        if child.name.startswith("."):
            continue
        if child.is_dir():
            found.extend(_files_under(child))
        elif format_ending(child) in SUFFIXES and not is_summary(child):
            found.append(child)
    return found


def _read_file(
    path: Path, found: PredictionFormat, problems: Problems, id_field: str
) -> list[PredictionRow]:
    if found is PredictionFormat.TABLE:
        return rows_from_records(_read_table(path, problems), path.name, id_field)
    if found is PredictionFormat.LIGHTEVAL:
        return rows_of_details(read_parquet(path))
    if found is PredictionFormat.ANCIENT_BENCH:
        return [read_result_file(path)]
    try:
        return _READERS[found](path)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        # Another tool's file may be anything inside; what it lacks tells more than a traceback.
        raise StudyError(
            f"{path.name}: is not laid out as {found.value} writes it ({error!r}); write it again, "
            "or name its format with `format = ...`"
        ) from error


def _read_table(path: Path, problems: Problems) -> list[Record]:
    """Read a table by the ending of its name."""
    match format_ending(path):
        case ".xlsx":
            return read_excel(path)
        case ".parquet":
            return read_parquet(path)
        case ".json":
            content = read_json(path)
            if isinstance(content, dict):
                return records_of_columns(content, path.name)
            return records_of_list(content, path.name)
        case _:
            return read_rows_with_places(path, problems)


_READERS = {
    PredictionFormat.ANSWER_LIST: read_answer_list,
    PredictionFormat.LM_EVAL: read_sample_log,
    PredictionFormat.LMMS_EVAL: read_sample_log,
    PredictionFormat.INSPECT: read_inspect_log,
    PredictionFormat.HELM: read_helm_run,
    PredictionFormat.MMMU: read_mmmu,
    PredictionFormat.SUBMISSION: read_submission,
    PredictionFormat.OPENAI_EVALS: read_openai_evals,
}
