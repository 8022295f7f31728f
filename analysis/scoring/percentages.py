"""Percentages as they are printed: two decimals, rounded half up, from exact fractions."""

from __future__ import annotations

from fractions import Fraction

DECIMALS = 2


def percent(fraction: Fraction, decimals: int = DECIMALS) -> str:
    """Print a fraction as a percentage, rounded half up (a tie goes away from zero).

    Binary floating point cannot do this: 29/32 is 90.625 %, which every float formatter prints
    as 90.62. Only integers are used here.

    Parameters
    ----------
    fraction : Fraction
        A share, or a difference of shares: 1 is 100 %.
    decimals : int
        Digits after the point.

    Returns
    -------
    str
        For example `"87.50"`. Nothing is printed as `-0.00`.

    Examples
    --------
    >>> percent(Fraction(29, 32)), percent(Fraction(672, 768)), percent(Fraction(1))
    ('90.63', '87.50', '100.00')
    >>> percent(Fraction(-1, 32)), percent(Fraction(-1, 1_000_000))
    ('-3.13', '0.00')
    """
    scale = 10**decimals
    scaled = abs(fraction) * 100 * scale
    units = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    sign = "-" if fraction < 0 and units else ""
    whole, rest = divmod(units, scale)
    return f"{sign}{whole}.{rest:0{decimals}d}" if decimals else f"{sign}{whole}"


def percent_or_empty(fraction: Fraction | None) -> str:
    """Print a percentage, or nothing where it does not apply.

    >>> percent_or_empty(None)
    ''
    """
    return "" if fraction is None else percent(fraction)
