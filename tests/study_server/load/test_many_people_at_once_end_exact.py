"""Real servers under fire and under the axe: exactly k each, nothing acknowledged is lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

pytestmark = [pytest.mark.long, pytest.mark.postgres]

# All four combinations at 256 x 3 with 32 people are for `make bench`.
SMALL = ("--short", "--questions", "32", "--people", "8")


@pytest.mark.parametrize(("database", "mode"), [("sqlite", "plan"), ("postgres", "open")])
def test_whatever_goes_wrong_every_question_ends_with_three_distinct_answers(
    measure: Callable[..., Any], database: str, mode: str
) -> None:
    printed, right = measure("serve_exact.py", *SMALL, "--databases", database, "--modes", mode)
    assert "96 answers, 32 × exactly 3 distinct, 0 conflicts, 0 errors" in printed
    assert right == {f"{database} 2 {mode}": True}


def test_killing_the_server_again_and_again_loses_and_doubles_nothing(
    measure: Callable[..., Any],
) -> None:
    _printed, found = measure("serve_restart.py", "--rounds", "2")
    for kind in ("sqlite", "postgres"):
        assert found[kind]["acknowledged"] > 0
        assert found[kind]["lost"] == found[kind]["duplicates"] == found[kind]["errors"] == 0
