"""Turns a study's content into table rows, giving every image and slot its random public id.

What a study asks, as it is loaded into the database: plain records, without keys.
What a worker reads of the study once, when it starts.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from sampling.answers.vocabularies import OLD_RULE, AnswerFormat, Vocabulary
from sampling.assignment.plan import Slot
from sampling.assignment.roster import Participant, same_identity
from sampling.study.keyed import shuffled
from sampling.study.questions import Question
from study_server.store.schema.tables import StudyTable, VocabularyTable


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


def vocabulary_of(category: str, entry: Mapping[str, Any], rule: int) -> Vocabulary:
    """Read a vocabulary back from its entry, by the reading rule of the study.

    >>> drawings = Vocabulary("Drawings", AnswerFormat.BINARY, ("yes", "no"))
    >>> vocabulary_of("Drawings", vocabulary_entry(drawings), drawings.rule) == drawings
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
        rule=rule,
    )


Row = dict[str, Any]
BENCHMARK = "benchmark"


def public_id() -> str:
    """Make an unguessable name of 128 random bits."""
    return secrets.token_urlsafe(16)


def vocabulary_rows(content: StudyContent) -> list[Row]:
    return [
        {
            "source": source,
            "category": category,
            "position": position,
            "entry": vocabulary_entry(vocabulary),
        }
        for source, vocabularies in content.vocabularies.items()
        for position, (category, vocabulary) in enumerate(vocabularies.items())
    ]


def image_rows(content: StudyContent, known: Mapping[tuple[str, str], str]) -> list[Row]:
    """One row an image; `known` keeps the public ids of an earlier load.

    Ids are given in random order, so that they do not follow the names.
    """
    names = sorted(set(_image_names(content)))
    secrets.SystemRandom().shuffle(names)
    rows = []
    for number, (source, name) in enumerate(names, start=1):
        width, height = content.image_sizes.get((source, name), (None, None))
        rows.append(
            {
                "id": number,
                "source": source,
                "image_name": name,
                "public_id": known.get((source, name)) or public_id(),
                "width": width,
                "height": height,
            }
        )
    return rows


def question_rows(content: StudyContent, image_ids: Mapping[tuple[str, str], int]) -> list[Row]:
    """One row a question: the sample's are active, the reserve's wait in the order of rank."""
    active = [(question, "active", None) for question in content.questions]
    reserve = [(question, "reserve", rank) for rank, question in enumerate(content.reserve)]
    return [
        {
            "id": number,
            "sample_id": question.sample_id,
            "image_id": image_ids[BENCHMARK, question.image_name],
            "category": question.category,
            "collection": question.script_name,
            "question_type": question.question_type,
            "task_family": question.task_family,
            "question_en": question.question_en,
            "state": state,
            "reserve_rank": rank,
            "kept": dict(question.kept),
        }
        for number, (question, state, rank) in enumerate([*active, *reserve], start=1)
    ]


def outside_rows(content: StudyContent, image_ids: Mapping[tuple[str, str], int]) -> list[Row]:
    return [
        {
            "kind": outside.kind,
            "sample_id": outside.question.sample_id,
            "position": position,
            "image_id": image_ids[outside.kind, outside.question.image_name],
            "category": outside.question.category,
            "question_en": outside.question.question_en,
            "key": list(outside.key) if isinstance(outside.key, tuple) else outside.key,
            "feedback": outside.feedback,
            "public_id": public_id(),
        }
        for position, outside in enumerate(content.outside, start=1)
    ]


def exclusion_rows(
    content: StudyContent, people: Mapping[str, int], question_ids: Mapping[str, int]
) -> list[Row]:
    return [
        {
            "participant_id": people[same_identity(pseudonym)],
            "question_id": question_ids[sample_id],
            "reason": "role",
        }
        for pseudonym, sample_id in sorted(content.exclusions)
        if sample_id in question_ids
    ]


def slot_rows(
    content: StudyContent, people: Mapping[str, int], question_ids: Mapping[str, int]
) -> list[Row]:
    """One row a slot: held as planned, or in open mode by nobody, in a random order."""
    if content.read_slots is None:
        return _open_slots(content.questions, content.responses_per_question, question_ids)
    return [
        {
            "question_id": question_ids[slot.sample_id],
            "response_index": slot.response_index,
            "participant_id": people[same_identity(slot.participant)],
            "session": slot.session,
            "position": slot.position,
            "public_id": public_id(),
        }
        for slot in content.read_slots()
    ]


def _open_slots(
    questions: tuple[Question, ...], responses: int, question_ids: Mapping[str, int]
) -> list[Row]:
    """Order the free slots: every question once, in an order of its own, before any twice."""
    rows: list[Row] = []
    for response_index in range(1, responses + 1):
        ids = [question_ids[question.sample_id] for question in questions]
        for question_id in shuffled(ids, "open slots", str(response_index)):
            rows.append(
                {
                    "question_id": question_id,
                    "response_index": response_index,
                    "participant_id": None,
                    "session": 1,
                    "position": len(rows) + 1,
                    "public_id": public_id(),
                }
            )
    return rows


def _image_names(content: StudyContent) -> Iterator[tuple[str, str]]:
    """Yield (source, image name) of every question."""
    for question in (*content.questions, *content.reserve):
        yield BENCHMARK, question.image_name
    for outside in content.outside:
        yield outside.kind, outside.question.image_name


@dataclass(frozen=True)
class ServedStudy:
    """The study's name in addresses and for people, its settings, and every vocabulary.

    `vocabularies` is by source (`benchmark`, `practice`, `attention`) and category.
    """

    public_id: str
    name: str
    settings: Mapping[str, Any]
    vocabularies: Mapping[tuple[str, str], Vocabulary]


def reading_rule_of(settings: Mapping[str, Any]) -> int:
    """Give the rule by which a study's answers are read; 0.1.0 stored none, and had rule 1.

    >>> reading_rule_of({}), reading_rule_of({"reading_rule": 2})
    (1, 2)
    """
    return int(settings.get("reading_rule", OLD_RULE))


def served_study(session: Session) -> ServedStudy | None:
    """Read the study, or None when the database holds none yet."""
    study = session.get(StudyTable, 1)
    if study is None:
        return None
    rows = session.execute(
        select(VocabularyTable.source, VocabularyTable.category, VocabularyTable.entry)
    )
    rule = reading_rule_of(study.settings)
    vocabularies = {
        (row.source, row.category): vocabulary_of(row.category, row.entry, rule) for row in rows
    }
    return ServedStudy(study.public_id, study.name, study.settings, vocabularies)
