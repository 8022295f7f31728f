"""Exclusions: nobody answers a question whose key they had a part in.

Reads what a plan rests on: the sample, the roster, and who may not answer what.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from sampling.answers.transcription import text_lengths
from sampling.assignment.roster import Participant, read_roster, same_annotator
from sampling.benchmark.annotators import Annotation, read_annotators
from sampling.benchmark.benchmark import read_benchmark
from sampling.benchmark.image_names import composed
from sampling.benchmark.question_files import read_keys, read_questions
from sampling.study.errors import StudyError
from sampling.study.folder import StudyFolder
from sampling.study.questions import Question

SHORT_ID = 5
NAMED_IDS = 8


@dataclass(frozen=True)
class UnmatchedId:
    """An annotator id of the roster by which no key was written; `near` are those it may mean."""

    annotator: str
    participant: str
    near: tuple[str, ...]


def unmatched_ids(
    participants: Sequence[Participant], annotations: Sequence[Annotation]
) -> tuple[UnmatchedId, ...]:
    """Find the annotator ids of the roster that bar their person from nothing.

    Near are ids of the annotators file that nobody of the roster has, at most two edits away
    (one, where the id has fewer than five characters).

    >>> keys = [Annotation("q1", "Citra", "author"), Annotation("q2", "Budi", "author")]
    >>> [(one.annotator, one.near) for one in
    ...  unmatched_ids([Participant("P3", frozenset({"Citra2"}))], keys)]
    [('Citra2', ('Citra',))]
    """
    if not annotations:
        return ()
    written = {same_annotator(one.annotator): one.annotator for one in annotations}
    on_roster = {
        same_annotator(name)
        for person in participants
        for name in (person.pseudonym, *person.annotator_ids)
    }
    unclaimed = [folded for folded in written if folded not in on_roster]
    found = []
    for person in participants:
        for name in sorted(person.annotator_ids):
            folded = same_annotator(name)
            if folded in written:
                continue
            most = 1 if len(folded) < SHORT_ID else 2
            near = (other for other in unclaimed if _is_near(folded, other, most))
            found.append(UnmatchedId(name, person.pseudonym, tuple(written[one] for one in near)))
    return tuple(found)


def explain_unmatched(found: Sequence[UnmatchedId]) -> list[str]:
    """Say which annotator ids of the roster exclude nobody, those with a near one first."""
    lines = [
        f"EXCLUDES NOBODY: annotator id {one.annotator!r} of {one.participant} is in no row of the "
        f"annotators file, which has {' and '.join(map(repr, one.near))} that no participant has; "
        "if they are one person, write it the same in both: they may be asked their own questions"
        for one in found
        if one.near
    ]
    others = [f"{one.annotator!r} ({one.participant})" for one in found if not one.near]
    if others:
        more = f" and {len(others) - NAMED_IDS} more" if len(others) > NAMED_IDS else ""
        which = "annotator id" if len(others) == 1 else "annotator ids"
        named = ", ".join(others[:NAMED_IDS])
        lines.append(
            f"EXCLUDES NOBODY: {which} {named}{more} of the roster, in no row of the annotators "
            "file"
        )
    return lines


def _is_near(one: str, other: str, most: int) -> bool:
    return Levenshtein.distance(one, other, score_cutoff=most) <= most


def excluded_pairs(
    participants: Sequence[Participant],
    annotations: Sequence[Annotation],
    questions: Sequence[Question],
    roles: tuple[str, ...] | None,
    scope: str,
    annotated_images: Mapping[str, str],
) -> frozenset[tuple[str, str]]:
    """Find who may not answer what.

    Parameters
    ----------
    participants : sequence of Participant
        A participant is an annotator by any of their `annotator_ids`, or by their pseudonym.
    annotations : sequence of Annotation
        Parts in keys, of questions inside and outside the sample.
    questions : sequence of Question
        The questions that will be asked.
    roles : tuple of str or None
        The roles that bar a person; None means every role.
    scope : str
        `question` bars the question itself, `image` every question on the same image.
    annotated_images : mapping of str to str
        The image of each annotated question (`sample_id` to `image_name`), for the scope `image`.

    Returns
    -------
    frozenset of (pseudonym, sample_id)
        Only for questions given; empty without annotations.

    Examples
    --------
    >>> people = [Participant("P01", frozenset({"A01"}))]
    >>> asked = [Question("q1", "a.jpg", "c", "?"), Question("q2", "a.jpg", "c", "?")]
    >>> sorted(excluded_pairs(people, [Annotation("q1", "a01", "author")], asked, None, "image",
    ...                       {"q1": "a.jpg"}))
    [('P01', 'q1'), ('P01', 'q2')]
    """
    barring = None if roles is None else {role.casefold() for role in roles}
    pseudonyms: dict[str, set[str]] = defaultdict(set)
    for person in participants:
        for name in (person.pseudonym, *person.annotator_ids):
            pseudonyms[same_annotator(name)].add(person.pseudonym)
    by_image: dict[str, list[str]] = defaultdict(list)
    for question in questions:
        by_image[composed(question.image_name)].append(question.sample_id)
    asked = {composed(question.sample_id): question for question in questions}
    images = {composed(sample_id): name for sample_id, name in annotated_images.items()}
    pairs: set[tuple[str, str]] = set()
    for annotation in annotations:
        people = pseudonyms.get(same_annotator(annotation.annotator))
        if not people or (barring is not None and annotation.role.casefold() not in barring):
            continue
        name = composed(annotation.sample_id)
        barred = [asked[name].sample_id] if name in asked else []
        if scope == "image":
            image = images.get(name, asked[name].image_name if name in asked else None)
            barred = [*barred, *by_image.get(composed(image), [])] if image is not None else barred
        pairs.update((person, sample_id) for person in people for sample_id in barred)
    return frozenset(pairs)


@dataclass(frozen=True)
class PlanInputs:
    """The sample, the people, and the pairs (pseudonym, sample_id) that are excluded."""

    questions: tuple[Question, ...]
    participants: tuple[Participant, ...]
    excluded: frozenset[tuple[str, str]]


def read_plan_inputs(study: StudyFolder) -> PlanInputs:
    """Read a study's sample and roster, and work out the exclusions of `[assignment]`."""
    if not study.questions_file.exists():
        raise StudyError("sample/questions.jsonl: not found; draw the sample with `lontar sample`")
    questions = read_questions(study.questions_file)
    participants = read_roster(study.roster_file)
    return PlanInputs(questions, participants, find_excluded(study, questions, participants))


