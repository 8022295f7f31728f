"""Vocabularies: the allowed answers of each category, in one of five answer formats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

# How answers are read. Rule 1 is that of version 0.1.0; docs/formats.md says what differs.
OLD_RULE, READING_RULE = 1, 2


class AnswerFormat(StrEnum):
    """How a question of a category is answered."""

    SINGLE = "single"
    MULTI = "multi"
    BINARY = "binary"
    COUNT = "count"
    TEXT = "text"


@dataclass(frozen=True)
class Vocabulary:
    """The allowed answers of one category. The canonical label is the option's id.

    `aliases` maps an alias to its label; `exclusive` labels stand alone; `minimum` and `maximum`
    bound a count; `help` explains a label, or the whole question under the empty label `""`;
    `gloss` maps a language to labels' wording in it; `rule` is the reading rule.
    """

    category: str
    format: AnswerFormat
    labels: tuple[str, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)
    exclusive: frozenset[str] = frozenset()
    minimum: int = 0
    maximum: int | None = None
    help: Mapping[str, str] = field(default_factory=dict)
    gloss: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    rule: int = READING_RULE

    def __hash__(self) -> int:
        """Hash what tells vocabularies apart, so that one is made ready for look-up once."""
        return hash((self.category, self.format, self.labels, self.rule))
