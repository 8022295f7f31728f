"""Inputs that once gave wrong numbers without a word: each is an error, or read as it was meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from sampling.answers.key_checks import key_fault
from sampling.answers.normalization import normalize_reference
from sampling.answers.vocabularies import AnswerFormat, Vocabulary
from sampling.assignment.inputs import excluded_pairs, explain_unmatched, unmatched_ids
from sampling.assignment.roster import Participant
from sampling.benchmark.annotators import Annotation
from sampling.study.definition import BenchmarkTable
from sampling.study.errors import Problems, StudyError
from sampling.study.questions import Question
from sampling.tables.field_mapping import FieldMapping
from sampling.tables.row_files import read_rows


def mapping(question: str) -> FieldMapping:
    table = BenchmarkTable(
        questions=("q.jsonl",), vocabularies="v.json", fields={"question_en": question}
    )
    return FieldMapping(table, Path("q.jsonl"))


def test_a_list_of_reference_texts_is_no_key() -> None:
    vocabulary = Vocabulary("t", AnswerFormat.TEXT)
    answer = ["11:28", "11:28 am"]
    fault = key_fault(answer, normalize_reference(answer, vocabulary), vocabulary)
    assert fault is not None
    assert "several right answers are not supported yet" in fault


@pytest.mark.parametrize("choices", [["Boulder", "Denver"], "['Boulder', 'Denver']"])
def test_an_element_of_a_list_is_shown_by_its_position(choices: object) -> None:
    asked = mapping("{question}\nA. {choices.0}\nB. {choices.1}\nC. {choices.2}")
    row = {"question": "Capital?", "choices": choices}
    assert asked.apply(row)["question_en"] == "Capital?\nA. Boulder\nB. Denver"
    assert asked.absent_options(row) == ("C",)


@pytest.mark.parametrize("hole", ["choices", "choices.-1", "choices.first", "meta", "question.0"])
def test_what_has_no_text_of_its_own_is_never_shown(hole: str) -> None:
    row = {"question": "Capital?", "choices": ["Lima", "Oslo"], "meta": {"a": 1}}
    with pytest.raises(StudyError):
        mapping(f"{{question}}\n{{{hole}}}").apply(row)


@pytest.mark.parametrize("empty", [None, float("nan"), "", " "])
def test_an_empty_option_is_no_line_of_the_question(empty: object) -> None:
    asked = mapping("{question}\nA. {choiceA}\nB. {choiceB}")
    row = {"question": "How many?", "choiceA": "None", "choiceB": empty}
    assert asked.apply(row)["question_en"] == "How many?\nA. None"
    assert asked.absent_options(row) == ("B",)
    assert mapping("{choiceA}\n{choiceB}").absent_options(row) == ()


def test_an_object_of_records_is_a_list_of_them(tmp_path: Path) -> None:
    file = tmp_path / "q.json"
    file.write_text('{"1": {"question": "x"}, "2": {"id": "b"}}', encoding="utf-8")
    rows = read_rows(file, Problems()).rows
    assert [row for _, row in rows] == [{"sample_id": "1", "question": "x"}, {"id": "b"}]


def test_two_stray_quotes_do_not_hide_each_other(tmp_path: Path) -> None:
    file = tmp_path / "q.csv"
    file.write_text('id,q\n1,a\n2,"b\n3,c\n4,d "5 wide?"\n5,e\n', encoding="utf-8")
    problems = Problems()
    read_rows(file, problems)
    with pytest.raises(StudyError, match=r"q\.csv line 3: goes on to line 5 by a quote"):
        problems.raise_if_any()


@pytest.mark.parametrize("pasted", ["Anna\u200b", "\ufeffanna", "AN\u00a0NA", "Ａnna"])
def test_what_looks_like_an_annotator_is_that_annotator(pasted: str) -> None:
    people = [Participant("P01", frozenset({pasted}))]
    keys = [Annotation("q1", "Anna", "author")]
    asked = [Question("q1", "a.jpg", "c", "?")]
    assert excluded_pairs(people, keys, asked, None, "question", {}) == {("P01", "q1")}
    assert unmatched_ids(people, keys) == ()


def test_an_id_that_excludes_nobody_is_named_with_the_nearest() -> None:
    people = [Participant("P03", frozenset({"Citra2"})), Participant("P04", frozenset({"Zed"}))]
    keys = [Annotation("q1", "Citra", "author")]
    near, far = explain_unmatched(unmatched_ids(people, keys))
    assert near.startswith("EXCLUDES NOBODY: annotator id 'Citra2' of P03")
    assert "'Citra'" in near
    assert "'Zed' (P04)" in far


def test_an_annotator_of_another_participant_is_not_near() -> None:
    people = [Participant("P1", frozenset({"A01"})), Participant("P2", frozenset({"A02"}))]
    (one,) = unmatched_ids(people, [Annotation("q1", "A01", "author")])
    assert one.near == ()


@pytest.mark.parametrize(
    ("pattern", "shown"),
    [
        ("{q} A. {a} B. {b} C. {c}", "Why? A. x C. z"),
        ("{q}\n(A) {a} (B) {b}", "Why?\n(A) x"),
        ("{q}\nA. {b}; B. {c}", "Why?\nB. z"),
        ("{q}\nOptions: A. {b} B. {b}", "Why?"),
        ("{q}\nA. {a}, B. {b}", "Why?\nA. x"),
    ],
)
def test_an_empty_option_among_others_on_a_line_goes_with_its_letter(
    pattern: str, shown: str
) -> None:
    row = {"q": "Why?", "a": "x", "b": " ", "c": "z"}
    assert mapping(pattern).apply(row)["question_en"] == shown


def test_a_backslash_and_an_n_are_a_line_break_or_an_error() -> None:
    row = {"question": "Why?", "a": "x", "b": None}
    asked = mapping(r"{question}\nA. {a}\nB. {b}")
    assert asked.apply(row)["question_en"] == "Why?\nA. x"
    assert asked.absent_options(row) == ("B",)
    with pytest.raises(StudyError, match="backslash and an n"):
        mapping(r"{question} $\nabla$ {a}").apply(row)


def test_an_image_in_the_folder_itself_has_one_name() -> None:
    assert mapping("{question}").apply({"image": "./a/x.png"})["image_name"] == "a/x.png"
