"""What a study asks, as it is loaded into the database: plain records, without keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sampling.answers.vocabularies import AnswerFormat, Vocabulary
from sampling.assignment.participants import Participant
from sampling.assignment.plan import Slot
from sampling.study.questions import Question


@dataclass(frozen=True)
class OutsideQuestion:
    """A practice or attention question, with the key that its feedback needs."""

    kind: str
    question: Question
    key: str | int | tuple[str, ...]
    feedback: str = ""


@dataclass(frozen=True)
class StudyContent:
    """Everything the server needs of a study's files.

    `read_slots` reads the plan, which only a study that is loaded or checked needs; it is None in
    open mode. `vocabularies` maps a source (`benchmark`,
    `practice`, `attention`) to its vocabularies. `image_sizes` maps (source, image name) to width
    and height in pixels where known. `digests` names what may not change once answers exist.
    """

    name: str
    responses_per_question: int
    settings: Mapping[str, Any]
    digests: Mapping[str, str]
    vocabularies: Mapping[str, Mapping[str, Vocabulary]]
    questions: tuple[Question, ...]
    participants: tuple[Participant, ...]
    read_slots: Callable[[], tuple[Slot, ...]] | None
    reserve: tuple[Question, ...] = ()
    exclusions: frozenset[tuple[str, str]] = frozenset()
    outside: tuple[OutsideQuestion, ...] = ()
    image_sizes: Mapping[tuple[str, str], tuple[int, int]] = field(default_factory=dict)


def vocabulary_entry(vocabulary: Vocabulary) -> dict[str, Any]:
    """Write a vocabulary as the JSON entry that the database keeps.

    >>> vocabulary_entry(Vocabulary("Drawings", AnswerFormat.BINARY, ("yes", "no")))["labels"]
    ['yes', 'no']
    """
    return {
        "format": str(vocabulary.format),
        "labels": list(vocabulary.labels),
        "aliases": dict(vocabulary.aliases),
        "exclusive": sorted(vocabulary.exclusive),
        "min": vocabulary.minimum,
        "max": vocabulary.maximum,
        "help": dict(vocabulary.help),
        "gloss": {language: dict(words) for language, words in vocabulary.gloss.items()},
    }


def vocabulary_of(category: str, entry: Mapping[str, Any]) -> Vocabulary:
    """Read a vocabulary back from its entry.

    >>> drawings = Vocabulary("Drawings", AnswerFormat.BINARY, ("yes", "no"))
    >>> vocabulary_of("Drawings", vocabulary_entry(drawings)) == drawings
    True
    """
    return Vocabulary(
        category=category,
        format=AnswerFormat(entry["format"]),
        labels=tuple(entry["labels"]),
        aliases=entry["aliases"],
        exclusive=frozenset(entry["exclusive"]),
        minimum=entry["min"],
        maximum=entry["max"],
        help=entry["help"],
        gloss=entry["gloss"],
    )
