"""The strict policy, one line a case: what an answer is read as, or that it is not read."""

from __future__ import annotations

import math
from typing import Any

import pytest

from sampling.answers.normalization import (
    EXCLUSIVE,
    NO_ANSWER,
    SEVERAL,
    NormalizedAnswer,
    Policy,
    ScoringStatus,
    normalize,
    normalize_many,
)
from sampling.answers.vocabularies import AnswerFormat, Vocabulary

Vocabularies = dict[str, Vocabulary]

SINGLE = {
    # the same label, however it is written
    "Balinese": "Balinese",
    "  BALINESE \n": "Balinese",
    "“Balinese”": "Balinese",
    "**Balinese**": "Balinese",
    "Balinese.": "Balinese",
    "(Balinese)": "Balinese",
    "Ｂａｌｉｎｅｓｅ": "Balinese",
    "Bali\u200bnese": "Balinese",
    "Bali\u00adnese": "Balinese",
    "Bali\u200dnese": "Balinese",
    "\ufeffBalinese": "Balinese",
    "Balinese\u00a0": "Balinese",
    "Khmer។": "Khmer",
    # aliases, composed and decomposed, with the marks they are written with
    "Kamba_Ramayanam": "Kambaramayanam",
    "KAMBARĀMĀYAṆAM": "Kambaramayanam",
    "Kambara\u0304ma\u0304yan\u0323am": "Kambaramayanam",
    # repeats
    "Balinese, balinese": "Balinese",
    "Balinese and Balinese": "Balinese",
    "Balinese/Balinese": "Balinese",
    # transport
    '{"answer": "Balinese"}': "Balinese",
    '{"answer": ["Balinese"]}': "Balinese",
    '{"answer": "{\\"answer\\": \\"Balinese\\"}"}': "Balinese",
    '```json\n{"answer": "Balinese"}\n```': "Balinese",
    '```\n"Balinese"\n```': "Balinese",
    "```\nBalinese\n```": "Balinese",
    "`Balinese`": "Balinese",
    "<think>Tamil?</think> Balinese": "Balinese",
    '["Balinese"]': "Balinese",
    "['Balinese']": "Balinese",
}
NOT_SINGLE = [
    *("", "   ", "...", "unknown", "A", "1", "null", "I cannot tell", "Balinese script"),
    *("not Balinese", "Balinese²", "<Balinese>", "Bal inese", "Tamils", "Tаmil"),
    *("Kambarāmayanam", "Balinese or Sundanese", "Balinese (not Tamil)", "Balinese, unknown"),
    *('{"answer": "Balinese"', '{"script": "Balinese"}', '{"answer": null}', '{"answer": ""}'),
    *('{"answer": "Tamil", "answer": "Balinese"}', "Answer: Balinese"),
]


@pytest.mark.parametrize(("raw", "label"), SINGLE.items())
def test_a_single_label_is_found_however_it_is_written(
    vocabularies: Vocabularies, raw: str, label: str
) -> None:
    assert normalize(raw, vocabularies["script"]) == NormalizedAnswer(ScoringStatus.VALID, label)


@pytest.mark.parametrize("raw", NOT_SINGLE)
def test_what_is_no_single_label_is_invalid(vocabularies: Vocabularies, raw: str) -> None:
    assert normalize(raw, vocabularies["script"]).status is ScoringStatus.INVALID


@pytest.mark.parametrize("raw", ["Balinese, Sundanese", ["Balinese", "Tamil"], "Khmer/Tamil"])
def test_two_labels_on_a_single_question_are_invalid(vocabularies: Vocabularies, raw: Any) -> None:
    assert normalize(raw, vocabularies["script"]).reason == SEVERAL


@pytest.mark.parametrize("raw", ["None", "none", "NONE.", ["None"]])
def test_none_can_be_a_label(vocabularies: Vocabularies, raw: Any) -> None:
    assert normalize(raw, vocabularies["symbol"]).value == "None"


@pytest.mark.parametrize("raw", ["0", 0, False, "null", "NA", None, math.nan])
def test_nothing_else_is_read_as_the_label_none(vocabularies: Vocabularies, raw: Any) -> None:
    assert normalize(raw, vocabularies["symbol"]).status is ScoringStatus.INVALID


BINARY = {
    "Yes": "yes",
    "NO.": "no",
    "'no'": "no",
    "yes, yes": "yes",
    "y": "yes",
    "TRUE": "yes",
    '{"answer": true}': "yes",
    '{"answer": "true"}': "yes",
}
NOT_BINARY = [
    *("1", "0", "yeah", "nope", "n", "N/A", "maybe", "not visible", "know", "none", "no hole"),
    *(
        "yes/no",
        "yes and no",
        "Yes, there are two.",
        "There is no crack, yes it is intact",
        "false",
    ),
]


