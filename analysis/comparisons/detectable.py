"""The smallest gap that a comparison of this precision would have detected."""

from __future__ import annotations

from scipy import stats


def minimum_detectable_gap(standard_error: float, level: float, power: float = 0.8) -> float:
    """Give (z_{1-α/2} + z_{power}) SE: found with probability `power` if it were the true gap.

    Computed from the precision that was reached, not from the gap that was seen ("observed
    power" says nothing beyond the p-value: Hoenig and Heisey 2001, American Statistician 55(1)).

    Parameters
    ----------
    standard_error : of the gap, a share
    level : the confidence level, 1 - α

    Examples
    --------
    >>> round(minimum_detectable_gap(0.032, 0.95), 4)
    0.0897
    """
    return float(stats.norm.ppf((1 + level) / 2) + stats.norm.ppf(power)) * standard_error
