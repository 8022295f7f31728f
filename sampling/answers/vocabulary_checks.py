"""Checks of one category's vocabulary entry, every problem at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sampling.answers.model_output import read_count
from sampling.answers.vocabularies import AnswerFormat, Vocabulary
from sampling.study.errors import Problems, did_you_mean

KNOWN = ("format", "labels", "aliases", "exclusive", "min", "max", "help", "gloss")
LABELLED = (AnswerFormat.SINGLE, AnswerFormat.MULTI, AnswerFormat.BINARY)


def check_entry(category: str, entry: Any, where: str, problems: Problems) -> Vocabulary | None:
    """Make a vocabulary of one entry, or note all that is wrong with it."""
    if not isinstance(entry, Mapping):
        problems.add(where, 'neither an object such as {"format": "count"} nor a list of labels')
        return None
    before = len(problems)
    for name in entry:
        if name not in KNOWN:
            hint = did_you_mean(name, KNOWN) or f" (known: {', '.join(KNOWN)})"
            problems.add(where, f"unknown key {name!r}{hint}")
    answer_format = _format(entry, where, problems)
    if answer_format is None:
        return None
    labels = _labels(entry, answer_format, where, problems)
    if answer_format not in LABELLED:
        for name in ("labels", "exclusive"):
            if name in entry:
                problems.add(where, f"a {answer_format.value} has no {name!r}")
    minimum, maximum = _bounds(entry, answer_format, where, problems)
    vocabulary = Vocabulary(
        category=category,
        format=answer_format,
        labels=labels,
        aliases=_aliases(entry, answer_format, labels, where, problems),
        exclusive=_exclusive(entry, answer_format, labels, where, problems),
        minimum=minimum,
        maximum=maximum,
        help=_help(entry, labels, where, problems),
        gloss=_gloss(entry, labels, where, problems),
    )
    return vocabulary if len(problems) == before else None


def _format(entry: Mapping[str, Any], where: str, problems: Problems) -> AnswerFormat | None:
    known = [answer_format.value for answer_format in AnswerFormat]
    value = entry.get("format")
    if value in known:
        return AnswerFormat(value)
    if value is None:
        problems.add(where, f"has no 'format'; give one of {', '.join(known)}")
    else:
        hint = did_you_mean(str(value), known) or f" (known: {', '.join(known)})"
        problems.add(where, f"unknown format {value!r}{hint}")
    return None


def _labels(
    entry: Mapping[str, Any], answer_format: AnswerFormat, where: str, problems: Problems
) -> tuple[str, ...]:
    if answer_format not in LABELLED:
        return ()
    default = ["yes", "no"] if answer_format is AnswerFormat.BINARY else None
    labels = entry.get("labels", default)
    if not isinstance(labels, list) or not labels:
        problems.add(where, "needs 'labels', a list of at least one")
        return ()
    for label in labels:
        if not isinstance(label, str) or not label.strip():
            problems.add(where, f"label {label!r} must be text in quotation marks")
    texts = tuple(label for label in labels if isinstance(label, str) and label.strip())
    for label in dict.fromkeys(texts):
        if texts.count(label) > 1:
            problems.add(where, f"label {label!r} stands twice")
    if answer_format is AnswerFormat.BINARY and len(labels) != 2:
        problems.add(where, f"a binary vocabulary has two labels, not {len(labels)}")
    return texts


def _aliases(
    entry: Mapping[str, Any],
    answer_format: AnswerFormat,
    labels: tuple[str, ...],
    where: str,
    problems: Problems,
) -> dict[str, str]:
    aliases = entry.get("aliases", {})
    if not isinstance(aliases, Mapping):
        problems.add(where, "'aliases' must be an object that maps an alias to its label")
        return {}
    for alias, label in aliases.items():
        if answer_format is AnswerFormat.COUNT and read_count(str(label)) is not None:
            continue
        if isinstance(label, list):
            problems.add(where, f"'aliases' maps an alias to its label; turn {alias!r} round")
        elif label not in labels:
            hint = did_you_mean(str(label), labels)
            problems.add(where, f"alias {alias!r} stands for {label!r}, which is no label{hint}")
    return {alias: str(label) for alias, label in aliases.items()}


def _exclusive(
    entry: Mapping[str, Any],
    answer_format: AnswerFormat,
    labels: tuple[str, ...],
    where: str,
    problems: Problems,
) -> frozenset[str]:
    exclusive = entry.get("exclusive", [])
    if not isinstance(exclusive, list) or not all(isinstance(label, str) for label in exclusive):
        problems.add(where, "'exclusive' must be a list of labels")
        return frozenset()
    if answer_format in LABELLED:
        for label in exclusive:
            if label not in labels:
                hint = did_you_mean(label, labels)
                problems.add(where, f"exclusive label {label!r} is no label{hint}")
    return frozenset(exclusive)


def _bounds(
    entry: Mapping[str, Any], answer_format: AnswerFormat, where: str, problems: Problems
) -> tuple[int, int | None]:
    bounds = {}
    for name in ("min", "max"):
        value = entry.get(name)
        if value is not None and answer_format is not AnswerFormat.COUNT:
            problems.add(where, f"{name!r} belongs to a count, not to a {answer_format.value}")
        elif value is not None and (type(value) is not int or value < 0):
            problems.add(where, f"{name!r} must be a whole number from 0, not {value!r}")
        else:
            bounds[name] = value
    minimum, maximum = bounds.get("min") or 0, bounds.get("max")
    if maximum is not None and maximum < minimum:
        problems.add(where, f"'max' ({maximum}) is below 'min' ({minimum})")
    return minimum, maximum


def _help(
    entry: Mapping[str, Any], labels: tuple[str, ...], where: str, problems: Problems
) -> dict[str, str]:
    found = entry.get("help", {})
    if isinstance(found, str):
        return {"": found}
    return _label_texts(found, ("", *labels), f"{where} 'help'", problems)


def _gloss(
    entry: Mapping[str, Any], labels: tuple[str, ...], where: str, problems: Problems
) -> dict[str, dict[str, str]]:
    gloss = entry.get("gloss", {})
    if not isinstance(gloss, Mapping):
        problems.add(where, "'gloss' must map a language to its wording of each label")
        return {}
    return {
        language: _label_texts(texts, labels, f"{where} 'gloss' {language!r}", problems)
        for language, texts in gloss.items()
    }


def _label_texts(
    texts: Any, labels: tuple[str, ...], where: str, problems: Problems
) -> dict[str, str]:
    """Check a mapping of labels to texts."""
    if not isinstance(texts, Mapping):
        problems.add(where, "must be an object that maps a label to a text")
        return {}
    for label, text in texts.items():
        if label not in labels:
            problems.add(where, f"{label!r} is no label{did_you_mean(label, labels)}")
        if not isinstance(text, str):
            problems.add(where, f"the text of {label!r} must be in quotation marks")
    return {label: str(text) for label, text in texts.items()}
