"""Rule 2 reads what rule 1 read indefensibly; rule 1 stays as it was."""

from __future__ import annotations

from typing import Any

import pytest

from sampling.answers.normalization import Policy, normalize
from sampling.answers.vocabularies import AnswerFormat, Vocabulary
from sampling.study.definition import TextTable

CASES = [
    ("single", ("5", "10"), "-5", "5", None),
    ("single", ("C", "D"), "C#", "C", None),
    ("single", ("<10 %", ">10 %"), "The damage is <10 %.", ">10 %", "<10 %"),
    ("single", ("A", "A+"), "The grade is A.", "A+", "A"),
    ("single", ("Khmer", "Tamil"), "Khmer is ruled out.", "Khmer", None),
    ("single", ("Khmer", "Tamil"), "<think>Tamil?</think>Khmer", None, "Khmer"),
    ("single", ("Khmer", "Tamil"), "<think>Tamil, or", "Tamil", None),
    ("binary", ("yes", "no"), "The answer is yes.", None, "yes"),
    ("binary", ("yes", "no"), "I have no idea", None, None),
    ("count", (), "one hundred lines", 1, None),
    ("count", (), "two dozen", 2, None),
    ("count", (), "The answer is $5$.", None, 5),
    ("multi", ("cracks",), "```\ncracks\n```", ("```", "cracks"), ("cracks",)),
    # What a "not" covers is not guessed: whoever names two things or denies one is not rescued.
    ("single", ("Khmer", "Javanese"), "Khmer, not Javanese", None, None),
    ("single", ("Khmer", "Tamil"), "Khmer, not Javanese", "Khmer", None),
    ("single", ("Khmer", "Tamil"), "It is Khmer. It is not Javanese.", "Khmer", "Khmer"),
    ("multi", ("cracks",), "Cracks are absent.", ("cracks",), ("cracks are absent",)),
]


@pytest.mark.parametrize(("kind", "labels", "raw", "first", "second"), CASES)
def test_each_rule_reads_leniently_as_declared(
    kind: str, labels: tuple[str, ...], raw: str, first: Any, second: Any
) -> None:
    read = [
        normalize(raw, Vocabulary("Q", AnswerFormat(kind), labels, rule=rule), Policy.LENIENT).value
        for rule in (1, 2)
    ]
    assert read == [first, second]


def test_canonical_equivalents_are_one_text_unless_the_study_says_not() -> None:
    text = Vocabulary("Text", AnswerFormat.TEXT)
    exact = TextTable(canonical_equivalence=False)
    for one, other in (("e\u0301", "\u00e9"), ("\u0b95\u200b\u0b9f", "\u0b95\u0b9f")):
        assert normalize(one, text).value == normalize(other, text).value
        strict = [normalize(raw, text, text_rules=exact).value for raw in (one, other)]
        assert strict[0] != strict[1]


def test_a_variant_may_be_a_sequence() -> None:
    rules = TextTable(fold_variants={"ab": "c"})
    text = Vocabulary("Text", AnswerFormat.TEXT)
    assert normalize("xab", text, Policy.LENIENT, rules).value == "xc"
