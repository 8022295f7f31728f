"""Who had a part in the keys is found by any of their names, in any role, for every reach."""

from __future__ import annotations

from analysis.table11.multiverse import KeyMakers, key_makers
from sampling.assignment.roster import Participant
from sampling.benchmark.annotators import Annotation
from sampling.study.definition import AssignmentTable
from sampling.study.questions import Question

ROSTER = [Participant("P01", frozenset({"A01"})), Participant("P02"), Participant("P03")]
QUESTIONS = [Question(f"q{n}", image, "c", "?") for n, image in ((1, "a"), (2, "a"), (3, "b"))]
IMAGES = {"q1": "a", "q2": "a", "q3": "b", "outside": "b"}
ANNOTATIONS = [
    Annotation("q1", "a01", "author"),
    Annotation("outside", "A01", "reviewer"),
    Annotation("q3", "P03", "reviewer"),
]


def found(rule: AssignmentTable) -> KeyMakers:
    given = [("p01", "q1"), ("p01", "q2"), ("p01", "q3"), ("P02", "q1"), ("P03", "q3")]
    return key_makers(given, ROSTER, ANNOTATIONS, QUESTIONS, IMAGES, rule)


def test_the_rule_of_the_study_says_what_was_forbidden() -> None:
    of_authors = AssignmentTable(exclude_roles=("author",), exclude_scope="question")
    assert found(of_authors).forbidden == {("p01", "q1")}
    of_images = AssignmentTable(exclude_roles=("author",), exclude_scope="image")
    assert found(of_images).forbidden == {("p01", "q1"), ("p01", "q2")}


def test_wider_rules_take_every_role_and_every_question_of_the_image() -> None:
    wide = found(AssignmentTable(exclude_roles=("author",)))
    assert wide.own_question == {("p01", "q1"), ("P03", "q3")}
    # The key outside the sample is to an image of the sample.
    assert wide.own_image == wide.own_question | {("p01", "q2"), ("p01", "q3")}


def test_the_team_are_those_with_an_annotator_id_and_those_who_signed_a_key() -> None:
    assert found(AssignmentTable()).team == {"p01", "P03"}
