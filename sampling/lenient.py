"""The lenient policy: reads what strict could not, where only one reading is left."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sampling.counts import NUMBER_WORDS, read_count, to_ascii_digits
from sampling.label_keys import (
    STRONG_SEPARATORS,
    LabelIndex,
    fold,
    fold_loosely,
    index_labels,
    label_key,
    strip_edges,
)
from sampling.label_sets import Part
from sampling.vocabularies import Vocabulary

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_NEGATION = re.compile(
    r"(?:no|not|non|none|never|neither|nor|without|cannot|absent|lacks?|\w+n['’]?t)\Z"
)
_LIST_MARKER = re.compile(r"(?m)^\s*(?:[-*•‣▪·–—]|\(?(?:[0-9]{1,3}|[a-z])[.):])\s+")
_INEQUALITY = re.compile(
    r"[<>≤≥≦≧⩽⩾≠~∼±]|[0-9]\s*\+|\b(?:more|less|fewer|greater|larger|smaller|higher|lower) than\b"
    r"|\bat (?:least|most)\b|\b(?:over|under|above|below|up to|minimum|maximum|min|max|exceed\w*)\b"
    r"|\bor (?:more|less|fewer|so)\b|\bbetween\b|\brange\b"
)
_NUMBER_LIKE = re.compile(r"[^\s,;!?()\[\]{}\"'“”‘’`*]*[0-9][^\s;!?()\[\]{}\"'“”‘’`*]*")


@dataclass(frozen=True)
class _Mention:
    """A label found in a running text, from word `first` up to word `after`."""

    label: str
    first: int
    after: int


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
    """Take the only whole number in a text; `none` is 0; ranges and inequalities are refused."""
    folded = to_ascii_digits(fold(text))
    if _INEQUALITY.search(folded):
        return None
    found = set()
    for token in _NUMBER_LIKE.findall(folded):
        number = read_count(token.strip(",:"))
        if number is None:
            return None
        found.add(number)
    words = _WORD.findall(folded)
    found |= {NUMBER_WORDS[word] for word in words if word in NUMBER_WORDS}
    if "none" in words:
        found.add(0)
    elif any(_NEGATION.match(word) for word in words):
        return None
    return found.pop() if len(found) == 1 else None


def rescue_labels(text: str, index: LabelIndex) -> tuple[Part, ...]:
    """Take the labels mentioned in each separated part; a part without one stays as it is.

    Nothing is taken when a negation precedes any of them.
    """
    text = _LIST_MARKER.sub("", fold_loosely(text, keep_joiners=index.keep_joiners))
    parts: dict[str, Part] = {}
    mentioned = False
    for piece in re.split(f"[{STRONG_SEPARATORS}]", text):
        words = _words(piece, index)
        mentions = list(_mentions(words, index, plural=True))
        if _negated(words, mentions):
            return ()
        mentioned = mentioned or bool(mentions)
        for mention in mentions:
            parts.setdefault(mention.label, Part(mention.label, known=True))
        if not mentions and not index.is_blank(piece):
            outside = strip_edges(fold(piece, keep_joiners=index.keep_joiners))
            parts.setdefault(outside, Part(outside, known=False))
    return tuple(parts.values()) if mentioned else ()


def _words(text: str, index: LabelIndex) -> list[str]:
    """Split a text into its words, folded."""
    return _WORD.findall(fold(text, keep_joiners=index.keep_joiners))


def _mentions(words: list[str], index: LabelIndex, *, plural: bool) -> Iterator[_Mention]:
    """Yield the longest label at each word, left to right, without overlap."""
    by_words = {tuple(_WORD.findall(key)): label for key, label in index.labels.items()}
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
