"""Notes on inputs that are odd but no fault."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from string import ascii_uppercase
from typing import Any

from sampling.answers.transcription import unlisted_tags
from sampling.answers.vocabularies import AnswerFormat, Vocabulary
from sampling.assignment.roster import Participant, looks_like_a_name
from sampling.benchmark.annotators import Annotation, unknown_questions
from sampling.benchmark.benchmark import Benchmark
from sampling.draw.manifest import read_manifest, sample_settings
from sampling.study.errors import did_you_mean
from sampling.study.folder import StudyFolder
from sampling.tables.field_mapping import PEER_NAMES, holes_of, list_in

# What benchmarks of multiple choice call their options: choiceA, option_1, options, A, B.
OPTION = re.compile(r"(?:choice|option)s?[ _-]?([A-Ha-h0-9]?)", re.IGNORECASE)
LETTER = re.compile(r"[A-H]")


def tag_notes(study: StudyFolder, benchmark: Benchmark) -> list[str]:
    """Say which tags in reference texts are no special token, as dirty ones hold some."""
    texts = [
        record.answer
        for record in benchmark.records
        if isinstance(record.answer, str)
        and benchmark.vocabularies[record.question.category].format is AnswerFormat.TEXT
    ]
    return [
        f"{tag} in {count} reference {'text' if count == 1 else 'texts'} is no special token of "
        f"[text]: it counts as its {len(tag)} characters"
        for tag, count in unlisted_tags(texts, study.definition.text).items()
    ]


def collection_notes(study: StudyFolder, benchmark: Benchmark) -> list[str]:
    """Point out a stratum that may be the collection, which nothing says it is."""
    fields = [name for name in study.definition.sample.strata if name != "category"]
    if not fields or any(record.question.script_name for record in benchmark.records):
        return []
    remedy = f'`script_name = "{fields[0]}"` under [benchmark.fields]'
    use = "has people balanced over it, and counted and tabulated by it"
    return [f"no question names its collection; if {fields[0]} is one, {remedy} {use}"]


def draw_notes(study: StudyFolder) -> list[str]:
    """Say what was set otherwise when the sample on disk was drawn."""
    manifest = read_manifest(study.manifest_file) if study.questions_file.is_file() else None
    if manifest is None:
        return []
    now = {"seed": study.definition.study.seed, **sample_settings(study.definition)}
    before = {"seed": manifest["seed"], **manifest["settings"]}
    changed = [
        f"{name} is {now.get(name)!r}, and was {before.get(name)!r}"
        for name in sorted(now.keys() | before.keys())
        if now.get(name) != before.get(name)
    ]
    if not changed:
        return []
    return [
        f"study.toml: {one} when sample/ was drawn; `lontar sample` draws anew" for one in changed
    ]


def option_notes(study: StudyFolder, benchmark: Benchmark) -> list[str]:
    """Point out fields that look like a question's options, which nobody sees as they are."""
    fields = benchmark.records[0].fields if benchmark.records else {}
    options = [name for name in fields if OPTION.fullmatch(name)]
    letters = [name for name in fields if LETTER.fullmatch(name)]
    options += letters if len(letters) > 1 else []
    question = study.definition.benchmark.fields.get("question_en", "")
    shown_already = {hole.partition(".")[0] for hole in holes_of(question)}
    unseen = [name for name in options if name not in shown_already]
    if not unseen:
        return []
    peers = (name for name in PEER_NAMES["question_en"] if name in fields)
    own = question if question and "{" not in question else next(peers, "question_en")
    lengths = {
        name: max(len(list_in(one.fields.get(name)) or ()) for one in benchmark.records)
        for name in unseen
    }
    lines = [line for name in unseen for line in _option_lines(name, lengths[name])]
    shown = "".join(lines)
    words = (
        f"{', '.join(unseen)} may be the options of a question, and are not shown; to show them: "
        f'question_en = "{{{own}}}{shown}" under [benchmark.fields]'
    )
    return [words]


def _option_lines(name: str, length: int) -> list[str]:
    r"""Write the lines of the pattern that show options beside their letters.

    `length` is how many a list holds at most; 0 for a field of one option.

    >>> print("".join(_option_lines("choiceA", 0) + _option_lines("options", 2)))
    \nA. {choiceA}\nA. {options.0}\nB. {options.1}
    """
    if length:
        return [
            rf"\n{letter}. {{{name}.{place}}}"
            for place, letter in enumerate(ascii_uppercase[:length])
        ]
    found = OPTION.fullmatch(name)
    letter = name if found is None else found[1].upper()
    return [rf"\n{letter}. {{{name}}}" if letter else rf"\n{{{name}}}"]


def alternatives_notes(
    rows: Iterable[tuple[str, Mapping[str, Any]]], vocabularies: Mapping[str, Vocabulary]
) -> list[str]:
    """Say where a list called `answers` is read as labels that all apply, not as alternatives."""
    found: dict[str, list[str]] = {}
    for place, fields in rows:
        category, listed = str(fields.get("category")), fields.get("answers")
        vocabulary = vocabularies.get(category)
        if vocabulary is None or vocabulary.format is not AnswerFormat.MULTI:
            continue
        if isinstance(listed, list) and len(listed) > 1 and fields.get("answer") == listed:
            found.setdefault(category, []).append(place)
    return [
        f"category {category!r}: the key of {len(places)} {'row' if len(places) == 1 else 'rows'} "
        f"({places[0]}{', ...' if len(places) > 1 else ''}) is a list called `answers`, read as "
        "labels that all apply (format multi); if they are alternatives, of which any is right, "
        "give one: several right answers are not supported yet"
        for category, places in found.items()
    ]


def people_notes(study: StudyFolder, people: Sequence[Participant]) -> list[str]:
    """Point out pseudonyms that look like people's names."""
    named = [one.pseudonym for one in people if looks_like_a_name(one.pseudonym)]
    if not named:
        return []
    shown = ", ".join(repr(one) for one in named[:10])
    more = f" and {len(named) - 10} more" if len(named) > 10 else ""
    verb = "looks like a person's name" if len(named) == 1 else "look like people's names"
    words = (
        f"{study.roster_file.name}: {shown}{more} {verb}; everything that is published names "
        "people so: P01, P02, ... are safer"
    )
    return [words]


def annotator_notes(
    study: StudyFolder, annotations: Sequence[Annotation], benchmark: Benchmark
) -> list[str]:
    """Say which roles bar nobody, and which annotated questions are unknown."""
    if not annotations:
        return []
    roles = {annotation.role.casefold(): annotation.role for annotation in annotations}
    notes = [
        f"exclude_roles names {role!r}, which no annotator has{did_you_mean(role, roles.values())}"
        for role in study.definition.assignment.exclude_roles or ()
        if role.casefold() not in roles
    ]
    barring = study.definition.assignment.exclude_roles or ()
    folded = {role.casefold() for role in barring}
    # A role may be left out on purpose; one that is nearly one of those that bar is a slip.
    notes += [
        f"role {role!r} of the annotators file is not in exclude_roles and bars nobody{nearest}"
        for one, role in roles.items()
        if one not in folded and (nearest := did_you_mean(role, barring))
    ]
    known = {record.question.sample_id for record in benchmark.records} | benchmark.other_ids
    unknown = unknown_questions(annotations, known)
    if unknown:
        notes.append(
            f"the annotators file names {len(unknown)} questions the benchmark does not have "
            f"(such as {unknown[0]!r})"
        )
    return notes
