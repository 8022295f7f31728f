"""Reads a bundle alone, without its study: what cannot be read is named with its place."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from analysis.release.contents import RULES
from sampling.answers.vocabularies import OLD_RULE, READING_RULE, Vocabulary
from sampling.answers.vocabulary_files import read_vocabularies
from sampling.benchmark.question_files import read_questions
from sampling.input_checks import attempt
from sampling.study.definition import TextTable
from sampling.study.errors import Problems, StudyError
from sampling.study.questions import Question
from sampling.tables.json_lines import json_fault
from sampling.tables.row_files import read_rows, read_text

RESPONSES, QUESTIONS, VOCABULARIES = "responses.jsonl", "questions.jsonl", "vocabularies.json"
# Every bundle has these; what is said of them can be made again from the answers.
RECOMPUTED = (
    "table11.csv",
    "table11.md",
    "agreement.csv",
    "by_category.csv",
    "by_collection.csv",
)
NAMES = ("sample_id", "category")
PARTICIPANT = "participant"
MISSING = object()
DISPLAY = TypeAdapter(dict[str, dict[str, str]])
Cells = Mapping[str, str]


@dataclass(frozen=True)
class BundleContents:
    """What a bundle holds of answers and rules; `places` says where each row stands.

    `display` are the names that its tables print, by question field and value.
    """

    folder: Path
    rows: tuple[Mapping[str, Any], ...]
    places: tuple[str, ...]
    questions: Mapping[str, Question]
    vocabularies: Mapping[str, Vocabulary]
    text_rules: TextTable
    display: Mapping[str, Mapping[str, str]]


def read_bundle(folder: Path) -> BundleContents:
    """Read answers, questions, vocabularies and rules.

    Raises
    ------
    StudyError
        With every file that is missing and everything in them that cannot be read.
    """
    problems = Problems()
    for name in (RESPONSES, QUESTIONS, VOCABULARIES, RULES, *RECOMPUTED):
        if not (folder / name).is_file():
            problems.add(name, "is not in the bundle")
    problems.raise_if_any()
    rows = list(_responses(folder, problems))
    questions = attempt(problems, lambda: read_questions(folder / QUESTIONS)) or ()
    references: dict[str, list[Any]] = {}
    for _, row in rows:
        references.setdefault(row["category"], []).append(row["ground_truth"])
    rules = attempt(problems, lambda: _rules(folder))
    reading_rule = rules[2] if rules else READING_RULE
    vocabularies = attempt(
        problems, lambda: read_vocabularies(folder / VOCABULARIES, references, reading_rule)
    )
    problems.raise_if_any()
    text_rules, display, _ = rules or (TextTable(), {}, READING_RULE)
    return BundleContents(
        folder,
        tuple(row for _, row in rows),
        tuple(place for place, _ in rows),
        {question.sample_id: question for question in questions},
        vocabularies or {},
        text_rules,
        display,
    )


def read_cells(folder: Path, name: str) -> list[dict[str, str]]:
    """Read a table of a bundle or of results, every cell as text; short rows end in empty cells."""
    text = read_text(folder / name, name)
    try:
        found = csv.DictReader(io.StringIO(text, newline=""), restval="", strict=True)
        return [{str(key): str(cell) for key, cell in row.items()} for row in found]
    except csv.Error as error:
        raise StudyError(f"{name}: is no table that can be read ({error})") from None


def _responses(folder: Path, problems: Problems) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the rows that have what every answer must have, and note the others."""
    for place, row in read_rows(folder / RESPONSES, problems, RESPONSES).places():
        faults = [f"{name!r} is no text" for name in NAMES if not isinstance(row.get(name), str)]
        if not isinstance(row.get(PARTICIPANT, ""), str):
            faults.append(f"{PARTICIPANT!r} is no text")
        if type(row.get("response_index", MISSING)) not in (int, type(None)):
            faults.append("'response_index' is no whole number")
        if row.get("ground_truth") is None:
            faults.append("has no 'ground_truth'")
        if "raw_response" not in row:
            faults.append("has no 'raw_response'")
        for fault in faults:
            problems.add(place, fault, "rows that are no answers")
        if not faults:
            yield place, row


def _rules(folder: Path) -> tuple[TextTable, dict[str, dict[str, str]], int]:
    try:
        rules = json.loads(read_text(folder / RULES, RULES))
    except json.JSONDecodeError as error:
        raise StudyError(f"{RULES} line {error.lineno}: {json_fault(error)}") from None
    if not isinstance(rules, dict) or "text" not in rules:
        raise StudyError(f"{RULES}: is not the rules of a bundle")
    try:
        display = DISPLAY.validate_python(rules.get("display", {}))
        reading_rule = rules.get("reading_rule", OLD_RULE)
        return TextTable.model_validate(rules["text"]), display, reading_rule
    except ValidationError as error:
        faults = [": ".join([*map(str, one["loc"]), one["msg"].lower()]) for one in error.errors()]
        raise StudyError(*(f"{RULES}: {fault}" for fault in faults)) from None
