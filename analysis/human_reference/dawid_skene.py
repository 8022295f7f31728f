"""One-coin Dawid-Skene: each rater has one accuracy. A diagnostic, never a headline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.arrays import FloatArray, IntArray

MOST_ROUNDS = 500
TOLERANCE = 1e-10
PRIOR_RIGHT = 1.0  # one right and one wrong answer are added for each rater
PRIOR_WRONG = 1.0


@dataclass(frozen=True)
class Block:
    """The answers of one category, for the model: n questions, V possible answers.

    `question` and `rater` and `answer`, int, shape (M,), are the valid answers only; `n_values` is
    the declared size of the vocabulary, never less than the number of answers that occur.
    """

    question: IntArray
    rater: IntArray
    answer: IntArray
    n_questions: int
    n_values: int


@dataclass(frozen=True)
class OneCoin:
    """What the model came to.

    `accuracy`, shape (R,), is each rater's; `posteriors` has an array (n, V) for each block: how
    probable each answer is to be the true one.
    """

    accuracy: FloatArray
    posteriors: tuple[FloatArray, ...]
    rounds: int


def one_coin(blocks: Sequence[Block], n_raters: int) -> OneCoin:
    """Estimate raters' accuracies and the true answers together, by expectation-maximisation.

    P(y | z) = a_r where y = z, else (1 - a_r) / (V - 1): with a dozen answers of a person in a
    category, whole confusion matrices would fit noise. Answers are equally probable beforehand;
    accuracies are smoothed by one right and one wrong answer; it starts from the vote shares, so
    that there is nothing random in it. Accuracies are shared by all blocks.

    Parameters
    ----------
    blocks : one a category
    n_raters : R

    References
    ----------
    Dawid and Skene (1979), Applied Statistics 28(1); the one-coin model as in Zhang et al.
    (2016), JMLR 17(102).

    Examples
    --------
    >>> votes = Block(np.array([0, 0, 0, 1, 1, 1]), np.array([0, 1, 2, 0, 1, 2]),
    ...               np.array([1, 1, 0, 0, 0, 0]), 2, 2)
    >>> found = one_coin([votes], 3)
    >>> found.posteriors[0].argmax(axis=1).tolist(), bool(found.accuracy[0] > found.accuracy[2])
    ([1, 0], True)
    """
    posteriors = [_vote_shares(block) for block in blocks]
    accuracy = _accuracies(blocks, posteriors, n_raters)
    rounds = 0
    for rounds in range(1, MOST_ROUNDS + 1):  # noqa: B007 - the count is reported
        posteriors = [_posterior(block, accuracy) for block in blocks]
        updated = _accuracies(blocks, posteriors, n_raters)
        moved = float(np.max(np.abs(updated - accuracy), initial=0.0))
        accuracy = updated
        if moved < TOLERANCE:
            break
    return OneCoin(accuracy, tuple(posteriors), rounds)


def _vote_shares(block: Block) -> FloatArray:
    votes = _tally(block, np.ones(block.answer.size))
    total = votes.sum(axis=1, keepdims=True)
    shares = np.full(votes.shape, 1 / block.n_values)
    np.divide(votes, total, out=shares, where=total > 0)
    return shares


def _posterior(block: Block, accuracy: FloatArray) -> FloatArray:
    """Give P(z | answers), in logarithms until the end, shape (n, V)."""
    wrong = (1 - accuracy) / (block.n_values - 1)
    evidence = _tally(block, (np.log(accuracy) - np.log(wrong))[block.rater])
    evidence -= evidence.max(axis=1, keepdims=True)
    likelihood = np.exp(evidence)
    posterior: FloatArray = likelihood / likelihood.sum(axis=1, keepdims=True)
    return posterior


def _accuracies(
    blocks: Sequence[Block], posteriors: Sequence[FloatArray], n_raters: int
) -> FloatArray:
    right = np.full(n_raters, PRIOR_RIGHT)
    total = np.full(n_raters, PRIOR_RIGHT + PRIOR_WRONG)
    for block, posterior in zip(blocks, posteriors, strict=True):
        probable = posterior[block.question, block.answer]
        right += np.bincount(block.rater, weights=probable, minlength=n_raters)
        total += np.bincount(block.rater, minlength=n_raters)
    accuracy: FloatArray = right / total
    return accuracy


def _tally(block: Block, weights: FloatArray) -> FloatArray:
    cells = block.question * block.n_values + block.answer
    size = block.n_questions * block.n_values
    tally = np.bincount(cells, weights=weights, minlength=size).astype(np.float64)
    return tally.reshape(block.n_questions, block.n_values)
