"""A slope about which nothing scatters has no interval."""

from __future__ import annotations

import numpy as np

from analysis.arrays import Undefined
from analysis.human_reference.order_effects import within_participant_slope


def test_scores_on_a_line_give_no_interval_of_width_zero() -> None:
    # Two people, both wrong first and right second: the line fits without residuals.
    found = within_participant_slope(
        np.array([0.0, 1.0, 0.0, 1.0]),
        np.array([1.0, 2.0, 1.0, 2.0]),
        np.array([0, 0, 1, 1]),
        np.array([0, 1, 0, 1]),
        0.95,
    )
    assert isinstance(found, Undefined)
    assert "width zero" in found.reason
