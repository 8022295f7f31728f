"""The synthetic benchmark's vocabularies: every label can be told by looking, as its help says."""

from __future__ import annotations

from typing import Any

from sampling.synthetic.attributes import COLLECTIONS, DEFECTS, FEATURES

INTACT = "intact"
NO_HOLE = "no hole"
NO_MARK = "no margin or mark"
NO_FEATURE = "none visible"
HOLE_LABELS = {0: NO_HOLE, 1: "one hole", 2: "two holes", 3: "three or more holes"}
MARGINS = (
    "left margin",
    "right margin",
    "folio number",
    "ruled lines",
    "marginal note",
    "correction",
)

SCRIPT_NAME = "Script Name"
PHYSICAL_CONDITION = "Physical Condition"
LINE_COUNT = "Visible Line Count"
SYMBOLS = "Symbols and Drawings"
MATERIAL = "Material and Coating"
BINDING = "Binding and Holes"
SCRIBE = "Scribe and Margins"
OTHER = "Other Physical Features"
LABEL_TEXT = "Label Text"

VOCABULARIES: dict[str, dict[str, Any]] = {
    SCRIPT_NAME: {
        "format": "single",
        "labels": list(COLLECTIONS),
        "help": {
            "": "The name of the collection: some collections share a script.",
            "Jathakam": "Horoscopes in Malayalam script, often with a square chart.",
            "Kambaramayanam": "Verse in Tamil script: short groups of words with wide gaps, and "
            "verse numbers between double bars.",
            "Tamil": "Running prose in Tamil script.",
        },
    },
    PHYSICAL_CONDITION: {
        "format": "multi",
        "labels": [INTACT, *DEFECTS],
        "exclusive": [INTACT],
        "aliases": {
            "crack": "cracks",
            "splitting": "cracks",
            "stain": "stains",
            "foxing": "stains",
            "faded ink": "fading",
            "faded writing": "fading",
            "insect holes": "insect damage",
            "wormholes": "insect damage",
            "broken edges": "edge damage",
            "missing corner": "missing fragment",
            "scratch": "scratches",
        },
        "help": {
            INTACT: "Nothing else on this list is there.",
            "cracks": "Long dark splits that run along the leaf.",
            "stains": "Darker patches or brown spots.",
            "fading": "A long stretch of writing is much paler than the rest.",
            "insect damage": "Many small holes, or winding channels.",
            "edge damage": "Pieces are broken out of the long edges.",
            "missing fragment": "A whole corner is gone.",
            "scratches": "Bright slanting lines scraped across the surface.",
        },
    },
    LINE_COUNT: {
        "format": "count",
        "min": 0,
        "max": 40,
        "help": {
            "": "Lines of the main text, from top to bottom. Notes in a margin and words written "
            "in above a line are not counted."
        },
    },
    SYMBOLS: {
        "format": "binary",
        "labels": ["yes", "no"],
        "aliases": {"y": "yes", "n": "no"},
        "help": {
            "": "Pictures, charts and ornament. Punctuation, numerals, stamps and labels are not "
            "drawings."
        },
    },
    MATERIAL: {
        "format": "multi",
        "labels": [
            "plain leaf",
            "incised and inked",
            "surface inked",
            "oiled or varnished",
            "gilded",
            "painted",
            "unclear",
        ],
        "exclusive": ["unclear"],
        "aliases": {
            "incised": "incised and inked",
            "ink on surface": "surface inked",
            "varnished": "oiled or varnished",
            "oiled": "oiled or varnished",
            "gold": "gilded",
        },
        "help": {
            "plain leaf": "A dull surface without shine, gold or paint.",
            "incised and inked": "Thin engraved strokes with a bright rim beside them.",
            "surface inked": "Broad soft strokes of pen or brush.",
            "oiled or varnished": "Bright slanting reflections on a darkened leaf.",
            "gilded": "Gold bands along the edges.",
            "painted": "Red bands along the edges.",
        },
    },
    BINDING: {
        "format": "multi",
        "labels": [*HOLE_LABELS.values(), "cord present", "damaged hole"],
        "exclusive": [NO_HOLE],
        "aliases": {"1 hole": "one hole", "2 holes": "two holes", "cord": "cord present"},
        "help": {
            NO_HOLE: "No binding hole. Holes that insects made do not count.",
            "cord present": "A cord passes through a hole.",
            "damaged hole": "A hole is torn open.",
        },
    },
    SCRIBE: {
        "format": "multi",
        "labels": [NO_MARK, *MARGINS],
        "exclusive": [NO_MARK],
        "aliases": {"no clear margin": NO_MARK, "foliation": "folio number"},
        "help": {
            NO_MARK: "The text fills the leaf from end to end, and nothing else on this list is "
            "there.",
            "left margin": "A wide space before the text begins.",
            "right margin": "A wide space after the text ends.",
            "folio number": "A numeral in the left margin in the script's own figures.",
            "ruled lines": "Straight lines drawn under the writing.",
            "marginal note": "Small writing in the right margin.",
            "correction": "Words struck out, with small letters above them.",
        },
    },
    OTHER: {
        "format": "multi",
        "labels": [NO_FEATURE, *FEATURES],
        "exclusive": [NO_FEATURE],
        "aliases": {
            "label": "modern label",
            "sticker": "modern label",
            "tape": "tape or lamination",
            "ruler": "colour card or scale",
            "color card or scale": "colour card or scale",
            "wooden board": "cover board",
        },
        "help": {
            "modern label": "A small printed paper stuck on the leaf.",
            "stamp": "An oval in violet or blue ink.",
            "tape or lamination": "A clear strip laid across the leaf.",
            "colour card or scale": "Colour patches and a ruler beside the leaf.",
            "cover board": "A wooden board seen above and below the leaf.",
            "handwritten number": "A number in pen, in modern figures.",
        },
    },
}

LABEL_TEXT_VOCABULARY: dict[str, Any] = {
    "format": "text",
    "help": {"": "Type the letters and figures as they stand on the label."},
}
