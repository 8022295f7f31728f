"""`lontar status`: whole numbers at 80 columns, the outlook first."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from rich.console import Console

from study_server.commands.collection import load_status, status_text
from study_server.coordinator.progress import build_matrix
from study_server.store.schema.database import reading
from study_server.store.steering.dashboard import CellCount


def test_the_table_fits_eighty_columns_and_adds_up(small: Any) -> None:
    small.answer("P1", 5)
    at = small.decision().at + timedelta(hours=2)
    with reading(small.engine) as session:
        status = load_status(session, at)
    console = Console(width=80, record=True, file=None, force_terminal=False)
    with console.capture() as captured:
        console.print(status_text(status))
    lines = captured.get().splitlines()
    assert lines[0].startswith("Small  open  5 of 72 answers (7%)")
    assert lines[1] == "Can finish, but with no slack."
    assert any(line.split()[-1:] == ["5/72"] for line in lines)
    assert any("P1" in line and "5/9" in line and "2 hours ago" in line for line in lines)
    assert max(len(line) for line in lines) <= 80
    assert "…" not in captured.get()


def test_letters_stand_for_categories_that_a_narrow_terminal_cannot_spell(small: Any) -> None:
    with reading(small.engine) as session:
        status = load_status(session, small.decision().at)
    names = ["Binding and Holes", "Physical Condition", "Other Physical Features"] * 3
    counts = [CellCount("Khmer", f"{name} {n}", 1, 4) for n, name in enumerate(names)]
    wide = replace(status, matrix=build_matrix(counts, 3))
    console = Console(width=80, force_terminal=False)
    with console.capture() as captured:
        console.print(status_text(wide, 80))
    assert "A=Binding and Holes 0, B=Binding and Holes 3" in captured.get()
    head = next(line for line in captured.get().splitlines() if line.endswith(" all "))
    assert head.split() == [*"ABCDEFGHI", "all"]
    with console.capture() as captured:
        console.print(status_text(wide, 200))
    assert "A=" not in captured.get()
