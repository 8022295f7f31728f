"""McNemar's exact test, for pairs of single answers only."""

from __future__ import annotations

from scipy import stats


def mcnemar(only_first: int, only_second: int) -> float:
    """Give the two-sided exact p-value from the questions that one of two got right alone.

    Right for one answer against one answer, such as two models; on 768 responses of three
    people to a question it would count questions twice. p = 1 without a discordant question.

    References
    ----------
    McNemar (1947), Psychometrika 12(2).

    Examples
    --------
    >>> round(mcnemar(8, 2), 4), mcnemar(0, 0)
    (0.1094, 1.0)
    """
    discordant = only_first + only_second
    return float(stats.binomtest(only_first, discordant, 0.5).pvalue) if discordant else 1.0
