"""Laws of normalisation that hold for every text, found by generated examples."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sampling.answers.labels import fold, label_key
from sampling.answers.normalization import Policy, ScoringStatus, normalize
from sampling.answers.vocabularies import AnswerFormat, Vocabulary

CONDITION = ("crack", "broken edge", "faded, uneven ink", "oil/wax", "black and white", "C#, F#")
VOCABULARIES = [
    Vocabulary("single", AnswerFormat.SINGLE, CONDITION, {"fissure": "crack"}),
    Vocabulary("multi", AnswerFormat.MULTI, CONDITION, {"fissure": "crack"}),
    Vocabulary("joined", AnswerFormat.MULTI, ("ശ\u200dസ", "ശസ", "crack")),
    Vocabulary("binary", AnswerFormat.BINARY, ("yes", "no")),
    Vocabulary("count", AnswerFormat.COUNT),
]
PIECES = st.sampled_from(
    [
        *(*CONDITION, "fissure", "rust", "no ", " and ", "and", ",", ";", "/", "、", "\n", " "),
        *("-", "_", "5", "៥", ".", "1,0", "five", " lines", "yes", "no", "'", "[", "]"),
        *('{"answer": ', "}", '"', "\u200b", "\u200d", "²", "İ", "ß", "e\u0301", "ﬁ", "𝟓", "None"),
    ]
)
TEXTS = st.one_of(st.text(max_size=20), st.lists(PIECES, max_size=8).map("".join))


@given(TEXTS, st.sampled_from(VOCABULARIES), st.sampled_from(Policy))
@settings(max_examples=400, deadline=None)
def test_normalising_a_readable_answer_twice_is_normalising_it_once(
    text: str, vocabulary: Vocabulary, policy: Policy
) -> None:
    once = normalize(text, vocabulary, policy)
    if once.status is not ScoringStatus.INVALID:
        assert normalize(once.value, vocabulary) == once


@given(st.text(max_size=30), st.booleans())
@settings(max_examples=300, deadline=None)
def test_folding_twice_is_folding_once(text: str, keep_joiners: bool) -> None:
    once = fold(text, keep_joiners=keep_joiners)
    assert fold(once, keep_joiners=keep_joiners) == once


@given(st.text(max_size=30))
@settings(max_examples=300, deadline=None)
def test_the_key_of_a_key_is_the_key(text: str) -> None:
    assert label_key(label_key(text)) == label_key(text)


@given(st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=6, unique_by=label_key))
@settings(max_examples=200, deadline=None)
def test_every_label_of_any_vocabulary_is_found_by_itself_and_in_a_list(labels: list[str]) -> None:
    labels = [label for label in labels if label_key(label)]
    if any("\u200c" in label or "\u200d" in label for label in labels) or not labels:
        return
    vocabulary = Vocabulary("any", AnswerFormat.MULTI, tuple(labels))
    assert normalize(labels, vocabulary).value == tuple(sorted(labels))
    single = Vocabulary("one", AnswerFormat.SINGLE, tuple(labels))
    assert [normalize(label, single).value for label in labels] == labels


@given(st.lists(st.sampled_from(CONDITION), unique=True, min_size=1))
@settings(max_examples=100, deadline=None)
def test_any_order_and_any_separator_give_the_same_set(labels: list[str]) -> None:
    vocabulary = VOCABULARIES[1]
    written = [separator.join(labels) for separator in (", ", "; ", "\n", "、", ",")]
    found = {normalize(text, vocabulary).value for text in written}
    assert found == {tuple(sorted(labels))}


@pytest.mark.parametrize("vocabulary", VOCABULARIES)
def test_white_space_alone_is_no_answer(vocabulary: Vocabulary) -> None:
    assert normalize(" \u3000\u00a0\n", vocabulary).status is ScoringStatus.INVALID
