"""Roster, annotators and exclusions: who may not answer what, and every fault of their files."""

from __future__ import annotations

from pathlib import Path

import pytest

from sampling.assignment.inputs import excluded_pairs
from sampling.assignment.roster import Participant, read_roster
from sampling.benchmark.annotators import Annotation, read_annotators
from sampling.study.errors import StudyError
from sampling.study.questions import Question


def written(folder: Path, text: str) -> Path:
    path = folder / "people.csv"
    path.write_bytes(text.encode())
    return path


def test_a_roster_is_read_with_ids_and_quotas(tmp_path: Path) -> None:
    text = "\ufeffparticipant,annotator_ids,quota\r\nP01,A01; A02 ,\r\n P02 ,,96\r\n\r\n"
    assert read_roster(written(tmp_path, text)) == (
        Participant("P01", frozenset({"A01", "A02"}), None),
        Participant("P02", frozenset(), 96),
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("participant,annotator_ids\n", "no participants; write the header"),
        ("", "empty; its first line must name the columns"),
        ("name,annotator_ids\nP1,\n", "no column 'participant'; it has name, annotator_ids"),
        ("participant,annotator_ids\nP1,\n p1 ,\n", "line 3: 'p1' appears twice (also people.csv"),
        ("participant,annotator_ids\n,A1\n", "line 2: has no 'participant'"),
        ("participant,annotator_ids,quota\nP1,,many\n", "line 2: quota 'many' must be a whole"),
        (
            "participant,annotator_ids,qouta\nP1,,4\n",
            "unknown column 'qouta' (did you mean 'quota'",
        ),
        ("participant,email\nP1,a@b\n", "unknown column 'email'; the roster holds pseudonyms only"),
        ("participant\nLi <l@x.org>\n", "line 2: 'Li <l@x.org>' looks like an e-mail address"),
        ("participant\nl@x.org\n", "the roster holds pseudonyms only, such as P01"),
        ("participant,annotator_ids\nP1,A1\nP2,a1\n", "annotator id 'a1' belongs to 'P1' already"),
    ],
)
def test_a_fault_of_a_roster_is_named(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(StudyError) as caught:
        read_roster(written(tmp_path, text))
    assert said in str(caught.value)


def test_a_missing_roster_is_named(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match=r"people\.csv: not found in"):
        read_roster(tmp_path / "people.csv")
    with pytest.raises(StudyError, match="is a folder, not a file"):
        read_roster(tmp_path)


def test_annotators_are_read_and_may_be_none(tmp_path: Path) -> None:
    text = "sample_id,annotator,role\nq1,A01,author\n"
    assert read_annotators(written(tmp_path, text)) == (Annotation("q1", "A01", "author"),)
    assert read_annotators(written(tmp_path, "sample_id,annotator,role\n")) == ()


def test_a_fault_of_an_annotators_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match=r"no column 'annotator' \(did you mean 'anotator'\?\)"):
        read_annotators(written(tmp_path, "sample_id,anotator,role\nq1,A01,author\n"))
    with pytest.raises(StudyError, match=r"people\.csv line 2: has no 'role'"):
        read_annotators(written(tmp_path, "sample_id,annotator,role\nq1,A01,\n"))


QUESTIONS = [
    Question("q1", "a.jpg", "c", "?"),
    Question("q2", "a.jpg", "c", "?"),
    Question("q3", "b.jpg", "c", "?"),
]
PEOPLE = [Participant("P1", frozenset({"A1"})), Participant("P2", frozenset({"A2", "A3"}))]
ANNOTATIONS = [
    Annotation("q1", "a1 ", "Author"),
    Annotation("q3", "A3", "reviewer"),
    Annotation("q9", "A2", "author"),  # outside the sample, on the image of q3
    Annotation("q2", "A7", "author"),  # nobody on the roster
]
IMAGES = {"q1": "a.jpg", "q2": "a.jpg", "q3": "b.jpg", "q9": "b.jpg"}


def test_every_role_bars_by_default() -> None:
    found = excluded_pairs(PEOPLE, ANNOTATIONS, QUESTIONS, None, "question", IMAGES)
    assert found == {("P1", "q1"), ("P2", "q3")}


def test_only_the_roles_named_bar() -> None:
    found = excluded_pairs(PEOPLE, ANNOTATIONS, QUESTIONS, ("author",), "question", IMAGES)
    assert found == {("P1", "q1")}


def test_by_image_every_question_on_an_annotated_image_is_barred() -> None:
    found = excluded_pairs(PEOPLE, ANNOTATIONS, QUESTIONS, ("author",), "image", IMAGES)
    assert found == {("P1", "q1"), ("P1", "q2"), ("P2", "q3")}


def test_a_pseudonym_that_is_an_annotator_id_bars_too() -> None:
    found = excluded_pairs([Participant("A1")], ANNOTATIONS, QUESTIONS, None, "question", IMAGES)
    assert found == {("A1", "q1")}


@pytest.mark.parametrize("scope", ["question", "image"])
def test_another_unicode_form_of_an_id_bars_all_the_same(scope: str) -> None:
    # `é` as one character and as two: as macOS writes it into names that become ids.
    questions = [Question("caf\u00e9__1", "caf\u00e9.jpg", "Script", "?")]
    annotations = [Annotation("cafe\u0301__1", "A1", "author")]
    images = {"cafe\u0301__1": "cafe\u0301.jpg"}
    people = [Participant("P1", frozenset({"A1"}))]
    found = excluded_pairs(people, annotations, questions, None, scope, images)
    assert found == {("P1", "caf\u00e9__1")}
