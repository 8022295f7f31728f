"""Reads `study.toml` into a study definition, saying all that is wrong with it at once."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from sampling.study.checklist_items import check_declared_keys
from sampling.study.definition import StudyDefinition
from sampling.study.errors import StudyError, did_you_mean

_WISHES = {
    "string_type": "text in quotes",
    "string_too_short": "a text that is not empty",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false, without quotes",
    "tuple_type": "a list in [ ]",
    "too_short": "a list that is not empty",
    "dict_type": "a table in { }",
    "model_type": "a table in { }",
}
_AT = re.compile(r"\(at line (\d+), column (\d+)\)")
_CURLY = frozenset("“”„‟‘’«»")
_ESCAPE = re.compile(r"hex|[Ee]scape|Illegal character")
# What Python's parser says, in the words of who wrote the file.
_SYNTAX = {
    "Cannot overwrite a value": "this key appears twice in its table; keep one of them",
    "Cannot declare": "this table appears twice; put its keys together under one",
    "Duplicate inline table key": "a key appears twice inside { }; keep one of them",
    "Invalid value": "no value; a text needs quotes, and a list brackets [ ]",
    "Invalid statement": "neither a key with = and a value, nor a [table]; a remark begins with #",
    "Illegal character '\\n'": "a quote is not closed in this line",
    "Expected '='": "a key must be followed by = and its value",
    "Expected newline": "more follows after the value; take it out, or begin a remark with #",
    "Unclosed array": "a bracket [ is not closed",
    "Invalid date or datetime": "no such date or time",
}
_UNION_MEMBERS = frozenset({"constrained-int", "int", "str", "bool", "float"})


def read_definition(path: Path) -> StudyDefinition:
    """Read and check `study.toml`.

    Raises
    ------
    StudyError
        With every problem at once: a missing file, broken TOML, unknown or missing keys (the
        nearest known key is named), values of the wrong type.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise StudyError(
            f"{path.name}: not found in {path.parent}; "
            "name the study's folder with -C DIR, or start one with `lontar new DIR`"
        ) from None
    except IsADirectoryError:
        raise StudyError(f"{path.name}: is a folder, not a file") from None
    except UnicodeDecodeError:
        raise StudyError(f"{path.name}: not UTF-8 text; save it as UTF-8") from None
    try:
        return parse_definition(tomllib.loads(text), path.name)
    except tomllib.TOMLDecodeError as error:
        raise StudyError(_syntax_fault(path.name, text, str(error))) from None


def _syntax_fault(name: str, text: str, said: str) -> str:
    """Say what is wrong with TOML in the words of who wrote it, where the parser's are others."""
    place = _AT.search(said)
    if place is None:
        return f"{name}: not valid TOML: it ends before a quote or bracket is closed"
    number, column = map(int, place.groups())
    lines = text.splitlines()
    line = lines[number - 1] if number <= len(lines) else ""
    what = said[: place.start()].rstrip()
    if _CURLY & set(line) and "value" in what.casefold():
        words = 'the quotes are curly; write straight ones (")'
    elif "\\" in line and _ESCAPE.search(what):
        words = "a backslash in quotes begins a special character; write / in a path"
    else:
        known = (words for begin, words in _SYNTAX.items() if what.startswith(begin))
        words = next(known, what)
    return f"{name} line {number}: not valid TOML at column {column}: {words}"


def parse_definition(tables: dict[str, Any], name: str = "study.toml") -> StudyDefinition:
    """Check the tables of a `study.toml` that was already parsed."""
    try:
        definition = StudyDefinition.model_validate(tables)
    except ValidationError as error:
        raise StudyError(*_explain_all([dict(fault) for fault in error.errors()], name)) from None
    _check_names(definition, name)
    check_declared_keys(definition.checklist, name)
    return definition


