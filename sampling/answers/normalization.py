"""Normalisation: the one function through which references, people and models pass."""

from __future__ import annotations

import json
import math
import numbers
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sampling.answers.labels import Part, index_labels, read_labels
from sampling.answers.lenient import (
    rescue_binary,
    rescue_count,
    rescue_labels,
    rescue_single,
    without_tags,
)
from sampling.answers.model_output import (
    flatten,
    read_count,
    unwrap,
    without_fence,
    without_thinking,
)
from sampling.answers.transcription import make_consistent, normalize_transcription
from sampling.answers.vocabularies import OLD_RULE, AnswerFormat, Vocabulary
from sampling.study.definition import TextTable

NO_ANSWER = "no answer"
SEVERAL = "more than one answer"
OUTSIDE = "not in the vocabulary"
NO_COUNT = "not one whole number"
EXCLUSIVE = "an exclusive label beside others"


class ScoringStatus(StrEnum):
    """Whether an answer can be read: `valid_oov` holds a label outside the vocabulary."""

    VALID = "valid"
    VALID_OOV = "valid_oov"
    INVALID = "invalid"


class Policy(StrEnum):
    """How forgiving the reading is: strict is the headline, lenient a declared sensitivity."""

    STRICT = "strict"
    LENIENT = "lenient"


@dataclass(frozen=True)
class NormalizedAnswer:
    """An answer as it is scored.

    `value` is a label (single, binary), a number (count), a sorted tuple of labels (multi),
    a text (text), or None when the answer is invalid, which `reason` then explains.
    `note` flags a valid answer that is odd: an exclusive label beside others.
    """

    status: ScoringStatus
    value: str | int | tuple[str, ...] | None
    reason: str | None = None
    note: str | None = None


def normalize(
    raw: Any,
    vocabulary: Vocabulary,
    policy: Policy = Policy.STRICT,
    text_rules: TextTable = TextTable(),  # noqa: B008 - frozen
) -> NormalizedAnswer:
    """Read an answer as its vocabulary's format wants it: references, people and models alike.

    Parameters
    ----------
    raw : Any
        What was given: text, a number, a boolean, a list, None, or JSON such as `{"answer": X}`.
    vocabulary : Vocabulary
        The allowed answers of the question's category.
    policy : Policy
        Strict is the headline. Lenient reads what strict cannot, where only one reading is left.
    text_rules : TextTable
        How a transcription is read; used by the text format only.

    Returns
    -------
    NormalizedAnswer
        Applying it to its own `value` changes nothing. An answer nobody can read is invalid, with
        a reason, and never raises.

    Examples
    --------
    >>> condition = Vocabulary("Condition", AnswerFormat.MULTI, ("cracks", "stains"))
    >>> normalize('{"answer": "Stains and CRACKS."}', condition).value
    ('cracks', 'stains')
    >>> normalize("rust, stains", condition).status
    <ScoringStatus.VALID_OOV: 'valid_oov'>
    """
    if vocabulary.format is AnswerFormat.TEXT:
        return _normalize_text(raw, text_rules, policy, vocabulary.rule)
    if not _is_label(raw, vocabulary):
        raw = _unwrapped(raw, vocabulary.rule)
    items = _items(raw, vocabulary)
    if items is None:
        return _invalid(NO_ANSWER)
    strict = _READERS[vocabulary.format](raw, items, vocabulary)
    if policy is Policy.LENIENT and strict.status is not ScoringStatus.VALID and items:
        return _rescue("\n".join(items), vocabulary) or strict
    return strict


def normalize_many(
    answers: Iterable[tuple[Any, Vocabulary]],
    policy: Policy = Policy.STRICT,
    text_rules: TextTable = TextTable(),  # noqa: B008 - frozen
) -> list[NormalizedAnswer]:
    """Normalise (raw answer, vocabulary) pairs, each distinct pair once: for a million rows."""
    known: dict[Hashable, NormalizedAnswer] = {}
    results = []
    for raw, vocabulary in answers:
        identity = (vocabulary.category, vocabulary.format, answer_identity(raw))
        if identity not in known:
            known[identity] = normalize(raw, vocabulary, policy, text_rules)
        results.append(known[identity])
    return results


