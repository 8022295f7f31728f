"""Transcription scores against values that another implementation of the same rules gave."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.scoring.scores import (
    TranscriptionScore,
    edit_similarity,
    macro_mean,
    score_transcription,
)
from sampling.answers.normalization import Policy, normalize, normalize_reference
from sampling.answers.vocabularies import AnswerFormat, Vocabulary
from sampling.study.definition import TextTable

RULES = TextTable()
TEXT = Vocabulary("Seal", AnswerFormat.TEXT)


def scored(
    key: str, answer: object, policy: Policy = Policy.STRICT, rules: TextTable = RULES
) -> TranscriptionScore:
    return score_transcription(
        normalize(answer, TEXT, policy, rules),
        normalize_reference(key, TEXT, policy, rules),
        rules,
    )


GOLDEN = [
    # 20 reference tokens, 16 of them written: 1 − 4/20, and 2·16/36
    (
        "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉",
        "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳",
        "0.800000",
        "0.888889",
    ),
    # 13 and 11: 1 − 2/13, and 22/24
    ("甲乙丙丁戊己庚辛壬癸子丑寅", "甲乙丙丁戊己庚辛壬癸子", "0.846154", "0.916667"),
    ("甲乙\n丙丁", "甲\n乙丙\n丁\n", "1.000000", "1.000000"),  # line breaks never count
    ("□□□日", "□日", "0.500000", "0.666667"),
    ("▢▢▢日", "▢日", "1.000000", "1.000000"),
    ("□日", "▢日", "0.500000", "0.500000"),
    ("<ignore>卷一</ignore>天地", "天地", "0.500000", "0.666667"),
    ("甲<unrecognizable>乙", "甲乙", "0.666667", "0.800000"),
    ("甲<unrecognizable>乙", "甲<unrec>乙", "0.222222", "0.333333"),
    ("甲<space>乙", "甲乙", "0.222222", "0.363636"),
    ("子＝孫", "子=孫", "0.666667", "0.666667"),
    ("爲", "為", "0.000000", "0.000000"),
    ("甲乙丙丁", "丁丙乙甲", "0.000000", "1.000000"),
    ("天（小注）人", "天小注人", "1.000000", "1.000000"),
    ("甲-乙", "甲乙", "0.666667", "0.800000"),
    ("甲—乙", "甲乙", "1.000000", "1.000000"),
    # the three invented items of one medium
    ("山水\n清音", "<res>山水\n清音</res>", "1.000000", "1.000000"),
    ("□年=\n<unrecognizable>記", "思考……<res>□年\n某記</res>", "0.600000", "0.666667"),
    ("<ignore>卷一</ignore>\n天地（小注）人", "天地人", "0.428571", "0.600000"),
    # nothing legible, and no answer at all
    ("甲乙", "", "0.000000", "0.000000"),
    ("甲乙", None, "0.000000", "0.000000"),
]


@pytest.mark.parametrize(("key", "answer", "ned", "char_f1"), GOLDEN)
def test_scores_are_the_benchmarks_to_six_places(
    key: str, answer: object, ned: str, char_f1: str
) -> None:
    found = scored(key, answer)
    assert (f"{float(found.ned):.6f}", f"{float(found.char_f1):.6f}") == (ned, char_f1)


def test_scores_are_exact_fractions() -> None:
    found = scored("甲<unrecognizable>乙", "甲乙")
    assert found == TranscriptionScore(
        ned=Fraction(2, 3), precision=Fraction(1), recall=Fraction(2, 3), char_f1=Fraction(4, 5)
    )


def test_the_protocol_consistent_score_forgives_squares_and_declared_variants() -> None:
    rules = TextTable(fold_variants={"爲": "為", "戶": "户"})
    assert scored("□□□日", "□日", Policy.LENIENT).ned == 1
    assert scored("爲戶", "為户", Policy.LENIENT, rules).ned == 1
    assert scored("爲戶", "為户", Policy.STRICT, rules).ned == 0


def test_the_overall_score_is_the_mean_of_the_media_and_not_of_the_images() -> None:
    # three media of 1, 2 and 5 images: macro (1 + 1/2 + 1/5)/3 = 17/30, micro (1 + 1 + 1)/8 = 3/8
    groups = {
        "seals": [Fraction(1)],
        "stele": [Fraction(1), Fraction(0)],
        "cliff": [Fraction(1), *[Fraction(0)] * 4],
    }
    every = [score for scores in groups.values() for score in scores]
    assert macro_mean(groups) == Fraction(17, 30)
    assert sum(every, Fraction(0)) / len(every) == Fraction(3, 8)


def test_published_category_means_give_the_macro_and_not_the_micro_average() -> None:
    # nine media: (images, rounded mean of a demonstration model)
    media = {
        "oracle": (300, "0.92"),
        "bronze": (250, "0.89"),
        "slip": (300, "0.86"),
        "silk": (300, "0.84"),
        "seal": (350, "0.86"),
        "stele": (300, "0.81"),
        "cliff": (200, "0.88"),
        "editions": (300, "0.77"),
        "calligraphy": (400, "0.81"),
    }
    groups = {name: [Fraction(mean)] * size for name, (size, mean) in media.items()}
    micro = sum((size * Fraction(mean) for size, mean in media.values()), Fraction(0)) / 2700
    # 7.64 / 9 and 2283.5 / 2700
    assert f"{float(macro_mean(groups)):.6f}" == "0.848889"
    assert f"{float(micro):.6f}" == "0.845741"


def test_a_mean_over_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one score"):
        macro_mean({"seals": []})


@given(st.text("甲乙丙□=", max_size=12), st.text("甲乙丙□=", max_size=12))
@settings(max_examples=200, deadline=None)
def test_edit_similarity_is_symmetric_and_one_only_for_equals(first: str, second: str) -> None:
    found = edit_similarity(first, second)
    assert found == edit_similarity(second, first)
    assert 0 <= found <= 1
    assert (found == 1) == (first == second)