def _check_names(definition: StudyDefinition, name: str) -> None:
    """Refuse two models of one name, and a model with neither predictions nor aggregates."""
    problems = []
    seen: set[str] = set()
    for model in definition.models:
        if model.name in seen:
            problems.append(f"{name} [[models]]: two models are named {model.name!r}")
        if model.name == "Human":
            problems.append(f"{name} [[models]]: a model may not be named 'Human'")
        if model.predictions is None and not model.aggregates:
            problems.append(
                f"{name} [[models]] {model.name!r}: needs `predictions` (a file, folder or glob) "
                "or `aggregates`"
            )
        seen.add(model.name)
    if problems:
        raise StudyError(*problems)


def _explain_all(faults: list[dict[str, Any]], name: str) -> list[str]:
    """Say what pydantic found, once for each key: a key of two types is faulty in both."""
    for fault in faults:
        fault["loc"] = tuple(part for part in fault["loc"] if not _is_type_name(part))
    places = [fault["loc"] for fault in faults]
    wanted: dict[str, list[str]] = {}
    for fault in faults:
        place = fault["loc"]
        if any(len(other) > len(place) and other[: len(place)] == place for other in places):
            continue
        if fault["type"] == "missing" and _is_misspelt(fault, faults):
            continue
        said, *wishes = _explain(fault, name)
        wanted.setdefault(said, []).extend(wishes)
    return [said + " or ".join(dict.fromkeys(wishes)) for said, wishes in wanted.items()]


def _is_misspelt(missing: dict[str, Any], faults: list[dict[str, Any]]) -> bool:
    """Tell whether an unknown key beside a missing one is that key, misspelt."""
    *table, name = missing["loc"]
    return any(
        fault["type"] == "extra_forbidden"
        and list(fault["loc"][:-1]) == table
        and did_you_mean(str(fault["loc"][-1]), _known_keys(fault["loc"][:-1]))
        == did_you_mean(name, [name])
        for fault in faults
    )


def _explain(fault: dict[str, Any], name: str) -> tuple[str, ...]:
    """Say where a fault is and what; then, of a value, what it must be."""
    location = fault["loc"]
    where = f"{name} {_place(location)}".rstrip()
    if fault["type"] == "extra_forbidden":
        known = _known_keys(location[:-1])
        kind = "table" if len(location) == 1 else "key"
        hint = did_you_mean(str(location[-1]), known) or f" (known: {', '.join(sorted(known))})"
        return (f"{where}: unknown {kind} {str(location[-1])!r}{hint}",)
    if fault["type"] == "missing":
        kind = "table" if len(location) == 1 else "key"
        return (f"{where}: the {kind} {str(location[-1])!r} is missing",)
    wish = _WISHES.get(fault["type"]) or fault["msg"].removeprefix("Input should be ")
    return f"{where}: {location[-1]} = {fault['input']!r}: must be ", wish


def _is_type_name(part: str | int) -> bool:
    """Tell pydantic's names of a union's members (`constrained-int`, `tuple[...]`) from keys."""
    return isinstance(part, str) and ("[" in part or part in _UNION_MEMBERS)


def _place(location: tuple[str | int, ...]) -> str:
    """Name the table a fault is in: `[sample]`, `[[models]] 2`, or nothing at the top."""
    if len(location) < 2:
        return ""
    if location[0] == "models" and isinstance(location[1], int):
        return f"[[models]] {location[1] + 1}"
    return f"[{'.'.join(str(part) for part in location[:-1] if isinstance(part, str))}]"


def _known_keys(location: tuple[str | int, ...]) -> set[str]:
    """List the keys that the table at this place may hold."""
    table: Any = StudyDefinition
    for part in location:
        if isinstance(part, int) or not hasattr(table, "model_fields"):
            continue
        if part in table.model_fields:
            table = _table_class(table.model_fields[part].annotation)
    return set(getattr(table, "model_fields", {}))


def _table_class(annotation: Any) -> Any:
    """Find the table class inside `T | None` or `tuple[T, ...]`."""
    if isinstance(annotation, type) and hasattr(annotation, "model_fields"):
        return annotation
    for inner in getattr(annotation, "__args__", ()):
        found = _table_class(inner)
        if found is not None:
            return found
    return None
