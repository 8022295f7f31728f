"""Label sets: one text read as several labels, the longest label of the vocabulary first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sampling.answers.label_keys import (
    SEPARATOR,
    STRONG_SEPARATORS,
    LabelIndex,
    fold,
    fold_loosely,
    label_key,
    strip_edges,
)


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
    >>> from sampling.answers.label_keys import LabelIndex
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
