"""Finding a prediction file's format by looking into it, never by its name alone."""

from __future__ import annotations

import io
import json
from enum import StrEnum
from pathlib import Path
from typing import Any

from analysis.predictions.harnesses import DISPLAY, STATE
from analysis.predictions.rows import IDENTIFIERS, PREDICTIONS
from analysis.predictions.submissions import RESULTS
from analysis.predictions.tables import is_lighteval, read_json
from sampling.study.errors import StudyError
from sampling.tables.row_files import format_ending, read_bytes


class PredictionFormat(StrEnum):
    """The names that `format = "..."` may take; the tool finds them by itself."""

    TABLE = "table"
    ANSWER_LIST = "answer-list"
    LM_EVAL = "lm-eval"
    LMMS_EVAL = "lmms-eval"
    LIGHTEVAL = "lighteval"
    INSPECT = "inspect"
    HELM = "helm"
    MMMU = "mmmu"
    SUBMISSION = "submission"
    OPENAI_EVALS = "openai-evals"
    ANCIENT_BENCH = "ancient-bench"


# Other names that people would write for the same thing.
SYNONYMS = {
    "palmleaf": PredictionFormat.TABLE,
    "jsonl": PredictionFormat.TABLE,
    "csv": PredictionFormat.TABLE,
    "tsv": PredictionFormat.TABLE,
    "xlsx": PredictionFormat.TABLE,
    "parquet": PredictionFormat.TABLE,
    "vlmevalkit": PredictionFormat.TABLE,
    "gemini": PredictionFormat.TABLE,
    "openai-runner": PredictionFormat.ANSWER_LIST,
    "inspect_ai": PredictionFormat.INSPECT,
    "docvqa": PredictionFormat.SUBMISSION,
    "rrc": PredictionFormat.SUBMISSION,
    "vqa": PredictionFormat.SUBMISSION,
}
SUFFIXES = frozenset({".jsonl", ".json", ".csv", ".tsv", ".xlsx", ".parquet", ".eval"})
SUBMISSION_FIELDS = frozenset({"questionId", "question_id", "answer", "image"})


def parse_format(name: str) -> PredictionFormat:
    """Read the name of a format as `study.toml` gives it.

    >>> parse_format("VLMEvalKit").value, parse_format("lm_eval").value
    ('table', 'lm-eval')
    """
    folded = name.casefold()
    for known in (folded, folded.replace("_", "-")):
        if known in SYNONYMS:
            return SYNONYMS[known]
        if known in set(PredictionFormat):
            return PredictionFormat(known)
    names = ", ".join(sorted({*SYNONYMS, *(known.value for known in PredictionFormat)}))
    raise StudyError(f"format = {name!r}: unknown; known are {names}")


def look(path: Path) -> PredictionFormat:
    """Find the format of one file, or of a folder that is one run of HELM."""
    if path.is_dir():
        return PredictionFormat.HELM
    if path.name in (STATE, DISPLAY):
        return PredictionFormat.HELM
    suffix = format_ending(path)
    if suffix == ".eval":
        return PredictionFormat.INSPECT
    if suffix == ".parquet":
        return PredictionFormat.LIGHTEVAL if is_lighteval(path) else PredictionFormat.TABLE
    if suffix == ".json":
        return _look_into_json(path)
    if suffix in {".csv", ".tsv", ".xlsx"}:
        return PredictionFormat.TABLE
    return _look_at_first_line(path)


def is_summary(path: Path) -> bool:
    """Tell whether a file is what lm-eval, lmms-eval or lighteval sum a run up in.

    Such a file lies in the folder of the logs and holds no answers.
    """
    if format_ending(path) != ".json" or "results" not in path.name.lower():
        return False
    content = read_json(path)
    return isinstance(content, dict) and {"results", "versions"} <= content.keys()


def is_helm_run(folder: Path) -> bool:
    """Tell whether a folder is one run of HELM."""
    return (folder / STATE).exists() or (folder / DISPLAY).exists()


def _look_at_first_line(path: Path) -> PredictionFormat:
    """Tell the JSON-lines formats apart by the first record."""
    record: Any = None
    try:
        lines = io.TextIOWrapper(io.BytesIO(read_bytes(path)), encoding="utf-8-sig")
        first = next((line for line in lines if line.strip()), "")
        record = json.loads(first) if first else {}
    except (ValueError, RecursionError):
        pass  # the table reader names every broken line
    return _look_at_record(record)


def _look_at_record(record: Any) -> PredictionFormat:
    """Tell the formats that are logs of records apart by their first one."""
    if not isinstance(record, dict):
        return PredictionFormat.TABLE
    if "spec" in record or {"event_id", "run_id"} <= record.keys():
        return PredictionFormat.OPENAI_EVALS
    if "doc_id" in record and ("filtered_resps" in record or "resps" in record):
        return PredictionFormat.LM_EVAL if "doc" in record else PredictionFormat.LMMS_EVAL
    return PredictionFormat.TABLE


def _look_into_json(path: Path) -> PredictionFormat:
    """Tell the formats of a single JSON value apart."""
    content = read_json(path)
    if isinstance(content, list):
        first = content[0] if content else {}
        if not isinstance(first, dict):
            return PredictionFormat.TABLE
        if "all_choices" in first or "index2ans" in first:
            return PredictionFormat.MMMU
        if "answer" in first and set(first) <= SUBMISSION_FIELDS:
            return PredictionFormat.SUBMISSION
        return _look_at_record(first)
    if not isinstance(content, dict):
        raise StudyError(f"{path.name}: neither a JSON object nor a list, so no predictions")
    if "samples" in content or {"eval", "status"} <= content.keys():
        return PredictionFormat.INSPECT
    if isinstance(content.get("answers"), list):
        return PredictionFormat.ANSWER_LIST
    alone = "answer" in content and set(content) <= {"image", "answer"}
    if alone or (path.parent.name == RESULTS and isinstance(content.get("image"), str)):
        return PredictionFormat.ANCIENT_BENCH
    columns = all(isinstance(value, dict | list) for value in content.values())
    if columns and content.keys() & {*IDENTIFIERS, *PREDICTIONS, "answer", "answers"}:
        return PredictionFormat.TABLE
    return PredictionFormat.MMMU
