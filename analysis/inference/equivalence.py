"""Two one-sided tests: whether a difference is small enough to call two things equal.

What an interval allows one to say, in words; nothing is ranked where it covers zero.
"""

from __future__ import annotations

from dataclasses import dataclass

from analysis.arrays import Undefined
from analysis.inference.interval import Interval


@dataclass(frozen=True)
class Equivalence:
    """The outcome of two one-sided tests at α.

    `low` and `high` are the limits at 1 - 2α: equivalence is claimed where they lie within
    (-margin, margin), which is where `p` is below α.
    """

    estimate: float
    margin: float
    low: float
    high: float
    p_lower: float
    p_upper: float
    equivalent: bool

    @property
    def p(self) -> float:
        return max(self.p_lower, self.p_upper)


def equivalence_test(
    interval: Interval | Undefined, margin: float, alpha: float
) -> Equivalence | Undefined:
    """Test that a difference of two means lies within a margin declared beforehand.

    Two one-sided score tests, of a difference of -margin or less and of one of margin or more.
    They are those that the interval inverts, so that the two never contradict each other, near 1
    neither. A difference that is not significant is no evidence of equality; this is.

    Parameters
    ----------
    interval : of the difference, with its `comparison`
    margin : δ, a share: two points are 0.02
    alpha : such as 0.05

    Returns
    -------
    Equivalence, or Undefined where the interval is, or where nothing but runs was seen to vary.

    References
    ----------
    Schuirmann (1987), J. Pharmacokinet. Biopharm. 15(6); Tango (1998), Stat. Med. 17(8).

    Examples
    --------
    >>> import numpy as np
    >>> from analysis.inference.gap import model_difference
    >>> first, second = np.tile([1.0, 0.0], 200), np.tile([1.0, 0.0, 0.0, 1.0], 100)
    >>> found = equivalence_test(
    ...     model_difference(first, second, np.arange(400), 0.95).interval, 0.1, 0.05)
    >>> found.equivalent, round(found.high, 3), round(found.p, 4)
    (True, 0.058, 0.0023)
    """
    if isinstance(interval, Undefined):
        return interval
    compared = interval.comparison
    if compared is None:
        return Undefined("no variation between questions: a test has nothing to go by")
    low, high = compared.limits(1 - 2 * alpha)
    lower = compared.p_at_most(-margin)
    upper = 1 - compared.p_at_most(margin)
    return Equivalence(
        estimate=interval.estimate,
        margin=margin,
        low=low,
        high=high,
        p_lower=lower,
        p_upper=upper,
        equivalent=max(lower, upper) < alpha,
    )


def gap_statement(
    first: str, second: str, questions: Interval | Undefined, people: Interval | Undefined
) -> str:
    """Say what a gap's intervals for new questions (T2) and new people (T3) allow.

    Parameters
    ----------
    first, second : who the gap is between, such as `Human` and a model
    questions, people : the intervals of first minus second, higher being better

    Examples
    --------
    >>> gap_statement("Human", "A", Undefined("one question"), Undefined("one participant"))
    'no claim: one question'
    """
    if isinstance(questions, Undefined):
        return f"no claim: {questions.reason}"
    if questions.covers_zero:
        return no_difference(first, second)
    higher, lower = (first, second) if questions.estimate > 0 else (second, first)
    claim = f"{higher} scores higher than {lower}"
    if isinstance(people, Undefined):
        return f"{claim} for new questions and these people ({people.reason})"
    if people.covers_zero:
        return f"{claim} for these people; for new people the interval covers zero"
    return f"{claim} for new questions and new people"


def difference_statement(first: str, second: str, interval: Interval | Undefined) -> str:
    """Say what one interval of first minus second allows.

    >>> from analysis.inference.interval import Target
    >>> near = Interval(0.01, -0.05, 0.07, Target.T2, "paired, t", 0.03)
    >>> difference_statement("A", "B", near)
    'no difference shown between A and B: the interval covers zero'
    """
    if isinstance(interval, Undefined):
        return f"no claim: {interval.reason}"
    if interval.covers_zero:
        return no_difference(first, second)
    higher, lower = (first, second) if interval.estimate > 0 else (second, first)
    return f"{higher} scores higher than {lower} for new questions"


def allowing_for_all(
    statement: str,
    first: str,
    second: str,
    interval: Interval | Undefined,
    adjusted: float | None,
    alpha: float,
) -> str:
    """Take a claim back where it does not hold once all comparisons are allowed for (Holm).

    >>> from analysis.inference.interval import Target
    >>> near = Interval(0.05, 0.01, 0.09, Target.T2, "paired, t", 0.02)
    >>> allowing_for_all("A scores higher than B", "A", "B", near, 0.2, 0.05)
    'no difference shown between A and B once all models are allowed for (Holm)'
    """
    claims = not isinstance(interval, Undefined) and not interval.covers_zero
    if not claims or adjusted is None or adjusted <= alpha:
        return statement
    return (
        f"no difference shown between {first} and {second} once all models are allowed for (Holm)"
    )


def no_difference(first: str, second: str) -> str:
    """Say that nothing was shown, which is not that nothing is there."""
    return f"no difference shown between {first} and {second}: the interval covers zero"