@pytest.mark.parametrize(("raw", "label"), BINARY.items())
def test_yes_and_no_are_found(vocabularies: Vocabularies, raw: str, label: str) -> None:
    assert normalize(raw, vocabularies["yesno"]).value == label


@pytest.mark.parametrize("raw", NOT_BINARY)
def test_no_other_word_means_yes_or_no(vocabularies: Vocabularies, raw: str) -> None:
    assert normalize(raw, vocabularies["yesno"]).status is ScoringStatus.INVALID


def test_json_booleans_mean_yes_and_no_but_their_words_need_an_alias(
    vocabularies: Vocabularies,
) -> None:
    read = [normalize(raw, vocabularies["plain"]).value for raw in (True, False, "true", "y", 1)]
    assert read == ["yes", "no", None, None, None]


def test_json_booleans_are_labels_where_the_labels_are_true_and_false(
    vocabularies: Vocabularies,
) -> None:
    assert [normalize(raw, vocabularies["truth"]).value for raw in (True, False)] == [
        "true",
        "false",
    ]


COUNTS: dict[Any, int] = {
    "5": 5,
    "5.": 5,
    "“5”": 5,
    "**5**": 5,
    "05": 5,
    "007": 7,
    "5 lines": 5,
    "5 LINE.": 5,
    "five": 5,
    "Five lines.": 5,
    "zero": 0,
    "twenty": 20,
    "5.0": 5,
    "1,005": 1005,
    "1，005": 1005,
    "៥": 5,  # Khmer
    "௫": 5,  # Tamil
    "᭕": 5,  # Balinese
    "೫ lines": 5,  # Kannada
    "５": 5,  # full width
    "5\u200b": 5,
    5: 5,
    '{"answer": 5}': 5,
    '{"answer": "5 lines"}': 5,
    "[5]": 5,
    "99": 99,  # above the maximum: valid, and wrong
}
NOT_COUNTS = [
    *("", "3-4", "3–4 lines", "3 to 4", "5 or 6", "5, 6", "[5, 6]", "about 5", "~5", "≈5", "5+"),
    *("<5", ">5", "≥5", "+5", "-5", "−5", "–5", "(-5)", "- 5", "-0", "5²", "5₂", "½", "5½", "⑤"),
    *("௰", "Ⅴ", "V", "五", "〇", "7:30", "1_0", "1e1", "0x5", "nan", "inf", "none", "5.5", "5,5"),
    *("1,00", "0,005", "1 005", "1.005", ".5", "5%", "5/8", "#5.5", "twenty-one", "a dozen"),
    *("no lines", "5 text lines", "lines: 5", "5th", "5x", "9" * 5000, True, -5, 5.5, math.inf),
]


@pytest.mark.parametrize(("raw", "number"), COUNTS.items())
def test_one_whole_number_is_read_in_any_decimal_digits(
    vocabularies: Vocabularies, raw: Any, number: int
) -> None:
    assert normalize(raw, vocabularies["count"]) == NormalizedAnswer(ScoringStatus.VALID, number)


def test_a_number_with_an_empty_fraction_is_a_count(vocabularies: Vocabularies) -> None:
    assert normalize(5.0, vocabularies["count"]).value == 5


@pytest.mark.parametrize("raw", NOT_COUNTS, ids=lambda raw: repr(raw)[:30])
def test_what_is_not_one_whole_number_is_invalid(vocabularies: Vocabularies, raw: Any) -> None:
    assert normalize(raw, vocabularies["count"]).status is ScoringStatus.INVALID


SETS: dict[str, tuple[str, ...]] = {
    "crack": ("crack",),
    "Crack; STAIN": ("crack", "stain"),
    "stain, crack, crack": ("crack", "stain"),
    "crack，stain": ("crack", "stain"),
    "crack、stain": ("crack", "stain"),
    "crack\r\nstain": ("crack", "stain"),
    "crack and stain": ("crack", "stain"),
    "crack, stain, and fading": ("crack", "fading", "stain"),
    "crack/stain": ("crack", "stain"),
    "- crack\n- stain": ("crack", "stain"),
    "• crack\n• stain": ("crack", "stain"),
    "['crack', 'stain']": ("crack", "stain"),
    '["crack", "stain"]': ("crack", "stain"),
    '{"answer": ["crack", "stain"]}': ("crack", "stain"),
    '{"answer": "crack, stain"}': ("crack", "stain"),
    "Broken-edge": ("broken edge",),
    "None": ("none",),
    "[]": (),
    '{"answer": []}': (),
}
OUTSIDE: dict[str, tuple[str, ...]] = {
    "rust": ("rust",),
    "crack, rust": ("crack", "rust"),
    "cracks": ("cracks",),
    "no crack, stain": ("no crack", "stain"),
    "1. crack\n2. stain": ("1. crack", "2. stain"),
    "crack stain": ("crack stain",),
    "crack & stain": ("crack & stain",),
    "crack and rust": ("crack and rust",),
    "crack/rust": ("crack/rust",),
    "all of the above": ("all of the above",),
    '{"labels": ["crack"]}': ('labels": ["crack',),
}


