"""The checklist filled in: automatic answers first, declared ones beside them, gaps left open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sampling.study.checklist_items import ITEMS, ChecklistItem

UNREPORTED = "Unreported"


class Source(StrEnum):
    """Where an answer comes from."""

    AUTOMATIC = "automatic"
    DECLARED = "declared"
    UNREPORTED = "unreported"


@dataclass(frozen=True)
class Finding:
    """What the study's files say: a value, where it can be seen, and that file's digest."""

    value: str
    evidence: str
    sha256: str | None = None


@dataclass(frozen=True)
class ChecklistAnswer:
    """One answered question. `defaulted` marks what holds only because nobody said otherwise."""

    item: ChecklistItem
    value: str
    source: Source
    evidence: str = ""
    sha256: str | None = None
    defaulted: bool = False


def fill_checklist(
    findings: Mapping[str, Finding],
    declared: Mapping[str, Any],
    defaults: Mapping[str, str],
    definition_sha256: str | None = None,
) -> tuple[ChecklistAnswer, ...]:
    """Answer every question of the checklist, in its order.

    A declared value is printed with what the files say beside it, so that a contradiction shows;
    a default is marked as one; what nobody filled in is "Unreported".

    Parameters
    ----------
    findings : by key, what the files show
    declared : by key, `[checklist]` of `study.toml`
    defaults : by key, what the tool itself brings about unless somebody says otherwise
    definition_sha256 : the digest of `study.toml`, the evidence of what is declared
    """
    return tuple(_answer(item, findings, declared, defaults, definition_sha256) for item in ITEMS)


def _answer(
    item: ChecklistItem,
    findings: Mapping[str, Finding],
    declared: Mapping[str, Any],
    defaults: Mapping[str, str],
    definition_sha256: str | None,
) -> ChecklistAnswer:
    finding = findings.get(item.key)
    if item.key in declared:
        evidence = "study.toml [checklist]"
        if finding is not None:
            evidence += f"; the files show: {finding.value} ({finding.evidence})"
        value = as_text(declared[item.key])
        return ChecklistAnswer(item, value, Source.DECLARED, evidence, definition_sha256)
    if finding is not None:
        return ChecklistAnswer(
            item, finding.value, Source.AUTOMATIC, finding.evidence, finding.sha256
        )
    if item.key in defaults:
        return ChecklistAnswer(
            item, defaults[item.key], Source.AUTOMATIC, "the tool's default", defaulted=True
        )
    return ChecklistAnswer(item, UNREPORTED, Source.UNREPORTED)


def as_text(value: Any) -> str:
    """Print a declared value: yes and no for booleans, a comma list for lists.

    >>> as_text(True), as_text(["a", "b"]), as_text(3)
    ('Yes', 'a, b', '3')
    """
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, list):
        return ", ".join(as_text(part) for part in value)
    return str(value)
