"""Printed percentages are the exact fraction rounded half up."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.scoring.exact import percent, percent_or_empty


@pytest.mark.parametrize(
    ("fraction", "printed"),
    [
        (Fraction(672, 768), "87.50"),
        (Fraction(93, 96), "96.88"),  # 96.875
        (Fraction(29, 32), "90.63"),  # 90.625, which every float formatter prints as 90.62
        (Fraction(74, 256), "28.91"),  # 28.90625
        (Fraction(71, 256), "27.73"),  # 27.734375
        (Fraction(0), "0.00"),
        (Fraction(1), "100.00"),
        (Fraction(-1, 32), "-3.13"),  # -3.125: a tie goes away from zero
        (Fraction(-1, 10**9), "0.00"),  # nothing prints as -0.00
    ],
)
def test_a_percentage_has_two_decimals_rounded_half_up(fraction: Fraction, printed: str) -> None:
    assert percent(fraction) == printed


@given(st.fractions(min_value=-1, max_value=1, max_denominator=2048))
def test_it_is_what_decimal_arithmetic_gives(fraction: Fraction) -> None:
    hundred = Decimal(fraction.numerator) * 100 / Decimal(fraction.denominator)
    expected = hundred.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
    assert Decimal(percent(fraction)) == expected


def test_what_does_not_apply_is_empty() -> None:
    assert percent_or_empty(None) == ""
