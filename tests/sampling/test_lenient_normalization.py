"""The lenient policy: what it rescues and what it must not."""

from __future__ import annotations

from typing import Any

import pytest

from sampling.answers.normalization import Policy, ScoringStatus, normalize
from sampling.answers.vocabularies import AnswerFormat, Vocabulary

Vocabularies = dict[str, Vocabulary]

RESCUED: list[tuple[str, Any, Any]] = [
    ("script", "The script is Balinese.", "Balinese"),
    ("script", '{"answer": "Balinese"', "Balinese"),
    ("script", "Answer: Kamba Ramayanam", "Kambaramayanam"),
    ("script", "`Balinese`", "Balinese"),
    ("symbol", "None visible", "None"),
    ("yesno", "Yes, there are two binding holes.", "yes"),
    ("yesno", "No: nothing to see", "no"),
    ("count", "about 5", 5),
    ("count", "~5 lines", 5),
    ("count", "≈ 5", 5),
    ("count", "+5", 5),
    ("count", "There are five lines of text", 5),
    ("count", "5 lines, not counting the margin", 5),
    ("count", "lines:៥", 5),
    ("count", "none", 0),
    ("count", "<answer>5</answer>", 5),  # a tag is no inequality
    ("script", "<answer>\n<b>Balinese</b>\n</answer>", "Balinese"),
    ("yesno", "<answer>Yes</answer>", "yes"),
    ("condition", "<answer>crack, stain</answer>", ("crack", "stain")),
    ("condition", "1. crack\n2. stain", ("crack", "stain")),
    ("condition", "(a) crack\n(b) stain", ("crack", "stain")),
    ("condition", "crack stain", ("crack", "stain")),
    ("condition", "visible cracks and stains", ("crack", "stain")),
    ("condition", "Broken edges; a crack", ("broken edge", "crack")),
    ("condition", "I see cracks, rust", ("crack", "rust")),  # rust stays a false positive
    ("traps", "the hole; faded,uneven ink", ("faded, uneven ink", "hole")),
    ("traps", "there is no hole", ("no hole",)),  # the label holds the negation
]
NOT_RESCUED: list[tuple[str, str]] = [
    ("script", "not Balinese"),
    ("script", "I'm not sure, but Balinese"),
    ("script", "Balinese or Sundanese"),
    ("script", "Balinesen"),
    ("script", "A"),
    ("script", "I cannot tell"),
    ("symbol", "There are no symbol marks"),
    ("yesno", "There is no crack, yes it is intact"),
    ("yesno", "yes/no"),
    ("yesno", "not visible"),
    ("yesno", "Yes, no doubt"),
    ("yesno", "I have no idea"),
    ("script", "Balinese is ruled out."),
    ("count", "3-4"),
    ("count", "3–4 lines"),
    ("count", "5 or 6"),
    ("count", "more than 5"),
    ("count", "at least five lines"),
    ("count", "5 or more"),
    ("count", "5+"),
    ("count", "up to 5"),
    ("count", "<5"),
    ("count", "<answer><5</answer>"),
    ("count", "3<5>2"),
    ("count", "-5"),
    ("count", "minus five"),
    ("count", "not 5"),
    ("count", "7:30"),
    ("count", "5.5"),
    ("count", "1e1"),
    ("count", "1_0"),
    ("count", "5²"),
    ("count", "⑤"),
    ("count", "the 5th line"),
    ("count", "V"),
    ("count", ""),
]


@pytest.mark.parametrize(("category", "raw", "value"), RESCUED)
def test_the_only_reading_left_is_taken(
    vocabularies: Vocabularies, category: str, raw: Any, value: Any
) -> None:
    assert normalize(raw, vocabularies[category], Policy.LENIENT).value == value


@pytest.mark.parametrize(("category", "raw"), NOT_RESCUED)
def test_what_has_another_reading_stays_invalid(
    vocabularies: Vocabularies, category: str, raw: str
) -> None:
    found = normalize(raw, vocabularies[category], Policy.LENIENT)
    assert found.status is ScoringStatus.INVALID


def test_marks_of_a_script_tell_labels_apart() -> None:
    vocabulary = Vocabulary("Word", AnswerFormat.SINGLE, ("ខ្មែរ", "ខ", "தமிழ்"))
    found = [
        normalize(raw, vocabulary, Policy.LENIENT).value for raw in ("អក្សរ ខ្មែរ!", "ខ្ម", "‘தமிழ்’ 1")
    ]
    assert found == ["ខ្មែរ", None, "தமிழ்"]


@pytest.mark.parametrize(
    ("raw", "labels"),
    [
        ("no crack, stain", ("no crack", "stain")),
        ("stain without any crack", ("stain without any crack",)),
        ("rust", ("rust",)),
        ("cracked", ("cracked",)),
    ],
)
def test_a_negated_or_unmentioned_label_keeps_the_strict_reading(
    vocabularies: Vocabularies, raw: str, labels: tuple[str, ...]
) -> None:
    found = normalize(raw, vocabularies["condition"], Policy.LENIENT)
    assert (found.status, found.value) == (ScoringStatus.VALID_OOV, labels)


def test_what_strict_reads_lenient_reads_the_same(vocabularies: Vocabularies) -> None:
    for raw in ("crack, stain", [], "none, crack"):
        strict = normalize(raw, vocabularies["condition"])
        assert normalize(raw, vocabularies["condition"], Policy.LENIENT) == strict
