"""Answers given by somebody who had a part in the keys, by the study's rule and by wider ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from analysis.scoring.question_index import read_question_index
from analysis.scoring.scored import ScoredStudy
from sampling.assignment.exclusions import excluded_pairs
from sampling.assignment.participants import Participant, same_identity
from sampling.assignment.roster import read_roster
from sampling.benchmark.annotators import Annotation, read_annotators
from sampling.benchmark.question_files import read_questions
from sampling.study.definition import AssignmentTable
from sampling.study.folder import StudyFolder
from sampling.study.questions import Question

Answers = frozenset[tuple[str, str]]  # (participant, sample_id)


@dataclass(frozen=True)
class KeyMakers:
    """Which answers came from people who had a part in keys.

    Attributes
    ----------
    forbidden : answers that the study's own rule of exclusion does not allow
    own_question : answers to a question in whose key the person had any part
    own_image : answers to a question about an image to whose keys the person had any part
    team : participants who signed a key of the benchmark, or may have: the roster gives them an
        annotator id
    """

    forbidden: Answers
    own_question: Answers
    own_image: Answers
    team: frozenset[str]


def read_key_makers(study: StudyFolder, scored: ScoredStudy) -> KeyMakers | None:
    """Find who had a part in what; None where the study has no annotators file or no roster."""
    annotators = study.annotators_file
    if annotators is None or not annotators.is_file() or not study.roster_file.is_file():
        return None
    benchmark = read_question_index(study).questions
    responses = scored.responses
    return key_makers(
        zip(responses["participant"], responses["sample_id"], strict=True),
        read_roster(study.roster_file),
        read_annotators(annotators),
        read_questions(study.questions_file),
        {question.sample_id: question.image_name for question in benchmark},
        study.definition.assignment,
    )


def key_makers(
    given: Iterable[tuple[str, str]],
    roster: Sequence[Participant],
    annotations: Sequence[Annotation],
    questions: Sequence[Question],
    images: Mapping[str, str],
    rule: AssignmentTable,
) -> KeyMakers:
    """Find the answers of people who had a part in keys.

    Parameters
    ----------
    given : (participant, sample_id) of every answer; P01 and p01 are one person
    roster, annotations : who took part, under which annotator ids, and who signed which key
    questions : those of the sample
    images : the image of each question of the benchmark, by `sample_id`
    rule : whose roles bar a person, and from what

    Examples
    --------
    >>> found = key_makers([("P01", "q1"), ("P02", "q1")],
    ...     [Participant("P01", frozenset({"A01"})), Participant("P02")],
    ...     [Annotation("q1", "A01", "reviewer")], [Question("q1", "a.jpg", "c", "?")],
    ...     {"q1": "a.jpg"}, AssignmentTable(exclude_roles=("author",)))
    >>> sorted(found.forbidden), sorted(found.own_question), sorted(found.team)
    ([], [('P01', 'q1')], ['P01'])
    """
    answers = list(given)

    def barred(roles: tuple[str, ...] | None, scope: str) -> Answers:
        pairs = {
            (same_identity(name), sample_id)
            for name, sample_id in excluded_pairs(
                roster, annotations, questions, roles, scope, images
            )
        }
        return frozenset(
            (name, sample_id)
            for name, sample_id in answers
            if (same_identity(name), sample_id) in pairs
        )

    signed = {same_identity(annotation.annotator) for annotation in annotations}
    team = {
        same_identity(person.pseudonym)
        for person in roster
        if person.annotator_ids or same_identity(person.pseudonym) in signed
    }
    return KeyMakers(
        forbidden=barred(rule.exclude_roles, rule.exclude_scope),
        own_question=barred(None, "question"),
        own_image=barred(None, "image"),
        team=frozenset(name for name, _ in answers if same_identity(name) in team),
    )


def count_forbidden(study: StudyFolder, scored: ScoredStudy) -> int | None:
    """Count the answers that the exclusion rule forbids; None where nothing can be said."""
    found = read_key_makers(study, scored)
    return None if found is None else len(found.forbidden)
