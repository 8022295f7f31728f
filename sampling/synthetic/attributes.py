"""What is true of a synthetic folio, decided before a pixel is drawn: the source of every key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from sampling.study.keyed import digest, shuffled

T = TypeVar("T")

COLLECTIONS = {
    "Balinese": "balinese",
    "Grantha": "grantha",
    "Jathakam": "malayalam",
    "Kambaramayanam": "tamil",
    "Kannada": "kannada",
    "Khmer": "khmer",
    "Sundanese": "sundanese",
    "Tamil": "tamil",
}
VERSE_COLLECTION = "Kambaramayanam"
CHART_COLLECTION = "Jathakam"

LINES = {
    "Balinese": (3, 4, 5, 4),
    "Grantha": (5, 6, 7, 8),
    "Jathakam": (4, 5, 6, 7),
    "Kambaramayanam": (4, 6, 7, 8),
    "Kannada": (5, 6, 7, 8),
    "Khmer": (4, 5, 5, 6),
    "Sundanese": (3, 4, 4, 5),
    "Tamil": (5, 6, 7, 8),
}
HOLES = {
    "Balinese": (3, 3, 1, 0),
    "Khmer": (2, 2, 2, 1),
    "Sundanese": (1, 1, 2, 0),
}
DEFECTS = (
    "cracks",
    "stains",
    "fading",
    "insect damage",
    "edge damage",
    "missing fragment",
    "scratches",
)
DRAWINGS = ("rosette", "bird", "fish", "frieze", "tree", "divider")
WRITING = ("incised and inked", "surface inked")
COATINGS = ("plain leaf", "oiled or varnished", "gilded", "painted")
FEATURES = (
    "modern label",
    "stamp",
    "tape or lamination",
    "colour card or scale",
    "cover board",
    "handwritten number",
)

_SHELFMARKS = ("MS", "PL", "Or", "Add")

_DEFECT_COUNTS = (0, 1, 2, 1, 3, 1, 2, 0, 1, 2, 1, 2)
_FEATURE_COUNTS = (0, 1, 1, 2, 1, 0, 1, 2)
_COATING_DECK = (0, 1, 0, 2, 0, 3)
_MARGIN_DECK = (
    (),
    ("left margin",),
    ("left margin", "right margin", "folio number"),
    ("left margin", "right margin", "marginal note"),
    ("left margin", "folio number", "ruled lines"),
    ("right margin", "correction"),
    ("left margin", "right margin"),
    ("left margin", "right margin", "ruled lines", "correction"),
    (),
    ("left margin", "folio number"),
    ("left margin", "right margin", "marginal note", "folio number"),
    ("right margin", "ruled lines"),
)


@dataclass(frozen=True)
class Folio:
    """Everything true of one folio. `name` is also the stem of its image.

    `condition`, `margins` and `features` hold labels of the vocabulary, in its order, and are
    empty when nothing of the kind is there; `drawing` names what is drawn, or is empty;
    `label_text` is what a modern label reads, where there is one.
    """

    name: str
    collection: str
    lines: int
    condition: tuple[str, ...]
    drawing: str
    writing: str
    coating: str
    holes: int
    cord: bool
    damaged_hole: bool
    margins: tuple[str, ...]
    features: tuple[str, ...]
    label_text: str

    @property
    def script(self) -> str:
        return COLLECTIONS[self.collection]


def invent_folios(seed: str, collection: str, names: Sequence[str]) -> tuple[Folio, ...]:
    """Decide what is true of each folio of a collection.

    Every attribute is dealt from a deck that holds its values in fixed proportions, shuffled by
    the seed, so that twelve folios show every kind of thing.

    Examples
    --------
    >>> folio, = invent_folios("seed", "Khmer", ["Khmer_0001"])
    >>> folio.script, folio.lines in LINES["Khmer"]
    ('khmer', True)
    """

    def deal(deck: Sequence[T], subject: str) -> list[T]:
        return _deal(deck, len(names), seed, collection, subject)

    defects = _hands(DEFECTS, deal(_DEFECT_COUNTS, "defect count"), seed, collection, "defects")
    features = _hands(FEATURES, deal(_FEATURE_COUNTS, "feature count"), seed, collection, "feature")
    drawings = deal((True, False), "has drawing")
    kinds = deal(DRAWINGS, "drawing")
    holes = deal(HOLES.get(collection, (1, 2, 2, 0)), "holes")
    cords = deal((False, True, False, False), "cord")
    torn = deal((False, False, True, False), "damaged hole")
    lines = deal(LINES[collection], "lines")
    coatings = deal(_COATING_DECK, "coating")
    writing = deal(WRITING, "writing")
    margins = deal(_MARGIN_DECK, "margins")
    return tuple(
        Folio(
            name=name,
            collection=collection,
            lines=lines[i],
            condition=defects[i],
            drawing=_drawing(collection, kinds[i], name, seed) if drawings[i] else "",
            writing=writing[i],
            coating=COATINGS[coatings[i]],
            holes=holes[i],
            cord=cords[i] and holes[i] > 0,
            damaged_hole=torn[i] and holes[i] > 0 and bool(defects[i]),
            margins=margins[i],
            features=features[i],
            label_text=_label_text(seed, name),
        )
        for i, name in enumerate(names)
    )


def _deal(deck: Sequence[T], count: int, *key: str) -> list[T]:
    """Deal cards from as many shuffled copies of the deck as it takes."""
    dealt: list[T] = []
    while len(dealt) < count:
        dealt.extend(shuffled(deck, "deal", *key, str(len(dealt))))
    return dealt[:count]


def _hands(labels: Sequence[str], counts: Sequence[int], *key: str) -> list[tuple[str, ...]]:
    """Deal each folio a hand of different labels, every label about equally often.

    Returns
    -------
    One tuple a folio, in the order of `labels`.
    """
    waiting: list[str] = []
    hands: list[tuple[str, ...]] = []
    for count in counts:
        hand: set[str] = set()
        while len(hand) < count:
            if not set(waiting) - hand:
                waiting += _deal(labels, len(labels), *key, str(len(hands)))
            label = next(card for card in waiting if card not in hand)
            waiting.remove(label)
            hand.add(label)
        hands.append(tuple(label for label in labels if label in hand))
    return hands


def _label_text(seed: str, name: str) -> str:
    chosen = digest("label text", seed, name)
    return f"{_SHELFMARKS[chosen[0] % len(_SHELFMARKS)]} {10 + chosen[1] % 90}"


def _drawing(collection: str, kind: str, name: str, seed: str) -> str:
    """A Jathakam leaf, a horoscope, carries its chart more often than not."""
    if collection == CHART_COLLECTION and digest("chart", seed, name)[0] % 4:
        return "chart"
    return kind
