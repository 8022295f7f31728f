"""The intervals' coverage in simulated studies; `benchmarks/coverage.py` does it at length."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "coverage.py"


@pytest.fixture(scope="module")
def simulation():
    return runpy.run_path(str(SCRIPT))


@pytest.mark.long
@pytest.mark.parametrize("spread", [0.0, 0.025, 0.05])
@pytest.mark.parametrize("icc", [0.360, 0.528, 0.863])
def test_intervals_cover_in_every_setting(simulation, icc, spread):
    stream = np.random.Generator(np.random.PCG64(int(1e4 * icc + 1e6 * spread)))
    found = simulation["coverage"](simulation["Setting"](icc, spread), 2000, stream)
    # Two standard errors of a share of 2,000 near .95 are one point.
    assert 0.92 <= found.t2_score <= 0.98
    assert 0.92 <= found.t2_gap <= 0.98
    assert found.t3_score >= 0.91
    assert found.t3_gap >= 0.91


def test_half_widths_are_those_that_the_design_implies(simulation):
    stream = np.random.Generator(np.random.PCG64(1))
    found = simulation["coverage"](simulation["Setting"](0.528, 0.025), 400, stream)
    # sqrt(.875 .125 (ICC + (1-ICC)/3) / 256) = 1.711 points, times 1.969; T3 adds .025²/8.
    assert found.half_t2_score == pytest.approx(3.35, abs=0.06)
    assert found.half_t3_score == pytest.approx(3.83, abs=0.12)
    assert found.half_t2_gap == pytest.approx(6.27, abs=0.06)


def test_by_question_intervals_fail_where_images_are_shared(simulation):
    stream = np.random.Generator(np.random.PCG64(2))
    by_question, by_image = simulation["shared_images"](1500, stream)
    assert by_question < 0.90
    assert 0.93 <= by_image <= 0.97