def exclusion_notes(study: StudyFolder, inputs: PlanInputs) -> list[str]:
    """Say which annotator ids exclude nobody, or that the annotators file as a whole does not."""
    if study.annotators_file is None:
        return []
    unmatched = unmatched_ids(inputs.participants, read_annotators(study.annotators_file))
    notes = [f"note: {line}" for line in explain_unmatched(unmatched)]
    if inputs.excluded:
        return notes
    whole = (
        f"note: {study.annotators_file.name} keeps nobody from any question: no annotator_ids of "
        f"{study.roster_file.name} stand in it beside a question of the sample; "
        "`lontar check` says more"
    )
    return [*notes, whole]


def read_lengths(study: StudyFolder) -> dict[str, int] | None:
    """Read how long each question's reference text is, where `cost = "length"` asks for it.

    For commands on the coordinator's machine only: the server never reads keys.
    """
    if study.definition.assignment.cost == "count":
        return None
    return text_lengths(read_keys(study.keys_file), study.definition.text)


def find_excluded(
    study: StudyFolder, questions: tuple[Question, ...], participants: tuple[Participant, ...]
) -> frozenset[tuple[str, str]]:
    """Find who made, or saw, which key; with the scope `image`, through the whole benchmark."""
    if study.annotators_file is None:
        return frozenset()
    table = study.definition.assignment
    annotations = read_annotators(study.annotators_file)
    images = {question.sample_id: question.image_name for question in questions}
    if table.exclude_scope == "image":
        images |= {
            record.question.sample_id: record.question.image_name
            for record in read_benchmark(study).records
        }
    return excluded_pairs(
        participants, annotations, questions, table.exclude_roles, table.exclude_scope, images
    )
