"""The checklist as JSON for machines and as Markdown for people."""

from __future__ import annotations

import json
from collections.abc import Sequence

from analysis.report.answers import ChecklistAnswer, Source
from sampling.study.checklist_items import SECTIONS

DIGITS = 12


def checklist_json(answers: Sequence[ChecklistAnswer]) -> str:
    """Write one object an answer: number, key, question, value, source, evidence, sha256."""
    rows = [
        {
            "number": answer.item.number,
            "key": answer.item.key,
            "question": answer.item.question,
            "value": answer.value,
            "source": answer.source.value,
            "defaulted": answer.defaulted,
            "evidence": answer.evidence,
            "sha256": answer.sha256,
        }
        for answer in answers
    ]
    return json.dumps(rows, ensure_ascii=False, indent=1) + "\n"


def checklist_markdown(answers: Sequence[ChecklistAnswer]) -> str:
    """Write a table a section, and first how much is still unreported."""
    open_count = sum(answer.source is Source.UNREPORTED for answer in answers)
    lines = [
        "# Reporting checklist for this human baseline",
        "",
        "The questions follow Wei et al. (2025), arXiv 2506.13776, in our own words.",
        f"{len(answers) - open_count} of {len(answers)} are answered; {open_count} are unreported.",
        "Automatic answers come from the study's files, a default holds because nobody said",
        "otherwise, and the rest was declared. Digests are cut to twelve signs; `checklist.json`",
        "has them whole. Add answers under `[checklist]` in `study.toml`, by the key in the last",
        "column.",
    ]
    for number, title in SECTIONS.items():
        lines += [
            "",
            f"## {title}",
            "",
            "| | question | answer | | from | SHA-256 | key |",
            "|---|---|---|---|---|---|---|",
        ]
        lines += [_row(answer) for answer in answers if answer.item.number.startswith(f"{number}.")]
    return "\n".join(lines) + "\n"


def _row(answer: ChecklistAnswer) -> str:
    value = f"**{answer.value}**" if answer.source is Source.UNREPORTED else _cell(answer.value)
    return (
        f"| {answer.item.number} | {answer.item.question} | {value} | {source_of(answer)} "
        f"| {_cell(answer.evidence)} | {(answer.sha256 or '')[:DIGITS]} | `{answer.item.key}` |"
    )


def source_of(answer: ChecklistAnswer) -> str:
    """Say in a word where an answer comes from; what nobody filled in comes from nowhere."""
    if answer.source is Source.UNREPORTED:
        return ""
    return "default" if answer.defaulted else answer.source.value


def _cell(text: str) -> str:
    """Keep a text inside its table cell."""
    return text.replace("|", "\\|").replace("\n", " ")
