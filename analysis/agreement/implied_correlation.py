"""What a mean score and an agreement imply about each other, before any responses are seen."""

from __future__ import annotations

from analysis.undefined import Undefined


def agreement_bounds(
    wrong: int, n_questions: int, responses_per_question: int
) -> tuple[float, float]:
    """Give the pairwise agreement that is possible with a number of wrong responses.

    Least when every wrong response stands alone in its question, which costs 2/K of the
    question's pairs; most, 1, when wrong responses fill whole questions alike.

    Parameters
    ----------
    wrong : w, at most `n_questions`
    n_questions, responses_per_question : n and K, at least 2

    Raises
    ------
    ValueError
        If there are more wrong responses than questions: the bound is another then.

    Examples
    --------
    >>> agreement_bounds(96, 256, 3)
    (0.75, 1.0)
    """
    if wrong > n_questions:
        raise ValueError(f"{wrong} wrong responses are more than {n_questions} questions")
    return 1 - 2 / responses_per_question * wrong / n_questions, 1.0


def implied_icc(mean: float, agreement: float, matching_wrong: float) -> float | Undefined:
    """Give the intra-question correlation of exact match that mean and agreement imply.

    A = E[p²] + s E[(1-p)²] with p a question's chance of a right answer and s the share of pairs
    of wrong answers that match, so that E[p²] = (A + s (2μ - 1)) / (1 + s) and
    ICC = (E[p²] - μ²) / (μ (1 - μ)). Responses to a question are taken to be exchangeable.

    Parameters
    ----------
    mean, agreement : μ and A, in [0, 1]
    matching_wrong : s, in [0, 1]; it is not known from the two numbers: try 0, 1/2 and 1

    Returns
    -------
    float, or Undefined where all or no answers are right

    Examples
    --------
    >>> [round(implied_icc(0.875, 0.86, s), 3) for s in (0, 0.5, 1)]
    [0.863, 0.528, 0.36]
    """
    spread = mean * (1 - mean)
    if spread <= 0:
        return Undefined("every answer has the same score")
    square = (agreement + matching_wrong * (2 * mean - 1)) / (1 + matching_wrong)
    return (square - mean**2) / spread
