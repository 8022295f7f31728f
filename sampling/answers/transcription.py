"""Transcriptions: how a text is read before its characters are compared."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

from sampling.answers.labels import IGNORABLE
from sampling.answers.vocabularies import OLD_RULE, READING_RULE
from sampling.study.definition import TextTable
from sampling.study.questions import Key

_TAG = re.compile(r"</?[A-Za-z][A-Za-z_]*>")


def normalize_transcription(
    text: str, rules: TextTable, *, reference: bool = False, rule: int = READING_RULE
) -> str:
    r"""Read a transcription as the rules say; line breaks and spacing are gone by default.

    Parameters
    ----------
    text : str
        What a person or a model wrote, or the reference.
    rules : TextTable
        `[text]` of the study.
    reference : bool
        The reference skips the steps that only clean up after a model: the answer tag, elements
        that are no transcription, deleted characters.
    rule : int
        From rule 2 on, canonically equivalent texts (UAX #15) are one, unless the study says not.

    Returns
    -------
    str
        Compare it by `tokenize`, never by `len`: a special token is one unit.

    Examples
    --------
    >>> normalize_transcription("思考<res>山 水\n（清）音。</res>", TextTable())
    '山水清音'
    """
    equivalent = rule != OLD_RULE and rules.canonical_equivalence
    if equivalent:
        text = _visible(text, rules)
    if not reference:
        text = _clean_answer(text, rules)
    for tag in rules.unwrap_tags:
        text = text.replace(f"<{tag}>", "").replace(f"</{tag}>", "")
    if rules.ignore_case:
        text = text.lower()
    text = collapse_runs(text, rules.collapse)
    if rules.ignore_punctuation:
        text = _drop_punctuation(text, rules.keep_punctuation)
    if rules.ignore_space:
        text = re.sub(r"\s", "", text)
    return unicodedata.normalize("NFC", text) if equivalent else text


def _visible(text: str, rules: TextTable) -> str:
    """Compose a text (NFC) and drop what is not seen; joiners, which shape letters, stay.

    U+200B goes with white space.
    """
    kept = "\u200c\u200d" if rules.ignore_space else "\u200b\u200c\u200d"
    text = "".join(
        character
        for character in text
        if character in kept or unicodedata.category(character) != "Cf"
    )
    return unicodedata.normalize("NFC", IGNORABLE.sub("", text))


def _clean_answer(text: str, rules: TextTable) -> str:
    """Take the answer out of its tag and remove what is no transcription."""
    if rules.extract_tag:
        tag = re.escape(rules.extract_tag)
        found = re.search(f"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        text = found[1] if found else text
    text = text.strip("\n")
    for name in rules.remove_elements:
        tag = re.escape(name)
        text = re.sub(f"<{tag}>.*?</{tag}>", "", text, flags=re.DOTALL)
        text = re.sub(f"</?{tag}>", "", text)
    return text.translate(dict.fromkeys(map(ord, rules.remove_characters)))


def collapse_runs(text: str, characters: str) -> str:
    """Make one of each run of the same character.

    >>> collapse_runs("▢▢日〇〇〇", "▢〇")
    '▢日〇'
    """
    for character in characters:
        text = re.sub(f"{re.escape(character)}+", lambda run: run[0][0], text)
    return text


def _drop_punctuation(text: str, kept: str) -> str:
    return "".join(
        character
        for character in text
        if character in kept or unicodedata.category(character)[0] != "P"
    )


def tokenize(text: str, rules: TextTable) -> tuple[str, ...]:
    """Split a normalised text into its units: special tokens, else one code point each.

    >>> tokenize("甲<unrecognizable>𠀀", TextTable())
    ('甲', '<unrecognizable>', '𠀀')
    """
    if not rules.special_tokens:
        return tuple(text)
    longest_first = sorted(rules.special_tokens, key=lambda token: (-len(token), token))
    pattern = "|".join([*map(re.escape, longest_first), "."])
    return tuple(re.findall(pattern, text, re.DOTALL))


def text_lengths(keys: Iterable[Key], rules: TextTable) -> dict[str, int]:
    r"""Count the units of each reference text: what a transcription costs to write.

    A key that is no text counts 1.

    >>> text_lengths([Key("q1", "甲<unrecognizable>\n乙"), Key("q2", 5)], TextTable())
    {'q1': 3, 'q2': 1}
    """
    return {
        key.sample_id: max(1, len(tokenize(_as_counted(key.answer, rules), rules)))
        if isinstance(key.answer, str)
        else 1
        for key in keys
    }


def _as_counted(text: str, rules: TextTable) -> str:
    """Read a reference by rule 1, so that a plan's loads stay what they were."""
    return normalize_transcription(text, rules, reference=True, rule=OLD_RULE)


def unlisted_tags(texts: Iterable[str], rules: TextTable) -> dict[str, int]:
    """Count the texts that hold a tag no rule knows: it is scored character by character.

    >>> unlisted_tags(["甲<space>乙", "<note>丙</note>", "丁<unrecognizable>"], TextTable())
    {'<space>': 1}
    """
    known = {*rules.special_tokens}
    for name in (*rules.unwrap_tags, *rules.remove_elements):
        known |= {f"<{name}>", f"</{name}>"}
    found: Counter[str] = Counter()
    for text in texts:
        found.update(set(_TAG.findall(text)) - known)
    return dict(sorted(found.items()))


def make_consistent(text: str, rules: TextTable, rule: int = READING_RULE) -> str:
    """Read a normalised text as the transcription protocol means it, for a secondary score.

    Runs of damage squares are one square, and declared variants of a character are one character.
    From rule 2 on a variant may be a sequence of code points; the longest is taken first.
    """
    text = collapse_runs(text, rules.consistent_collapse)
    if rule != OLD_RULE:
        return _fold_variants(text, rules)
    return "".join(rules.fold_variants.get(character, character) for character in text)


def _fold_variants(text: str, rules: TextTable) -> str:
    """Replace each declared variant, in the composed form where the text is composed."""
    form = unicodedata.normalize if rules.canonical_equivalence else lambda _, given: given
    variants = {form("NFC", one): form("NFC", other) for one, other in rules.fold_variants.items()}
    longest_first = sorted(filter(None, variants), key=lambda one: (-len(one), one))
    if not longest_first:
        return text
    pattern = "|".join(map(re.escape, longest_first))
    return re.sub(pattern, lambda found: variants[found[0]], text)