@pytest.mark.parametrize(("raw", "labels"), SETS.items())
def test_labels_are_separated(
    vocabularies: Vocabularies, raw: str, labels: tuple[str, ...]
) -> None:
    found = normalize(raw, vocabularies["condition"])
    assert (found.status, found.value) == (ScoringStatus.VALID, labels)


@pytest.mark.parametrize(("raw", "labels"), OUTSIDE.items())
def test_labels_outside_the_vocabulary_are_kept(
    vocabularies: Vocabularies, raw: str, labels: tuple[str, ...]
) -> None:
    found = normalize(raw, vocabularies["condition"])
    assert (found.status, found.value) == (ScoringStatus.VALID_OOV, labels)


@pytest.mark.parametrize("raw", ["", "  ", "-", "...", None, [""], [None], '{"answer": ""}'])
def test_a_blank_is_no_answer_while_an_empty_list_is_one(
    vocabularies: Vocabularies, raw: Any
) -> None:
    assert normalize(raw, vocabularies["condition"]).reason == NO_ANSWER
    assert normalize([], vocabularies["condition"]).value == ()


def test_lists_may_hold_nothing_and_other_things(vocabularies: Vocabularies) -> None:
    raws: list[Any] = [["crack", None, ""], ["crack", ["stain"]], ("stain", "crack"), ["crack", 3]]
    assert [normalize(raw, vocabularies["condition"]).value for raw in raws] == [
        ("crack",),
        ("crack", "stain"),
        ("crack", "stain"),
        ("3", "crack"),
    ]


def test_an_exclusive_label_beside_others_is_scored_literally_and_flagged(
    vocabularies: Vocabularies,
) -> None:
    assert normalize(["none", "crack"], vocabularies["condition"]) == NormalizedAnswer(
        ScoringStatus.VALID, ("crack", "none"), note=EXCLUSIVE
    )


TRAPS: dict[str, tuple[str, ...]] = {
    "NA, nan, None": ("NA", "None", "nan"),
    "007; 1e5": ("007", "1e5"),
    "Don't know <5 & >2": ("Don't know <5 & >2",),
    "C#, F#, None": ("C#, F#", "None"),
    "faded, uneven ink, oil": ("faded, uneven ink", "oil"),
    "oil/wax": ("oil/wax",),
    "wax/oil": ("oil", "wax"),
    "oil/wax and black and white": ("black and white", "oil/wax"),
    "no hole": ("no hole",),
    "[1, 2]": ("[1, 2]",),
    "?": ("?",),
    "m²": ("m²",),
}


@pytest.mark.parametrize(("raw", "labels"), TRAPS.items())
def test_the_longest_label_is_taken_whatever_its_characters(
    vocabularies: Vocabularies, raw: str, labels: tuple[str, ...]
) -> None:
    found = normalize(raw, vocabularies["traps"])
    assert (found.status, found.value) == (ScoringStatus.VALID, labels)


def test_what_participants_choose_is_always_valid(vocabularies: Vocabularies) -> None:
    for vocabulary in vocabularies.values():
        for label in vocabulary.labels:
            raw = [label] if vocabulary.format is AnswerFormat.MULTI else label
            found = normalize(raw, vocabulary)
            assert (found.status, found.value) == (
                ScoringStatus.VALID,
                (label,) if isinstance(raw, list) else label,
            )


def test_a_million_rows_are_read_by_their_distinct_answers(vocabularies: Vocabularies) -> None:
    raws: list[Any] = [1, True, "1", 1.0, ["1"], "1"]
    found = normalize_many((raw, vocabularies["count"]) for raw in raws)
    assert [answer.value for answer in found] == [1, None, 1, 1, 1, 1]


@pytest.mark.parametrize("raw", ["[" * 5000, "{" * 5000, '{"answer":' * 3000, object(), b"yes"])
def test_nothing_a_model_says_makes_the_reader_fail(vocabularies: Vocabularies, raw: Any) -> None:
    for vocabulary in vocabularies.values():
        for policy in Policy:
            normalize(raw, vocabulary, policy)


def test_a_label_that_is_a_number_survives_a_table_of_floats() -> None:
    scale = Vocabulary("scale", AnswerFormat.SINGLE, ("1", "2", "10", "2.5"))
    found = [normalize(raw, scale).value for raw in (2.0, 10.0, 10, 2.5, 3.0, "2.0")]
    assert found == ["2", "10", "10", "2.5", None, None]  # a text is never read as a number
