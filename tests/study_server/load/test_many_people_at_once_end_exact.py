"""Real servers under fire and under the axe: exactly k each, nothing acknowledged is lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.postgres]

# 48 questions x 3; the script's own size (256 x 3, 32 people) is for `make bench`.
SMALL = ("--questions", "48", "--people", "12")


def test_whatever_goes_wrong_every_question_ends_with_three_distinct_answers(
    measure: Callable[..., Any],
) -> None:
    printed, right = measure("serve_exact.py", "--short", *SMALL)
    assert printed.count("144 answers, 48 × exactly 3 distinct, 0 conflicts, 0 errors") == 4
    assert right == {
        "sqlite 2 plan": True,
        "sqlite 2 open": True,
        "postgres 2 plan": True,
        "postgres 2 open": True,
    }


def test_killing_the_server_again_and_again_loses_and_doubles_nothing(
    measure: Callable[..., Any],
) -> None:
    _printed, found = measure("serve_restart.py", "--rounds", "3")
    for kind in ("sqlite", "postgres"):
        assert found[kind]["acknowledged"] > 0
        assert found[kind]["lost"] == found[kind]["duplicates"] == found[kind]["errors"] == 0
