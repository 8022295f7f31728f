"""The multiverse: Table 11's exact match and gaps under every defensible choice of exclusion.

Answers given by somebody who had a part in the keys, by the study's rule and by wider ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import pandas as pd

from analysis.scoring.answer_order import answer_order
from analysis.scoring.basis import read_question_index
from analysis.scoring.exact import percent_or_empty
from analysis.scoring.scored import ScoredStudy
from analysis.table11.table11 import Measure, mean_of, measures_of
from sampling.assignment.inputs import excluded_pairs
from sampling.assignment.roster import Participant, read_roster, same_identity
from sampling.benchmark.annotators import Annotation, read_annotators
from sampling.benchmark.question_files import read_questions
from sampling.study.definition import AssignmentTable, StudyDefinition
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


FIRST_POSITIONS = 5
ALL_RESPONSES, LENIENT = "all responses (the headline)", "lenient scoring"
CONSISTENT = "protocol-consistent scoring"
NO_EXCLUSION = (ALL_RESPONSES, LENIENT, CONSISTENT)  # choices that leave nothing out
WITHOUT_TEAM = "without participants who have an annotator id (the benchmark's team)"


@dataclass(frozen=True)
class Choice:
    """One way to analyse: what was left out, what is left, and what comes out.

    `mean` is people's exact match (normalised edit similarity in a text study); `gaps` maps a
    model to the difference on the questions that both answered, None where there are none.
    """

    name: str
    responses: int
    questions: int
    mean: Fraction | None
    gaps: Mapping[str, Fraction | None]


def multiverse(
    scored: ScoredStudy, definition: StudyDefinition, makers: KeyMakers | None = None
) -> list[Choice]:
    """Compute the headline under each choice, the one of Table 11 first.

    Parameters
    ----------
    scored : ScoredStudy
    definition : says how many responses make a question complete, and which answers are too fast
    makers : who had a part in keys, where the study's files tell

    Returns
    -------
    list of Choice
        A choice that leaves nothing out, or everything, is not listed; nor is one that leaves out
        the same answers as another before it.
    """
    people = scored.responses
    headline = measures_of(scored.questions)[0]
    lenient = replace(headline, column=f"lenient_{headline.column}")
    choices = [
        _choice(ALL_RESPONSES, people, scored, headline),
        _choice(
            CONSISTENT if headline.macro else LENIENT,
            people,
            scored,
            lenient,
        ),
    ]
    known: set[bytes] = set()
    for name, kept in _subsets(people, definition, makers):
        answers = people.index.isin(kept.index).tobytes()
        if 0 < len(kept) < len(people) and answers not in known:
            choices.append(_choice(name, kept, scored, headline))
        known.add(answers)
    return choices


def multiverse_rows(choices: Sequence[Choice]) -> list[dict[str, str]]:
    """Lay the choices out for `multiverse.csv`: one row a choice and model."""
    return [
        {
            "choice": choice.name,
            "n": str(choice.responses),
            "n_questions": str(choice.questions),
            "human": percent_or_empty(choice.mean),
            "model": model,
            "gap": percent_or_empty(gap),
        }
        for choice in choices
        for model, gap in (choice.gaps or {"": None}).items()
    ]


def _subsets(
    people: pd.DataFrame, definition: StudyDefinition, makers: KeyMakers | None
) -> Iterator[tuple[str, pd.DataFrame]]:
    responses_per_question = definition.assignment.responses_per_question
    too_fast_seconds = definition.server.too_fast_seconds
    sizes = people.groupby("sample_id")["participant"].transform("size")
    yield (
        f"only questions with {responses_per_question} responses",
        people[sizes == responses_per_question],
    )
    fast = people["active_seconds"] < too_fast_seconds
    yield f"without answers under {too_fast_seconds:g} s", people[~fast]
    order = answer_order(people, definition.assignment.questions_per_session)
    yield (
        f"without each person's first {FIRST_POSITIONS} answers",
        people[~(order.position <= FIRST_POSITIONS)],
    )
    if makers is not None:
        yield from _without_key_makers(people, makers)
    for participant in sorted(set(people["participant"])):
        yield f"without {participant}", people[people["participant"] != participant]


def _without_key_makers(
    people: pd.DataFrame, makers: KeyMakers
) -> Iterator[tuple[str, pd.DataFrame]]:
    """Leave out answers of those who had a part in keys, by the rule and by wider ones."""
    pairs = pd.Series(
        list(zip(people["participant"], people["sample_id"], strict=True)), index=people.index
    )
    for name, answers in (
        ("without answers that the rule of exclusion forbids", makers.forbidden),
        ("without answers to a question whose key the person had a part in", makers.own_question),
        ("without answers about an image whose keys the person had a part in", makers.own_image),
    ):
        yield name, people[~pairs.isin(answers)]
    yield (
        WITHOUT_TEAM,
        people[~people["participant"].isin(makers.team)],
    )


def _choice(name: str, people: pd.DataFrame, scored: ScoredStudy, measure: Measure) -> Choice:
    categories = scored.questions["category"]
    gaps = {}
    for model, predictions in scored.predictions.items():
        shared = set(people["sample_id"]) & set(predictions["sample_id"])
        human = mean_of(people[people["sample_id"].isin(shared)], measure, categories)
        machine = mean_of(predictions[predictions["sample_id"].isin(shared)], measure, categories)
        gaps[model] = None if human is None or machine is None else human - machine
    mean = mean_of(people, measure, categories)
    return Choice(name, len(people), people["sample_id"].nunique(), mean, gaps)
