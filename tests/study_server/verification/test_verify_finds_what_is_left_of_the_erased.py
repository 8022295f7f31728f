"""`lontar verify`: files made before an erasure are told as long as they hold the erased."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.slow


def test_nothing_is_said_while_nobody_was_erased(released: Any) -> None:
    told = released.run("verify")
    assert "erasure   absent   nobody was erased" in told
    assert "bundle    holds" in told


def test_a_bundle_exports_and_results_from_before_an_erasure_are_told(released: Any) -> None:
    released.run("erase", "P02", "--yes")
    told = released.run("verify")
    assert "bundle    differs" in told
    assert "release/responses.jsonl: 6 answers are not in the study any more, and P02 (on" in told
    assert "responses/responses.jsonl: 6 answers are of P02, who was erased on" in told
    assert "results/responses_scored.jsonl: 6 answers are of P02" in told


def test_what_is_made_again_holds(released: Any) -> None:
    released.run("erase", "P02", "--yes")
    for command in ("export", "analyze", "release"):
        released.run(command)
    told = released.run("verify")
    assert "erasure   holds" in told
    assert "bundle    holds" in told


def test_the_exported_log_tells_as_much_where_the_database_is_away(released: Any) -> None:
    released.run("erase", "P02", "--yes")
    released.run("export")
    released.engine.dispose()
    (released.root / "study.db").unlink()
    told = released.run("verify")
    assert "release/responses.jsonl: 6 answers are not in the study any more" in told
