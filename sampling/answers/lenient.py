"""The lenient policy: reads what strict could not, where only one reading is left."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from sampling.answers.labels import (
    IGNORABLE,
    JOINERS,
    SEPARATOR,
    LabelIndex,
    Part,
    fold,
    fold_loosely,
    index_labels,
    label_key,
    strip_edges,
)
from sampling.answers.model_output import (
    NUMBER_WORDS,
    has_other_digits,
    read_count,
    to_ascii_digits,
)
from sampling.answers.vocabularies import OLD_RULE, READING_RULE, Vocabulary

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
# Rule 2: words that make another number of the one beside them.
_OTHER_NUMBER = re.compile(
    r"\b(?:hundreds?|thousands?|(?:m|b|tr)illions?|dozens?|lakhs?|crores?|hal(?:f|ves)|thirds?"
    r"|quarters?|pairs?|couples?|twice|double|triple|tens|thirty|forty|fifty|sixty|seventy|eighty"
    r"|ninety)\b"
)
_DENIALS = re.compile(
    r"\b(?:rul(?:ed?|es|ing) out|exclud\w+|lacking|missing|absence|zero|unlikely|false|wrong"
    r"|incorrect|impossible|invisible|undetect\w+|unseen|free (?:of|from)|\w*n['\u2019]t)\b"
)
_CLAUSE_END = re.compile(r"[.!;\u3002]+(?=\s|\Z)|[\r\n]+")
_ARROWS = re.compile("[-=]+>|<[-=]+")
_MEANT = "+#%<>\u2264\u2265\u00b1\u2212\u2260\u066a\u2030@&\u00b0"
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
    if index.rule != OLD_RULE and _denied(text, words, mentions, index):
        return None
    return labels.pop()


def rescue_binary(text: str, vocabulary: Vocabulary) -> str | None:
    """Take the label that a text begins with, if nothing of the other stands anywhere."""
    index = index_labels(vocabulary)
    words = _words(text, index)
    mentions = list(_mentions(words, index, plural=False))
    if index.rule != OLD_RULE and mentions and mentions[0].first != 0:
        return _last_word(text, words, mentions, index)
    if not mentions or mentions[0].first != 0 or len({found.label for found in mentions}) > 1:
        return None
    label = mentions[0].label
    leading = " ".join(words[: mentions[0].after])
    return (
        label
        if leading == label_key(label, keep_joiners=index.keep_joiners, rule=index.rule)
        else None
    )


def _last_word(
    text: str, words: list[str], mentions: list[_Mention], index: LabelIndex
) -> str | None:
    """Take the only yes or no mentioned, where a sentence ends with it and denies nothing."""
    found = mentions[0]
    if len(mentions) > 1 or "?" in text or _negated(words, mentions):
        return None
    if _denied(text, words, mentions, index):
        return None
    ends = {len(_words(text[: end.start()], index)) for end in _CLAUSE_END.finditer(text)}
    return found.label if found.after in ends | {len(words)} else None


def rescue_count(text: str, rule: int = READING_RULE) -> int | None:
    """Take the only whole number in a text, `none` being 0.

    Ranges, inequalities, several numbers, digits that are not decimal, and a negation before the
    number are refused.
    """
    if has_other_digits(text):
        return None
    folded = _LABEL_BEFORE_NUMBER.sub(" ", to_ascii_digits(fold(text)))
    folded = _NUMBER_WORD.sub(lambda word: str(NUMBER_WORDS.get(word[0], 0)), folded)
    if rule != OLD_RULE:
        if _OTHER_NUMBER.search(folded):
            return None
        folded = folded.replace("$", " ")
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
    if index.rule != OLD_RULE and _denied(text, all_words, mentions, index):
        return ()
    parts = {mention.label: Part(mention.label, known=True) for mention in mentions}
    ends = list(itertools.accumulate(map(len, words)))
    for piece, count, end in zip(pieces, map(len, words), ends, strict=True):
        places = range(end - count, end)
        touched = any(found.first < end and found.after > places.start for found in mentions)
        if not touched and not index.is_blank(piece):
            outside = strip_edges(fold(piece, keep_joiners=index.keep_joiners), index.rule)
            parts.setdefault(outside, Part(outside, known=False))
    return tuple(parts.values())


def _words(text: str, index: LabelIndex) -> list[str]:
    """Split a text into its words, folded."""
    text = fold(text, keep_joiners=index.keep_joiners)
    return _split_words(text) if index.rule == OLD_RULE else _split_meant(text)


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


def _split_meant(text: str) -> list[str]:
    """Split into words that keep the symbols stuck to them: rule 2.

    >>> _split_meant("the c# is <10 % and a+.")
    ['the', 'c#', 'is', '<10%', 'and', 'a+']
    """
    text = _ARROWS.sub(" ", IGNORABLE.sub("", text))
    text = re.sub(r"(?<=\d)\s+(?=[%\u066a\u2030])|(?<=[<>\u2264\u2265])\s+(?=\d)", "", text)
    text = re.sub(r"(?<!\S)[-\u2010-\u2013](?=\d)|(?<=\b\w)-(?=[\s.,;:!?)]|\Z)", "\u2212", text)
    text = re.sub(r"(?<=[^\W\d_])[+&](?=[^\W\d_])", " ", text)
    spaced = "".join(
        character
        if unicodedata.category(character)[0] in "LMN"
        or character in JOINERS + _APOSTROPHES + _MEANT
        else " "
        for character in text
    )
    words = (word.strip(_APOSTROPHES) for word in spaced.split())
    return [word for word in words if any(character not in _MEANT for character in word)]


def _mentions(words: list[str], index: LabelIndex, *, plural: bool) -> Iterator[_Mention]:
    """Yield the longest label at each word, left to right, without overlap."""
    split = _split_words if index.rule == OLD_RULE else _split_meant
    by_words = {tuple(split(key)): label for key, label in index.labels.items()}
    by_words.pop((), None)
    longest = max(map(len, by_words), default=0)
    first = 0
    while first < len(words):
        for after in range(min(first + longest, len(words)), first, -1):
            run = tuple(words[first:after])
            label = by_words.get(run)
            if label is None and plural and run[-1].endswith("s"):
                label = by_words.get((*run[:-1], run[-1][:-1]))
            if label is None and plural and index.rule != OLD_RULE:
                label = by_words.get((*run[:-1], run[-1] + "s"))
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


def _denied(text: str, words: list[str], mentions: list[_Mention], index: LabelIndex) -> bool:
    """Tell whether a negation stands in the clause of a label, before or behind it: rule 2."""
    inside = {place for found in mentions for place in range(found.first, found.after)}
    first = 0
    for clause in _CLAUSE_END.split(text):
        count = len(_words(clause, index))
        places = range(first, min(first + count, len(words)))
        outside = [words[place] for place in places if place not in inside]
        if len(outside) < len(places) and (
            any(_NEGATION.match(word) for word in outside) or _DENIALS.search(" ".join(outside))
        ):
            return True
        first += count
    return False
