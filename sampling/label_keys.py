"""Label keys: the folded form under which an answer and a label of the vocabulary are the same."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from sampling.vocabularies import Vocabulary

JOINERS = "\u200c\u200d"
# NFKC would turn 5² into 52, so superscript and subscript digits are left as they are.
_SMALL_DIGITS = re.compile("([\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089]+)")
_HYPHENS = re.compile("[-_\u2010\u2011]")
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


def strip_edges(text: str) -> str:
    """Remove punctuation (P*), separators (Z*) and white space from both ends.

    >>> strip_edges("“balinese”.")
    'balinese'
    """
    start, end = 0, len(text)
    while start < end and _is_edge(text[start]):
        start += 1
    while end > start and _is_edge(text[end - 1]):
        end -= 1
    return text[start:end]


def _is_edge(character: str) -> bool:
    return unicodedata.category(character)[0] in "PZ" or character.isspace()


def label_key(text: str, *, keep_joiners: bool = False) -> str:
    """Give the form in which labels are looked up: folded, edges stripped, hyphen = space.

    A label of nothing but punctuation keeps it, so that `?` can be a label.

    >>> label_key("Broken-edge.") == label_key("broken_EDGE")
    True
    >>> label_key("?")
    '?'
    """
    folded = fold(text, keep_joiners=keep_joiners)
    stripped = strip_edges(folded)
    if not stripped:
        return folded
    return " ".join(_HYPHENS.sub(" ", stripped).split())


@dataclass(frozen=True)
class LabelIndex:
    """A vocabulary ready for look-up: `labels` maps a key to its label, aliases included.

    `most_parts` is how many separated parts the longest label has (`faded, uneven ink` has two).
    """

    labels: Mapping[str, str]
    keep_joiners: bool
    most_parts: int

    def find(self, text: str) -> str | None:
        """Find the label that a text is, exactly, or None."""
        return self.labels.get(label_key(text, keep_joiners=self.keep_joiners))

    def is_blank(self, text: str) -> bool:
        """Tell whether nothing but punctuation and space is there, and no label is written so."""
        folded = fold(text, keep_joiners=self.keep_joiners)
        return not strip_edges(folded) and folded not in self.labels


@functools.lru_cache(maxsize=1024)
def index_labels(vocabulary: Vocabulary) -> LabelIndex:
    """Make a vocabulary ready for look-up; labels win over aliases of the same key."""
    names = [*vocabulary.labels, *vocabulary.aliases]
    keep_joiners = any(joiner in name for name in names for joiner in JOINERS)
    labels = {
        label_key(alias, keep_joiners=keep_joiners): label
        for alias, label in vocabulary.aliases.items()
    }
    labels |= {label_key(label, keep_joiners=keep_joiners): label for label in vocabulary.labels}
    parts = (len(SEPARATOR.split(fold_loosely(name))) // 2 + 1 for name in names)
    return LabelIndex(labels, keep_joiners, max(parts, default=1))
