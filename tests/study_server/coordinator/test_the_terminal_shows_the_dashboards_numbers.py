"""`lontar status`: whole numbers at 80 columns, the outlook first."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from rich.console import Console

from study_server.status_table import load_status, status_text
from study_server.store.database import reading


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
