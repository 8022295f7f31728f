"""The lenient policy: reads what strict could not, where only one reading is left."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from sampling.counts import NUMBER_WORDS, has_other_digits, read_count, to_ascii_digits
from sampling.label_keys import (
    JOINERS,
    SEPARATOR,
    LabelIndex,
    fold,
    fold_loosely,
    index_labels,
    label_key,
    strip_edges,
)
from sampling.label_sets import Part
from sampling.vocabularies import Vocabulary

_APOSTROPHES = "'’"
_NEGATIONS = r"(?:no|not|non|none|never|neither|nor|without|cannot|absent|lacks?|\w+n['’]t)"
_NEGATION = re.compile(rf"{_NEGATIONS}\Z")
_NEGATION_ANYWHERE = re.compile(rf"\b{_NEGATIONS}\b")
_LIST_MARKER = re.compile(r"(?m)^\s*(?:[-*•‣▪·–—]|\(?(?:[0-9]{1,3}|[a-z])[.):])\s+")
_INEQUALITY = re.compile(
    r"[<>≤≥≦≧⩽⩾≠±]|[0-9]\s*\+|\b(?:more|less|fewer|greater|larger|smaller|higher|lower) than\b"
    r"|\bat (?:least|most)\b|\bor (?:more|less|fewer)\b|\b(?:minus|negative)\b"
    r"|\b(?:over|under|above|below|beyond|up to|min|max|minimum|maximum|exceed\w*)\b"
    r"[^0-9]{0,9}[0-9]"
)
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(NUMBER_WORDS)}|none)\b")
_NUMBER_LIKE = re.compile(r"[^\s,;!?()\[\]{}\"'“”‘’`*]*[0-9][^\s;!?()\[\]{}\"'“”‘’`*]*")
_APPROXIMATE = "~\u223c\u2248\u2243\u2245\u2252+"
_TAG = re.compile(r"</?[A-Za-z][\w-]*/?>")
_LABEL_BEFORE_NUMBER = re.compile(r"(?<![0-9])[:=]")


@dataclass(frozen=True)
class _Mention:
    """A label found in a running text, from word `first` up to word `after`."""

    label: str
    first: int
    after: int


def without_tags(text: str) -> str:
    """Put a space for each tag of markup: its name is no word of the answer, its `<` no sign.

    >>> without_tags("<answer>5</answer>"), without_tags("5 < 6")
    (' 5 ', '5 < 6')
    """
    return _TAG.sub(" ", text)


def rescue_single(text: str, index: LabelIndex) -> str | None:
    """Take the only label that is mentioned, unless a negation precedes it."""
    words = _words(text, index)
    mentions = list(_mentions(words, index, plural=False))
    labels = {mention.label for mention in mentions}
    if len(labels) != 1 or _negated(words, mentions):
        return None
    return labels.pop()


def rescue_binary(text: str, vocabulary: Vocabulary) -> str | None:
    """Take the label that a text begins with, if nothing of the other stands anywhere."""
    index = index_labels(vocabulary)
    words = _words(text, index)
    mentions = list(_mentions(words, index, plural=False))
    if not mentions or mentions[0].first != 0 or len({found.label for found in mentions}) > 1:
        return None
    label = mentions[0].label
    leading = " ".join(words[: mentions[0].after])
    return label if leading == label_key(label, keep_joiners=index.keep_joiners) else None


def rescue_count(text: str) -> int | None:
    """Take the only whole number in a text, `none` being 0.

    Ranges, inequalities, several numbers, digits that are not decimal, and a negation before the
    number are refused.
    """
    if has_other_digits(text):
        return None
    folded = _LABEL_BEFORE_NUMBER.sub(" ", to_ascii_digits(fold(text)))
    folded = _NUMBER_WORD.sub(lambda word: str(NUMBER_WORDS.get(word[0], 0)), folded)
    if _INEQUALITY.search(folded):
        return None
    tokens = list(_NUMBER_LIKE.finditer(folded))
    numbers = {read_count(token[0].lstrip(_APPROXIMATE).strip(",:")) for token in tokens}
    if len(numbers) != 1 or _NEGATION_ANYWHERE.search(folded[: tokens[0].start()]):
        return None
    return numbers.pop()


def rescue_labels(text: str, index: LabelIndex) -> tuple[Part, ...]:
    """Take the labels mentioned in a text; a separated part without one stays as it is.

    Nothing is taken when a negation precedes any of them.
    """
    text = _LIST_MARKER.sub("", fold_loosely(text, keep_joiners=index.keep_joiners))
    pieces = SEPARATOR.split(text)[::2]
    words = [_words(piece, index) for piece in pieces]
    all_words = [word for piece in words for word in piece]
    mentions = list(_mentions(all_words, index, plural=True))
    if not mentions or _negated(all_words, mentions):
        return ()
    parts = {mention.label: Part(mention.label, known=True) for mention in mentions}
    ends = list(itertools.accumulate(map(len, words)))
    for piece, count, end in zip(pieces, map(len, words), ends, strict=True):
        places = range(end - count, end)
        touched = any(found.first < end and found.after > places.start for found in mentions)
        if not touched and not index.is_blank(piece):
            outside = strip_edges(fold(piece, keep_joiners=index.keep_joiners))
            parts.setdefault(outside, Part(outside, known=False))
    return tuple(parts.values())


def _words(text: str, index: LabelIndex) -> list[str]:
    """Split a text into its words, folded."""
    return _split_words(fold(text, keep_joiners=index.keep_joiners))


def _split_words(text: str) -> list[str]:
    """Split at whatever is no letter, digit or mark; an apostrophe between letters is inside.

    >>> _split_words("it isn't ខ្មែរ, 'no'")
    ['it', "isn't", 'ខ្មែរ', 'no']
    """
    spaced = "".join(
        character
        if unicodedata.category(character)[0] in "LMN" or character in JOINERS + _APOSTROPHES
        else " "
        for character in text
    )
    words = (word.strip(_APOSTROPHES) for word in spaced.split())
    return [word for word in words if word]


def _mentions(words: list[str], index: LabelIndex, *, plural: bool) -> Iterator[_Mention]:
    """Yield the longest label at each word, left to right, without overlap."""
    by_words = {tuple(_split_words(key)): label for key, label in index.labels.items()}
    longest = max(map(len, by_words), default=0)
    first = 0
    while first < len(words):
        for after in range(min(first + longest, len(words)), first, -1):
            run = tuple(words[first:after])
            label = by_words.get(run)
            if label is None and plural and run[-1].endswith("s"):
                label = by_words.get((*run[:-1], run[-1][:-1]))
            if label is not None:
                yield _Mention(label, first, after)
                first = after
                break
        else:
            first += 1


def _negated(words: list[str], mentions: list[_Mention]) -> bool:
    """Tell whether a negation outside the labels stands before one of them."""
    if not mentions:
        return False
    inside = {place for found in mentions for place in range(found.first, found.after)}
    return any(
        _NEGATION.match(words[place]) for place in range(mentions[-1].first) if place not in inside
    )