def normalize_reference(
    raw: Any,
    vocabulary: Vocabulary,
    policy: Policy = Policy.STRICT,
    text_rules: TextTable = TextTable(),  # noqa: B008 - frozen
) -> NormalizedAnswer:
    """Read a reference: like an answer, but a transcription is not cleaned of a model's tags."""
    if vocabulary.format is AnswerFormat.TEXT:
        return _normalize_text(raw, text_rules, policy, vocabulary.rule, reference=True)
    return normalize(raw, vocabulary, policy, text_rules)


def answer_identity(raw: Any) -> Hashable:
    """Give a hashable stand-in that is equal for equal answers of the same type.

    >>> answer_identity(1) == answer_identity(True)
    False
    """
    if isinstance(raw, str):
        return raw
    return type(raw), repr(raw)


def _invalid(reason: str) -> NormalizedAnswer:
    return NormalizedAnswer(ScoringStatus.INVALID, None, reason)


def _is_label(raw: Any, vocabulary: Vocabulary) -> bool:
    """Tell whether a text is a label as it stands, even one that looks like JSON."""
    return isinstance(raw, str) and index_labels(vocabulary).find(raw) is not None


def _unwrapped(raw: Any, rule: int) -> Any:
    """Take off what an answer is wrapped in; from rule 2 on a model's reasoning too."""
    if rule == OLD_RULE:
        return unwrap(raw)
    raw = unwrap(raw)
    if not isinstance(raw, str):
        return raw
    answer = without_thinking(raw)
    return raw if answer == raw else unwrap(answer)


def _bare(element: Any) -> Any:
    """Take reasoning and fences off one text."""
    if not isinstance(element, str):
        return element
    answer = without_thinking(element)
    return None if answer is None else without_fence(answer)


def _items(raw: Any, vocabulary: Vocabulary) -> list[str] | None:
    """Give the answer as texts, one an element of a list; None when there is no answer."""
    elements = flatten(raw) if isinstance(raw, (list, tuple, set, frozenset)) else [raw]
    if vocabulary.rule != OLD_RULE:
        elements = [_bare(element) for element in elements]
    texts = [_as_text(element, vocabulary) for element in elements]
    index = index_labels(vocabulary)
    items = [text for text in texts if text is not None and not index.is_blank(text)]
    return items if items or not elements else None


def _as_text(element: Any, vocabulary: Vocabulary) -> str | None:
    """Write one element as text; JSON booleans mean yes and no."""
    if element is None or isinstance(element, str):
        return element
    if _is_boolean(element):
        word, literal = ("yes", "true") if element else ("no", "false")
        known = index_labels(vocabulary).find
        return literal if known(word) is None and known(literal) is not None else word
    if isinstance(element, Mapping):
        return json.dumps(element, ensure_ascii=False, default=str)
    if isinstance(element, numbers.Real) and not isinstance(element, numbers.Rational):
        return None if math.isnan(element) else _as_decimal(float(element), vocabulary)
    return str(element)


def _as_decimal(number: float, vocabulary: Vocabulary) -> str:
    """Write a decimal; a table with gaps writes the label `5` as 5.0."""
    known = index_labels(vocabulary).find
    written = repr(number)
    whole = written.removesuffix(".0")
    return whole if known(written) is None and known(whole) is not None else written


def _is_boolean(element: Any) -> bool:
    return isinstance(element, bool) or type(element).__name__ in ("bool_", "bool")


def _read_one(raw: Any, items: list[str], vocabulary: Vocabulary) -> NormalizedAnswer:
    """Read a single or binary answer: exactly one label, and nothing else."""
    parts = _parts(items, vocabulary)
    known = {part.text for part in parts if part.known}
    if len(known) == 1 and all(part.known for part in parts):
        return NormalizedAnswer(ScoringStatus.VALID, known.pop())
    if not parts:
        return _invalid(NO_ANSWER)
    return _invalid(SEVERAL if len(known) > 1 else OUTSIDE)


def _read_several(raw: Any, items: list[str], vocabulary: Vocabulary) -> NormalizedAnswer:
    """Read a multi-label answer; labels outside the vocabulary are kept as false positives."""
    parts = _parts(items, vocabulary)
    if items and not parts:
        return _invalid(NO_ANSWER)
    return label_set(parts, vocabulary)


