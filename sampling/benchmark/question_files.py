"""Question and key files: `sample/questions.jsonl`, `sample/reserve.jsonl`, `sample/keys.jsonl`."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from sampling.study.errors import Problems, did_you_mean
from sampling.study.files import write_whole
from sampling.study.questions import QUESTION_FIELDS, Key, Question
from sampling.tables.find_files import read_table
from sampling.tables.row_files import RowTable

REQUIRED = ("sample_id", "image_name", "category", "question_en")
NOT_KEPT = frozenset({*QUESTION_FIELDS, "answer"})
QUESTION_ID = QUESTION_FIELDS.index("question_id")
REQUIRED_PLACES = tuple(QUESTION_FIELDS.index(field) for field in REQUIRED)
IN_THE_FILE = "give the right {} that name in the file"
IN_THE_SETTINGS = "name the right {} under [benchmark.fields]"
MISSING = "rows that lack a field"
MOST_COLUMNS = 30
TEXT = frozenset({str})
INTEGER_OR_TEXT = frozenset({str, int})
FIELDS_IN_ORDER = tuple(one.name for one in fields(Question) if one.name != "kept")


def read_questions(path: Path) -> tuple[Question, ...]:
    """Read questions; an `answer` that a row holds is left out, further fields are kept.

    Raises
    ------
    StudyError
        With every problem at once: a missing file, broken lines, missing or repeated ids.
    """
    problems = Problems()
    return questions_of_table(read_table(path, path.name, problems), problems)


def questions_of_table(
    table: RowTable, problems: Problems, remedy: str = IN_THE_FILE
) -> tuple[Question, ...]:
    """Make the questions of rows that were read, as `read_questions` does."""
    plain = plain_questions([row for _, row in table.rows])
    if plain is not None:
        problems.raise_if_any()
        return plain
    questions: dict[str, Question] = {}
    for place, row in table.places():
        question = question_of(row, place, problems, remedy=remedy)
        if question is None:
            continue
        if question.sample_id in questions:
            problems.add(place, f"{question.sample_id!r} appears twice", "repeated ids")
        questions[question.sample_id] = question
    problems.raise_if_any()
    return tuple(questions.values())


def plain_questions(rows: Sequence[Mapping[str, Any]]) -> tuple[Question, ...] | None:
    """Make the questions of rows in which nothing needs a look, column by column; else None.

    Nearly every file is like that, and this is several times as fast as row by row.
    """
    named = set().union(*rows)
    columns = {}
    for field in QUESTION_FIELDS:
        column = [row.get(field, "") for row in rows] if field in named else [""] * len(rows)
        kinds = set(map(type, column))
        if not kinds <= (INTEGER_OR_TEXT if field == "question_id" else TEXT):
            return None
        if field in REQUIRED and not all(map(str.strip, column)):
            return None
        columns[field] = column
    if len(set(columns["sample_id"])) != len(rows):
        return None
    further = named - NOT_KEPT
    kept: list[dict[str, Any]] = [{}] * len(rows)
    if further:
        kept = [{name: row[name] for name in row if name in further} for row in rows]
    in_order = (columns[field] for field in FIELDS_IN_ORDER)
    return tuple(map(Question, *in_order, kept))


def question_of(
    fields: Mapping[str, Any],
    place: str,
    problems: Problems,
    kept: Iterable[str] | None = None,
    told: Collection[str] | None = None,
    remedy: str = IN_THE_SETTINGS,
) -> Question | None:
    """Make a question of a row's fields, or note what is missing or of the wrong type.

    `kept` names the further fields to keep; all but the key when it is None. `told` are fields of
    which it was said already that no row has them; with it, so were the columns a row lacks.
    """
    found = [fields.get(field) for field in QUESTION_FIELDS]
    values: list[Any] = ["" if value is None else value for value in found]
    if not _is_plain(values):
        faults = len(problems)
        lacking = missing_columns(REQUIRED, fields)
        if lacking and told is None:
            problems.add(place, explain_missing(lacking, fields, remedy), MISSING)
        lacking += [name for name in told or () if name in REQUIRED]
        values = [
            value if field in lacking else _checked(field, value, place, problems)
            for field, value in zip(QUESTION_FIELDS, values, strict=True)
        ]
        if lacking or len(problems) > faults:
            return None
    names = fields if kept is None else [name for name in kept if name in fields]
    extra = {name: fields[name] for name in names if name not in NOT_KEPT}
    return Question(**dict(zip(QUESTION_FIELDS, values, strict=True)), kept=extra)


def _is_plain(values: list[Any]) -> bool:
    """Tell whether every field is text, and none that is needed is blank, as in most rows."""
    texts = values
    if type(values[QUESTION_ID]) is int:
        texts = values[:QUESTION_ID] + values[QUESTION_ID + 1 :]
    return set(map(type, texts)) == TEXT and all(
        type(values[place]) is str and values[place].strip() for place in REQUIRED_PLACES
    )


def missing_columns(needed: Iterable[str], fields: Collection[str]) -> list[str]:
    """List the fields that a row does not have under any name."""
    return [name for name in needed if name not in fields]


def explain_missing(
    missing: Sequence[str], columns: Iterable[str], remedy: str = IN_THE_SETTINGS
) -> str:
    """Say which fields a row lacks, and how to name the right ones where they have other names.

    >>> print(explain_missing(["sample_id"], ["Sample ID", "n"]))
    has no 'sample_id' (did you mean 'Sample ID'?); its fields are Sample ID, n (name the right \
one under [benchmark.fields])
    """
    own = [column for column in columns if column.strip()]
    if not own:
        return f"has no {', '.join(map(repr, missing))}; it is empty"
    named = ", ".join(repr(name) + did_you_mean(name, own) for name in missing)
    more = f" and {len(own) - MOST_COLUMNS} more" if len(own) > MOST_COLUMNS else ""
    which = "one" if len(missing) == 1 else "ones"
    return (
        f"has no {named}; its fields are {', '.join(own[:MOST_COLUMNS])}{more} "
        f"({remedy.format(which)})"
    )


def _checked(field: str, value: Any, place: str, problems: Problems) -> Any:
    """Give a field's value, or its default; note when it is missing or of the wrong type."""
    value = _clean(value, field)
    if value is None or (field in REQUIRED and not str(value).strip()):
        if field in REQUIRED:
            fault = f"has no {field!r}: the field is empty"
            problems.add(place, fault, f"rows without {field!r}")
        return ""
    if not isinstance(value, str | int) or (isinstance(value, int) and field != "question_id"):
        what = value[0] if isinstance(value, list) and len(value) == 1 else value
        shown = repr(what)
        if isinstance(what, list):
            shown = f"a list of {len(what)}"
        fault = f"{field!r} must be text, not {shown}"
        problems.add(place, fault, f"{field!r} of the wrong type")
    return value


