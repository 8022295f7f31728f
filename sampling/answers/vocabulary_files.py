"""Vocabulary files: the allowed answers of each category, read from JSON and checked."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sampling.answers.labels import index_labels, label_key, read_labels
from sampling.answers.vocabularies import READING_RULE, AnswerFormat, Vocabulary
from sampling.answers.vocabulary_checks import check_entry
from sampling.study.errors import Problems, StudyError, did_you_mean
from sampling.tables.json_lines import json_fault
from sampling.tables.row_files import read_text

MOST_LABELS = 12
YES_NO = frozenset({"yes", "no"})


def read_vocabularies(
    path: Path, references: Mapping[str, Sequence[Any]] = {}, rule: int = READING_RULE
) -> dict[str, Vocabulary]:
    """Read the vocabularies of every category from a JSON file.

    `references` holds the raw keys of each category: they tell whether a bare list of labels
    means one label or several.

    Raises
    ------
    StudyError
        With every problem at once.
    """
    if path.suffix.lower() in (".yaml", ".yml"):
        raise StudyError(
            f"{path.name}: vocabularies are read from JSON only, because YAML turns labels such as "
            "yes, no and 010 into something else; convert the file to JSON"
        )
    text = read_text(path)
    try:
        tables = json.loads(text, object_pairs_hook=_distinct)
    except json.JSONDecodeError as error:
        raise StudyError(f"{path.name} line {error.lineno}: {json_fault(error)}") from None
    except _RepeatedNameError as error:
        raise StudyError(f"{path.name}: {error} stands twice; keep one of them") from None
    return parse_vocabularies(tables, references, path.name, rule)


class _RepeatedNameError(ValueError):
    """A name that one JSON object gives twice."""


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of pairs, refusing a name that stands twice."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise _RepeatedNameError(repr(name))
        found[name] = value
    return found


def parse_vocabularies(
    tables: Any,
    references: Mapping[str, Sequence[Any]],
    name: str = "vocabularies",
    rule: int = READING_RULE,
) -> dict[str, Vocabulary]:
    """Check the vocabularies of a JSON object that was already parsed.

    Raises
    ------
    StudyError
        With every problem at once: misspelt keys (the nearest is named), a format nobody knows,
        labels that look the same to the scorer, aliases and exclusive labels of no label.

    Examples
    --------
    >>> parse_vocabularies({"Holes": ["yes", "no"]}, {})["Holes"].format
    <AnswerFormat.BINARY: 'binary'>
    """
    if not isinstance(tables, Mapping) or not tables:
        raise StudyError(
            f"{name}: holds no category; it must be an object such as "
            '{"Category": {"format": "single", ...}}'
        )
    problems = Problems()
    vocabularies = {}
    for category, entry in tables.items():
        where = f"{name} {category!r}"
        if isinstance(entry, Sequence) and not isinstance(entry, str):
            entry = {"format": "multi", "labels": list(entry)}  # noqa: PLW2901 - format is found below
            found = with_rule(check_entry(category, entry, where, problems), rule)
            if found is not None:
                found = bare_list(found, references.get(category, ()))
        else:
            found = with_rule(check_entry(category, entry, where, problems), rule)
        if found is not None:
            check_collisions(found, where, problems)
            vocabularies[category] = found
    problems.raise_if_any()
    return vocabularies


def with_rule(vocabulary: Vocabulary | None, rule: int) -> Vocabulary | None:
    """Give the vocabulary as it is read under a rule."""
    return None if vocabulary is None else replace(vocabulary, rule=rule)


def bare_list(vocabulary: Vocabulary, references: Sequence[Any]) -> Vocabulary:
    """Decide what a bare list of labels means.

    Binary when it is yes and no, multi when some reference has several labels, else single.
    """
    keys = {label_key(label) for label in vocabulary.labels}
    if keys == YES_NO:
        answer_format = AnswerFormat.BINARY
    elif any(_has_several(reference, vocabulary) for reference in references):
        answer_format = AnswerFormat.MULTI
    else:
        answer_format = AnswerFormat.SINGLE
    return replace(vocabulary, format=answer_format)


def _has_several(reference: Any, vocabulary: Vocabulary) -> bool:
    """Tell whether a raw key holds several labels, as a list or a separated text."""
    if isinstance(reference, (list, tuple)):
        return len(reference) != 1
    return isinstance(reference, str) and len(read_labels(reference, index_labels(vocabulary))) > 1


def check_collisions(vocabulary: Vocabulary, where: str, problems: Problems) -> None:
    """Note labels and aliases that are the same once folded but mean different labels."""
    joiners = index_labels(vocabulary).keep_joiners
    owners: dict[str, tuple[str, str]] = {}
    names = [(label, label) for label in vocabulary.labels] + list(vocabulary.aliases.items())
    for written, label in names:
        key = label_key(written, keep_joiners=joiners, rule=vocabulary.rule)
        first, owner = owners.setdefault(key, (written, label))
        if owner != label:
            apart = label_key(first, keep_joiners=joiners) != label_key(
                written, keep_joiners=joiners
            )
            remedy = (
                f"; reading rule {READING_RULE} tells them apart: set `reading_rule = "
                f"{READING_RULE}` under [analysis], or rename one"
            )
            problems.add(
                where,
                f"{first!r} and {written!r} are the same to the scorer, which does not look at "
                "case, hyphens, spaces or punctuation at the ends"
                + (remedy if apart else "; rename one"),
            )
    for written, _ in names:
        if not label_key(written, rule=vocabulary.rule):
            problems.add(where, f"{written!r} holds nothing that can be read")


def nearest_label(text: str, vocabulary: Vocabulary) -> str:
    """Give ` (did you mean 'x'?)` for the nearest label or alias, or nothing."""
    return did_you_mean(text, [*vocabulary.labels, *vocabulary.aliases])


def listed_labels(vocabulary: Vocabulary) -> str:
    """Give ` (labels: a, b)`, the first ones only when there are many."""
    labels = vocabulary.labels
    more = f" and {len(labels) - MOST_LABELS} more" if len(labels) > MOST_LABELS else ""
    return f" (labels: {', '.join(labels[:MOST_LABELS])}{more})"