def label_set(parts: Iterable[Part], vocabulary: Vocabulary) -> NormalizedAnswer:
    """Make a multi-label answer of parts that were read."""
    parts = tuple(parts)
    value = tuple(sorted({part.text for part in parts}))
    known = all(part.known for part in parts)
    alone = vocabulary.exclusive.intersection(value)
    return NormalizedAnswer(
        ScoringStatus.VALID if known else ScoringStatus.VALID_OOV,
        value,
        note=EXCLUSIVE if alone and len(value) > 1 else None,
    )


def _parts(items: list[str], vocabulary: Vocabulary) -> tuple[Part, ...]:
    """Read each item as a label, or else as a set of labels; repeats of OOV text are dropped."""
    index = index_labels(vocabulary)
    parts: dict[str, Part] = {}
    for item in items:
        label = index.find(item)
        found = read_labels(item, index) if label is None else (Part(label, known=True),)
        parts |= {part.text: part for part in found if part.text not in parts}
    return tuple(parts.values())


def _read_number(raw: Any, items: list[str], vocabulary: Vocabulary) -> NormalizedAnswer:
    """Read a count: one whole number, whatever the vocabulary's bounds."""
    if not items:
        return _invalid(NO_ANSWER)
    if len(items) > 1 or _is_boolean(raw):
        return _invalid(NO_COUNT)
    alias = index_labels(vocabulary).find(items[0])
    number = read_count(items[0] if alias is None else alias)
    if number is None:
        return _invalid(NO_COUNT)
    return NormalizedAnswer(ScoringStatus.VALID, number)


def _normalize_text(
    raw: Any, rules: TextTable, policy: Policy, rule: int, *, reference: bool = False
) -> NormalizedAnswer:
    """Read a transcription: an empty text is an answer (nothing legible), None is not.

    The lenient reading is the protocol-consistent one.
    """
    if not (isinstance(raw, str) and raw.lstrip().startswith("[")):  # a bracketed text is no list
        raw = unwrap(raw) if reference else _unwrapped(raw, rule)
    if isinstance(raw, str) and not reference and rule != OLD_RULE:
        raw = _bare(raw)
    if isinstance(raw, (list, tuple)) and all(isinstance(line, str) for line in raw):
        raw = "\n".join(raw)
    if isinstance(raw, float) and math.isnan(raw):  # an empty cell of a table
        raw = None
    if raw is None or isinstance(raw, (list, tuple, Mapping)):
        return _invalid(NO_ANSWER if raw is None else "not a text")
    text = normalize_transcription(str(raw), rules, reference=reference, rule=rule)
    if policy is Policy.LENIENT:
        text = make_consistent(text, rules, rule)
    return NormalizedAnswer(ScoringStatus.VALID, text)


def read_text(raw: str, rules: TextTable, rule: int) -> str:
    r"""Read a transcription as it is scored: what a page shows, and what people agree on.

    An answer of nothing but reasoning reads as nothing.

    >>> read_text("e\u0301 a", TextTable(), 2) == "\u00e9a"
    True
    """
    value = _normalize_text(raw, rules, Policy.STRICT, rule).value
    return value if isinstance(value, str) else ""


def _rescue(text: str, vocabulary: Vocabulary) -> NormalizedAnswer | None:
    """Read leniently what strict could not; None when more than one reading is left."""
    index = index_labels(vocabulary)
    text = without_tags(text)
    value: str | int | None
    if vocabulary.format is AnswerFormat.MULTI:
        parts = rescue_labels(text, index)
        return label_set(parts, vocabulary) if parts else None
    if vocabulary.format is AnswerFormat.COUNT:
        value = rescue_count(text, vocabulary.rule)
    elif vocabulary.format is AnswerFormat.BINARY:
        value = rescue_binary(text, vocabulary)
    else:
        value = rescue_single(text, index)
    return None if value is None else NormalizedAnswer(ScoringStatus.VALID, value)


_READERS = {
    AnswerFormat.SINGLE: _read_one,
    AnswerFormat.BINARY: _read_one,
    AnswerFormat.MULTI: _read_several,
    AnswerFormat.COUNT: _read_number,
}
