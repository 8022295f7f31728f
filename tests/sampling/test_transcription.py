"""How a transcription is read before it is compared, step by step."""

from __future__ import annotations

import pytest

from sampling.answers.normalization import (
    NO_ANSWER,
    Policy,
    ScoringStatus,
    normalize,
    normalize_reference,
)
from sampling.answers.transcription import normalize_transcription, tokenize
from sampling.answers.vocabularies import AnswerFormat, Vocabulary
from sampling.study.definition import TextTable

RULES = TextTable()
TEXT = Vocabulary("Seal", AnswerFormat.TEXT)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("思考……<res>山水\n清音</res>余", "山水清音"),
        ("<res>甲</res><res>乙</res>", "甲"),  # the first only
        ("<res>甲", "<res>甲"),  # an unclosed tag is text
        ("甲<img>photo</img>乙", "甲乙"),
        ("甲<page_number>12\n</page_number>乙</watermark>", "甲乙"),
        ("# 甲 #乙", "甲乙"),
        ("<note>甲</note><ignore>乙</ignore>", "甲乙"),  # the content stays and counts
        ("▢▢▢日〇〇", "▢日〇"),
        ("□□日", "□□日"),  # U+25A1 is not collapsed
        ("天（小注）人，。·—「」【】", "天小注人"),
        ("子=孫=、甲-乙~丙～", "子=孫=、甲-乙~丙～"),  # marks that stay
        ("子＝孫々○◎", "子＝孫々○◎"),  # these are no punctuation
        ("甲\u3000乙\t丙\r\n丁", "甲乙丙丁"),
        ("<UNRECOGNIZABLE>", "<UNRECOGNIZABLE>"),  # case is kept
        ("爲為", "爲為"),  # no variant is folded
        ("Ａ", "Ａ"),  # nor width
        ("", ""),
    ],
)
def test_an_answer_is_read_by_the_rules(written: str, read: str) -> None:
    assert normalize_transcription(written, RULES) == read


def test_a_reference_is_not_cleaned_of_what_only_models_write() -> None:
    written = "<img>甲</img>乙"
    assert normalize_transcription(written, RULES, reference=True) == "<img>甲<img>乙"


def test_special_tokens_are_one_unit_and_code_points_are_another() -> None:
    assert tokenize("甲<unrecognizable>𠀀<undeciphered>", RULES) == (
        *("甲", "<unrecognizable>", "𠀀", "<undeciphered>"),
    )
    assert len(tokenize("甲<space>乙", RULES)) == 9  # an unlisted tag counts by its characters
    assert len("𠀀".encode("utf-16-le")) == 4  # two UTF-16 units, yet one token above


def test_settings_change_the_reading() -> None:
    rules = TextTable(
        ignore_space=False, ignore_punctuation=False, ignore_case=True, extract_tag=None
    )
    assert normalize_transcription("<res>A，b c</res>", rules) == "<res>a，b c</res>"


def test_khmer_keeps_its_marks_and_loses_its_stops() -> None:
    assert normalize_transcription("ថារ មូសារ។ ៧ ថ្ងៃ្យ", RULES) == "ថារមូសារ៧ថ្ងៃ្យ"


@pytest.mark.parametrize("raw", ["甲乙", {"answer": "甲乙"}, '{"answer": "甲\\n乙"}', ["甲", "乙"]])
def test_an_answer_may_be_wrapped(raw: object) -> None:
    assert normalize(raw, TEXT).value == "甲乙"


def test_an_empty_cell_of_a_table_is_no_answer() -> None:
    assert normalize(float("nan"), TEXT).reason == NO_ANSWER


def test_a_text_in_brackets_is_no_list() -> None:
    assert normalize("[1]", TEXT).value == "1"


def test_nothing_legible_is_an_answer_while_none_is_missing() -> None:
    assert normalize("", TEXT).status is ScoringStatus.VALID
    assert normalize(None, TEXT).reason == NO_ANSWER
    assert normalize('{"answer": null}', TEXT).reason == NO_ANSWER


def test_the_lenient_reading_is_the_protocols() -> None:
    rules = TextTable(fold_variants={"爲": "為"})
    assert normalize("□□爲", TEXT, Policy.LENIENT, rules).value == "□為"
    assert normalize_reference("□爲", TEXT, Policy.LENIENT, rules).value == "□為"
    assert normalize("□□爲", TEXT, Policy.STRICT, rules).value == "□□爲"
