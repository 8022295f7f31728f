from __future__ import annotations

from sampling.answers.vocabularies import AnswerFormat, Vocabulary
from sampling.study.definition import TextTable
from study_server.participant.receiving import is_correct

TEXT = Vocabulary("Stele", AnswerFormat.TEXT)


def test_a_practice_text_is_as_expected_when_it_is_read_the_same() -> None:
    assert is_correct("山水\n清音", "山水清音。", TEXT, TextTable())
    assert not is_correct("山水", "山水清音。", TEXT, TextTable())


def test_the_rules_are_those_of_the_study() -> None:
    rules = TextTable(ignore_space=False, ignore_punctuation=False)
    assert not is_correct("山水\n清音", "山水清音。", TEXT, rules)
    assert is_correct("山水清音。", "山水清音。", TEXT, rules)


def test_only_an_answer_is_cleaned_of_what_is_no_transcription() -> None:
    assert is_correct("<img>photo</img>山水", "山水", TEXT, TextTable())
    assert not is_correct("山水", "<img>photo</img>山水", TEXT, TextTable())
