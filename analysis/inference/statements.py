"""What an interval allows one to say, in words; nothing is ranked where it covers zero."""

from __future__ import annotations

from analysis.inference.interval import Interval
from analysis.undefined import Undefined


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