def _clean(value: Any, field: str) -> Any:
    """Take whole numbers that a table made floats back, and ids that are numbers as text."""
    if isinstance(value, float) and value.is_integer() and field in ("sample_id", "question_id"):
        value = int(value)
    if isinstance(value, bool):
        return [value]
    if isinstance(value, int) and field == "sample_id":
        return str(value)
    return value


def question_fields(question: Question) -> dict[str, Any]:
    """Give a question's fields in the order they are written, those of `kept` last and sorted."""
    fields = {name: getattr(question, name) for name in QUESTION_FIELDS}
    return fields | {name: question.kept[name] for name in sorted(question.kept)}


def write_questions(path: Path, questions: Iterable[Question]) -> None:
    """Write questions in the order given, one JSON object a line."""
    write_json_lines(path, map(question_fields, questions))


def read_keys(path: Path) -> tuple[Key, ...]:
    """Read keys: `sample_id` and `answer`; further fields are passed over.

    Raises
    ------
    StudyError
        With every problem at once: a missing file, broken lines, repeated ids, no answer.
    """
    problems = Problems()
    return keys_of_table(read_table(path, path.name, problems), problems)


def keys_of_table(
    table: RowTable, problems: Problems, remedy: str = IN_THE_FILE
) -> tuple[Key, ...]:
    """Make the keys of rows that were read, as `read_keys` does."""
    plain = _plain_keys([row for _, row in table.rows])
    if plain is not None:
        problems.raise_if_any()
        return plain
    keys: dict[str, Key] = {}
    columns = list(dict.fromkeys(name for _, row in table.rows for name in row))
    lacking = missing_columns(("sample_id", "answer"), columns) if columns else []
    if lacking:
        problems.add(table.name, explain_missing(lacking, columns, remedy))
        problems.raise_if_any()
    for place, row in table.places():
        sample_id = _clean(row.get("sample_id"), "sample_id")
        answer = row.get("answer")
        if not isinstance(sample_id, str) or not sample_id.strip():
            problems.add(place, "has no 'sample_id'", "rows without 'sample_id'")
        elif answer is None:
            problems.add(place, f"{sample_id!r} has no 'answer'", "rows without 'answer'")
        elif sample_id in keys:
            problems.add(place, f"{sample_id!r} appears twice", "repeated ids")
        else:
            keys[sample_id] = Key(sample_id, _hashable(answer))
    problems.raise_if_any()
    return tuple(keys.values())


def _plain_keys(rows: Sequence[Mapping[str, Any]]) -> tuple[Key, ...] | None:
    """Make the keys of rows in which nothing needs a look; else None."""
    names: list[Any] = [row.get("sample_id") for row in rows]
    answers: list[Any] = [row.get("answer") for row in rows]
    if set(map(type, names)) != TEXT or not all(map(str.strip, names)):
        return None
    if None in answers or len(set(names)) != len(rows):
        return None
    return tuple(map(Key, names, map(_hashable, answers)))


def _hashable(answer: Any) -> Any:
    return tuple(answer) if type(answer) is list else answer


def write_keys(path: Path, keys: Iterable[Key]) -> None:
    """Write keys in the order given, one JSON object a line."""
    write_json_lines(path, ({"sample_id": key.sample_id, "answer": key.answer} for key in keys))


def write_json_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write one JSON object a line, UTF-8, the same bytes for the same rows."""
    write_whole(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
