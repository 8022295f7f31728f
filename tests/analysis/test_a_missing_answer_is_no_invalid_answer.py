"""Questions with fewer answers than others: what nobody gave is not counted as invalid."""

from __future__ import annotations

import numpy as np

from analysis.agreement.answer_table import answer_table
from analysis.agreement.exact import mean_pairwise


def test_two_equal_answers_beside_a_question_with_three_agree_fully() -> None:
    question, answer = np.array([0, 0, 1, 1, 1]), np.zeros(5, dtype=np.int64)
    table = answer_table(question, answer, ("leaf",))
    assert sorted(table.answers.tolist()) == [2.0, 3.0]
    assert table.n_invalid == 0
    assert mean_pairwise(table, np.eye(1), table.point_weights).tolist() == [1.0]


def test_an_invalid_answer_still_is_one() -> None:
    question, answer = np.array([0, 0, 1, 1, 1]), np.array([0, -1, 0, 0, 0])
    table = answer_table(question, answer, ("leaf",))
    assert table.n_invalid == 1
    # Question 0: leaf and invalid do not agree (0); question 1: all three agree (1).
    assert mean_pairwise(table, np.eye(1), table.point_weights).tolist() == [0.5]
