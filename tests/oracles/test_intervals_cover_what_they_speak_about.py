"""The intervals' coverage in simulated studies; `benchmarks/coverage.py` does it at length."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "coverage.py"


@pytest.fixture(scope="module")
def simulation():
    return runpy.run_path(str(SCRIPT))


# Three standard errors of a share of 400 near .95 are 3.3 points, of 2,000 1.5 points. Paired t
# intervals cover the first gap in 87 % of studies; with Satterthwaite's degrees of freedom alone
# the second score is covered in 87 %, and an interval by question the third in fewer than 90 %.
SETTINGS = [
    ("gap_t2", {"questions": 32, "human": 0.969, "model": 0.9375, "measure": "w1"}),
    ("em_t3", {"people": 3, "person_sd": 0.6, "questions": 96}),
    ("em_t2", {"questions": 128, "images": 32, "question_sd": 2.0}),
]


@pytest.mark.parametrize(("name", "values"), SETTINGS)
def test_intervals_cover_in_a_few_studies(simulation, name, values):
    found = simulation["coverage"](simulation["Setting"](name, **values), 400)
    assert 0.917 <= found[name].coverage <= 0.995


@pytest.mark.long
@pytest.mark.parametrize(("name", "values"), SETTINGS)
def test_intervals_cover_in_many_studies(simulation, name, values):
    setting = simulation["Setting"](name, **values)
    for column, found in simulation["coverage"](setting, 2000).items():
        assert 0.915 <= found.coverage <= 0.998, column


@pytest.mark.long
@pytest.mark.parametrize("values", [{}, {"people": 3, "person_sd": 0.6}, SETTINGS[0][1]])
def test_detectable_gaps_are_detected(simulation, values):
    # Three standard errors of a share of 500 near .8 are 5.4 points; with three people the
    # printed gap itself scatters, and its mean is found in about three of four studies.
    setting = simulation["Setting"]("power", **values)
    for target, (_, share) in simulation["found_gaps"](setting, 500).items():
        assert 0.7 if setting.people < 6 else 0.746 <= share <= 0.9, target


def test_drawn_settings_are_the_same_for_the_same_seed(simulation):
    first, again = (simulation["draw_settings"](5, 3) for _ in range(2))
    assert first == again
    assert simulation["draw_settings"](5, 4) != first
