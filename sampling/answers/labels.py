"""Label keys: the folded form under which an answer and a label of the vocabulary are the same.

Label sets: one text read as several labels, the longest label of the vocabulary first.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sampling.answers.vocabularies import OLD_RULE, READING_RULE, Vocabulary

JOINERS = "\u200c\u200d"
# NFKC would turn 5² into 52, so superscript and subscript digits are left as they are.
_SMALL_DIGITS = re.compile("([\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089]+)")
_HYPHENS = re.compile("[-_\u2010\u2011]")
# Rule 2: what is stuck to a letter or digit and tells one label from another is no edge.
_DASHES = "-\u2010\u2011\u2012\u2013\u2212"
_HYPHEN_MINUS = "-\u2010\u2011\u2212"
_STUCK = "#%@&\u066a\u2030\u2031"
_SIGN = re.compile(rf"(?<![^\W_])[{_DASHES}](?=[^\W_]*\d)")
_APART = re.compile(r"(?<=\d)\s+(?=[%\u066a\u2030\u2031])|(?<=[<>\u2264\u2265])\s+(?=\d)")
# Default-ignorable characters that are not of category Cf (Unicode, DerivedCoreProperties).
IGNORABLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
STRONG_SEPARATORS = ",;\u3001\n\r\u0085\u2028\u2029"
SEPARATOR = re.compile(rf"([{STRONG_SEPARATORS}/]|\s+and\s+)")


def fold(text: str, *, keep_joiners: bool = False) -> str:
    r"""Fold what a reader does not see: width, case, format characters, runs of white space.

    NFKC, without category Cf, case-folded, white space collapsed; applied until nothing changes,
    so that folding twice is folding once. Diacritics stay.

    Parameters
    ----------
    text : str
        Any text; the empty text folds to itself.
    keep_joiners : bool
        Keep U+200C and U+200D, for a vocabulary whose labels differ by them.

    Returns
    -------
    str

    Examples
    --------
    >>> fold("  Ｂａｌｉ\u200bnese\u00a0")
    'balinese'
    >>> fold("5²")
    '5²'
    """
    return " ".join(fold_loosely(text, keep_joiners=keep_joiners).split())


def fold_loosely(text: str, *, keep_joiners: bool = False) -> str:
    """Fold like `fold`, but leave white space, so that line breaks still separate."""
    if text.isascii():
        return text.lower()
    previous = None
    while text != previous:
        previous = text
        text = _compatible(text)
        text = "".join(
            character
            for character in text
            if unicodedata.category(character) != "Cf" or (keep_joiners and character in JOINERS)
        ).casefold()
    return text


def _compatible(text: str) -> str:
    """Apply NFKC to everything but superscript and subscript digits."""
    pieces = _SMALL_DIGITS.split(text)
    pieces[::2] = [unicodedata.normalize("NFKC", piece) for piece in pieces[::2]]
    return "".join(pieces)


def strip_edges(text: str, rule: int = OLD_RULE) -> str:
    """Remove punctuation (P*), separators (Z*) and white space from both ends.

    Rule 2 also removes backticks, and leaves what is stuck to a letter or digit and means
    something: a sign or decimal point before a digit, a sharp, a percent sign, the minus of a mark.

    >>> strip_edges("“balinese”.")
    'balinese'
    >>> strip_edges("c#.", 2), strip_edges("`-5`", 2), strip_edges("- cracks", 2)
    ('c#', '-5', 'cracks')
    """
    start, end = 0, len(text)
    while start < end and _is_edge(text[start], rule) and not _opens(text, start, rule):
        start += 1
    while end > start and _is_edge(text[end - 1], rule) and not _closes(text, start, end, rule):
        end -= 1
    return text[start:end]


def _opens(text: str, place: int, rule: int) -> bool:
    """Tell whether a character before a letter or digit belongs to it."""
    if rule == OLD_RULE:
        return False
    character, following = text[place], text[place + 1 : place + 2]
    if character in _DASHES + ".\u066b":
        return following.isdecimal()
    return character in _STUCK and following.isalnum()


def _closes(text: str, start: int, end: int, rule: int) -> bool:
    """Tell whether a character behind a letter or digit belongs to it."""
    if rule == OLD_RULE or end - start < 2:
        return False
    return text[end - 1] in _STUCK + _HYPHEN_MINUS and _is_stuck(text[start : end - 1])


def _is_stuck(before: str) -> bool:
    return before.rstrip(_STUCK + _HYPHEN_MINUS)[-1:].isalnum() and not before[-1:].isspace()


def _is_edge(character: str, rule: int) -> bool:
    if rule != OLD_RULE and character == "`":
        return True
    return unicodedata.category(character)[0] in "PZ" or character.isspace()


def label_key(text: str, *, keep_joiners: bool = False, rule: int = READING_RULE) -> str:
    """Give the form in which labels are looked up: folded, edges stripped, hyphen = space.

    A label of nothing but punctuation keeps it, so that `?` can be a label.

    >>> label_key("Broken-edge.") == label_key("broken_EDGE")
    True
    >>> label_key("?")
    '?'
    """
    folded = fold(text, keep_joiners=keep_joiners)
    if rule != OLD_RULE:
        folded = _APART.sub("", " ".join(IGNORABLE.sub("", folded).split()))
    stripped = strip_edges(folded, rule)
    if not stripped:
        return folded
    if rule != OLD_RULE:
        stripped = _SIGN.sub("\u2212", stripped)
        if stripped[-1] in _HYPHEN_MINUS:
            stripped = stripped[:-1] + "\u2212"
    return " ".join(_HYPHENS.sub(" ", stripped).split())


@dataclass(frozen=True)
class LabelIndex:
    """A vocabulary ready for look-up: `labels` maps a key to its label, aliases included.

    `most_parts` is how many separated parts the longest label has (`faded, uneven ink` has two).
    """

    labels: Mapping[str, str]
    keep_joiners: bool
    most_parts: int
    rule: int = READING_RULE

    def find(self, text: str) -> str | None:
        """Find the label that a text is, exactly, or None."""
        return self.labels.get(label_key(text, keep_joiners=self.keep_joiners, rule=self.rule))

    def is_blank(self, text: str) -> bool:
        """Tell whether nothing but punctuation and space is there, and no label is written so."""
        folded = fold(text, keep_joiners=self.keep_joiners)
        return not strip_edges(folded, self.rule) and folded not in self.labels


@functools.lru_cache(maxsize=1024)
def index_labels(vocabulary: Vocabulary) -> LabelIndex:
    """Make a vocabulary ready for look-up; labels win over aliases of the same key."""
    names = [*vocabulary.labels, *vocabulary.aliases]
    keep_joiners = any(joiner in name for name in names for joiner in JOINERS)
    labels = {
        label_key(alias, keep_joiners=keep_joiners, rule=vocabulary.rule): label
        for alias, label in vocabulary.aliases.items()
    }
    labels |= {
        label_key(label, keep_joiners=keep_joiners, rule=vocabulary.rule): label
        for label in vocabulary.labels
    }
    parts = (len(SEPARATOR.split(fold_loosely(name))) // 2 + 1 for name in names)
    return LabelIndex(labels, keep_joiners, max(parts, default=1), vocabulary.rule)


@dataclass(frozen=True)
class Part:
    """One part of a separated text: a label of the vocabulary, or folded text outside it."""

    text: str
    known: bool


@dataclass(frozen=True)
class _Run:
    """Atoms `first` to `last` of a split text, and the label they make together, if any."""

    first: int
    last: int
    label: str | None


def read_labels(text: str, index: LabelIndex) -> tuple[Part, ...]:
    r"""Read a text as a set of labels, in the order written and without repeats.

    The longest label is taken first, so that a label may hold commas. `,` `;` line break and `、`
    always separate; ` and ` and `/` only where every part is a label. What is no label is kept as
    a part that is not `known`: dropping it would turn a wrong answer right.

    Parameters
    ----------
    text : str
        An answer, as given. A blank text gives no part.
    index : LabelIndex
        The vocabulary.

    Returns
    -------
    tuple of Part

    Examples
    --------
    >>> from sampling.answers.labels import LabelIndex
    >>> index = LabelIndex({"crack": "crack", "faded, ink": "faded, ink"}, False, 2)
    >>> [part.text for part in read_labels("Faded, ink; crack, rust", index)]
    ['faded, ink', 'crack', 'rust']
    """
    pieces = SEPARATOR.split(fold_loosely(text, keep_joiners=index.keep_joiners))
    found: dict[str, Part] = {}
    for group in _groups(pieces, index):
        for part in _read_group(pieces, group, index):
            found.setdefault(
                label_key(part.text, keep_joiners=index.keep_joiners, rule=index.rule), part
            )
    return tuple(found.values())


def _groups(pieces: list[str], index: LabelIndex) -> Iterator[list[_Run]]:
    """Yield runs of atoms between separators that always separate."""
    group: list[_Run] = []
    atom, last_atom = 0, len(pieces) // 2
    while atom <= last_atom:
        run = _longest_run(pieces, atom, index)
        group.append(run)
        atom = run.last + 1
        if atom > last_atom or pieces[2 * run.last + 1] in STRONG_SEPARATORS:
            yield group
            group = []


def _longest_run(pieces: list[str], first: int, index: LabelIndex) -> _Run:
    """Find the longest label that starts at this atom; else the atom alone."""
    if pieces[2 * first].strip():
        for last in range(min(first + index.most_parts - 1, len(pieces) // 2), first - 1, -1):
            if last == first or pieces[2 * last].strip():
                label = index.find("".join(pieces[2 * first : 2 * last + 1]))
                if label is not None:
                    return _Run(first, last, label)
    return _Run(first, first, None)


def _read_group(pieces: list[str], group: list[_Run], index: LabelIndex) -> Iterator[Part]:
    """Yield a group's labels when all its runs are labels; else the texts it separates into."""
    full = [run for run in group if run.label or not index.is_blank(pieces[2 * run.first])]
    if all(run.label is not None for run in full):
        yield from (Part(run.label, known=True) for run in full if run.label is not None)
        return
    text = "".join(pieces[2 * group[0].first : 2 * group[-1].last + 1])
    for separator in STRONG_SEPARATORS[1:]:
        text = text.replace(separator, STRONG_SEPARATORS[0])
    for piece in text.split(STRONG_SEPARATORS[0]):
        label = index.find(piece)
        if label is not None:
            yield Part(label, known=True)
        elif not index.is_blank(piece):
            yield Part(
                strip_edges(fold(piece, keep_joiners=index.keep_joiners), index.rule), known=False
            )
