"""Links lead somewhere, commands and targets exist, decisions stay short."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from study_server.cli import COMMANDS

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("*.md"))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_inside_the_repository_leads_somewhere(document: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", document.read_text())
    inside = [link for link in links if "://" not in link]
    assert [link for link in inside if not (document.parent / link).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_command_and_target_exists(document: Path) -> None:
    text = document.read_text()
    code = "\n".join(re.findall(r"```.*?```|`[^`\n]+`", text, re.DOTALL))
    commands = set(re.findall(r"\blontar (?:-C \S+ )?([a-z][a-z-]+)", code))
    assert commands - set(COMMANDS) == set()
    targets = set(re.findall(r"\bmake ([a-z][a-z-]+)", code))
    known = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert targets - known == set()


@pytest.mark.parametrize("decision", DECISIONS, ids=lambda path: path.name)
def test_a_decision_fits_on_forty_lines_and_names_its_price(decision: Path) -> None:
    text = decision.read_text()
    assert len(text.splitlines()) <= 40
    assert all(f"**{part}.**" in text for part in ("Question", "Decision", "Why", "Price"))


def test_decisions_are_numbered_without_gaps() -> None:
    assert [int(path.name[:4]) for path in DECISIONS] == list(range(1, len(DECISIONS) + 1))


def test_a_word_has_one_entry_in_the_glossary() -> None:
    glossary = (ROOT / "docs" / "glossary.md").read_text()
    words = re.findall(r"^\s*- \*\*([^*]+)\*\*", glossary, re.MULTILINE)
    assert len(words) == len(set(words)) > 30
