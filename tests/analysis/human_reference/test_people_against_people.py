"""People against people: others, majorities, stand-ins, keys, consensus, order, time."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.arrays import Undefined
from analysis.human_reference.aggregates import (
    best_of,
    chance_of_one_right,
    majority_credit,
    one_against_others,
    worst_of,
)
from analysis.human_reference.alternative_annotator import alternative_annotator_test
from analysis.human_reference.dawid_skene import Block, one_coin
from analysis.human_reference.key_audit import audit_keys
from analysis.human_reference.order_effects import (
    durations,
    repeated_views,
    within_participant_slope,
)
from analysis.human_reference.participants import participant_scores
from analysis.inference.scored_responses import ScoredResponses
from analysis.scoring.answer_order import answer_order


def simulated(model_right, seed=1, n=256, human_right=0.875):
    """256 questions of eight labels, three of eight people; wrong answers are uniform."""
    stream = np.random.default_rng(seed)
    key = stream.integers(0, 8, n)
    question = np.repeat(np.arange(n), 3)
    participant = ((np.arange(n)[:, None] + np.array([0, 1, 3])) % 8).ravel()

    def answers(keys, right):
        wrong = (keys + stream.integers(1, 8, keys.size)) % 8
        return np.where(stream.random(keys.size) < right, keys, wrong)

    return (
        question,
        participant,
        answers(key[question], human_right),
        key,
        answers(key, model_right),
    )


def test_a_model_is_held_against_the_same_number_of_people():
    question, _, answer, _, model = simulated(0.6)
    found = one_against_others(question, answer, model, 256)
    # Leaving one of three out cannot help the model: its chance is below that against all three.
    all_three = np.array([np.any(answer[question == q] == model[q]) for q in range(256)])
    assert found.model_any.mean() < all_three.mean()


def test_a_model_that_copies_one_person_matches_as_that_person_does():
    question = np.repeat(np.arange(3), 3)
    answer = np.array([0, 0, 1, 2, 3, 4, 5, 5, 5])
    copied = answer[::3]
    found = one_against_others(question, answer, copied, 3)
    # Against all K people, itself included: (2/3, 1/3, 1).
    assert found.model == pytest.approx([2 / 3, 1 / 3, 1.0])


def test_questions_with_one_answer_or_without_the_model_are_left_out():
    found = one_against_others(np.array([0, 1, 1, 2, 2]), np.zeros(5, int), np.array([0, 0, -1]), 3)
    assert found.questions.tolist() == [1]


def test_a_three_way_tie_gives_a_third():
    question, answer = np.array([0, 0, 0]), np.array([1, 2, -5])
    credit = majority_credit(question, answer, np.array([True, False, False]), 1)
    assert credit[0] == pytest.approx(1 / 3)  # the invalid answer is an option of its own


def test_a_question_without_an_answer_has_no_majority():
    assert np.isnan(majority_credit(np.array([1]), np.array([0]), np.array([True]), 2)[0])


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=20))
def test_the_mean_lies_between_worst_and_best(rows):
    question = np.unique([row[0] for row in rows], return_inverse=True)[1]
    score = np.array([row[1] / 3 for row in rows])
    n = int(question.max()) + 1
    best, worst = best_of(question, score, n), worst_of(question, score, n)
    means = np.bincount(question, weights=score) / np.bincount(question)
    assert (worst <= means + 1e-12).all()
    assert (means <= best + 1e-12).all()


def test_one_of_k_right_starts_at_the_mean_and_ends_at_the_best():
    answers, right = np.array([3, 3, 3, 3]), np.array([0, 1, 2, 3])
    assert chance_of_one_right(answers, right, 1) == pytest.approx(right / 3)
    assert chance_of_one_right(answers, right, 3).tolist() == [0.0, 1.0, 1.0, 1.0]
    assert np.isnan(chance_of_one_right(np.array([2]), np.array([1]), 3)[0])


def test_a_middling_model_stands_in_for_nobody_and_a_good_one_does_at_some_epsilon():
    curves = {}
    for right in (0.59, 0.95):
        question, participant, answer, _, model = simulated(right)
        found = alternative_annotator_test(question, participant, answer, model, (0.0, 0.1, 0.2))
        curves[right] = found
    assert [one.winning_rate for one in curves[0.59].curve] == [0.0, 0.0, 0.0]
    # Published probe: with people right at .875 a model at .59 has an advantage near .66.
    assert curves[0.59].advantage == pytest.approx(0.66, abs=0.04)
    assert curves[0.95].curve[-1].winning_rate == 1.0


def test_a_larger_epsilon_never_rejects_fewer():
    question, participant, answer, _, model = simulated(0.85)
    found = alternative_annotator_test(question, participant, answer, model, (0.0, 0.1, 0.2, 0.3))
    rates = [one.winning_rate for one in found.curve]
    assert rates == sorted(rates)


def test_differences_that_never_vary_are_counted_as_such():
    question = np.repeat(np.arange(40), 2)
    participant = np.tile(np.arange(2), 40)
    answer = np.zeros(80, dtype=int)
    found = alternative_annotator_test(
        question, participant, answer, np.zeros(40, dtype=int), (0.0, 0.1)
    )
    # All agree: every difference is 0, so that 0 < 0 fails and 0 < .1 holds.
    assert [(one.winning_rate, one.constant) for one in found.curve] == [(0.0, 2), (1.0, 2)]


def test_fewer_than_thirty_questions_are_too_few_for_the_test():
    question, participant, answer, _, model = simulated(0.6, n=24)
    found = alternative_annotator_test(question, participant, answer, model, (0.1,))
    assert isinstance(found, Undefined)


def test_a_key_that_all_contradict_is_suspect_and_invalid_answers_are_no_voice():
    question = np.repeat(np.arange(3), 3)
    answer = np.array([1, 1, 1, -5, -6, -7, 0, 0, 1])
    found = audit_keys(question, answer, np.array([0, 0, 0]))
    assert found.suspects.tolist() == [0]
    # Wrong: 7 of 9; of those three are invalid, four are "1": (7/9)³ (4/7)³ per question.
    assert found.expected == pytest.approx(3 * (7 / 9) ** 3 * (4 / 7) ** 3)


def test_consensus_follows_the_reliable():
    question, participant, answer, key, _ = simulated(0.6, human_right=0.9)
    answer = np.where(participant == 0, (key[question] + 3) % 8, answer)  # one is always wrong
    block = Block(question, participant, answer, 256, 8)
    found = one_coin([block], 8)
    assert found.accuracy[0] < 0.1
    assert found.accuracy[1:].min() > 0.7
    agree = found.posteriors[0].argmax(axis=1) == key
    assert agree.mean() > 0.93


def test_counts_take_the_declared_range_whatever_was_given():
    # Three people count on four questions; 0 to 20 is declared, 3 to 7 occur. By an independent
    # computation: plain products of P(y | z) over all 21 truths, exact sums, no logarithms.
    answers = [[5, 5, 6], [4, 4, 4], [7, 6, 7], [5, 5, 3]]
    expected, posterior = plain_expectation_maximisation(answers, 21)
    block = Block(np.repeat(np.arange(4), 3), np.tile(np.arange(3), 4), np.ravel(answers), 4, 21)
    found = one_coin([block], 3)
    assert found.accuracy == pytest.approx(expected, abs=1e-8)
    assert found.posteriors[0] == pytest.approx(np.array(posterior), abs=1e-8)
    assert found.accuracy == pytest.approx([0.8248, 0.6667, 0.4965], abs=5e-5)
    few = one_coin([dataclasses.replace(block, answer=block.answer - 3, n_values=5)], 3)
    assert few.accuracy == pytest.approx([0.7857, 0.6678, 0.4802], abs=5e-5)


def plain_expectation_maximisation(answers, size):
    people = range(len(answers[0]))
    truth = [[row.count(z) / len(row) for z in range(size)] for row in answers]
    for _ in range(500):
        right = [sum(q[row[r]] for q, row in zip(truth, answers, strict=True)) for r in people]
        accuracy = [(one + 1) / (len(answers) + 2) for one in right]
        truth = []
        for row in answers:
            likely = [1.0] * size
            for z in range(size):
                for a, said in zip(accuracy, row, strict=True):
                    likely[z] *= a if said == z else (1 - a) / (size - 1)
            truth.append([one / sum(likely) for one in likely])
    return accuracy, truth


def test_the_one_coin_model_is_no_worse_than_the_majority():
    # The published probe: majority .905, one-coin .903 to .906 on such data.
    question, participant, answer, key, _ = simulated(0.6, seed=3, human_right=0.8)
    majority = majority_credit(question, answer, answer == key[question], 256).mean()
    found = one_coin([Block(question, participant, answer, 256, 8)], 8)
    consensus = (found.posteriors[0].argmax(axis=1) == key).mean()
    assert consensus > majority - 0.02


def test_two_runs_of_the_one_coin_model_are_the_same():
    question, participant, answer, _, _ = simulated(0.6)
    block = Block(question, participant, answer, 256, 8)
    first, second = one_coin([block], 8), one_coin([block], 8)
    assert first.accuracy.tolist() == second.accuracy.tolist()


def test_an_adjusted_score_removes_the_luck_of_the_draw():
    # Person 0 has the hard questions. On the shared ones all are equal, so that they adjust alike.
    hard, easy = [0.0] * 4, [1.0] * 4
    score = np.array(hard + hard + easy + easy + [1.0, 1.0, 1.0])
    question = np.array([*range(4), *range(4), *range(4, 8), *range(4, 8), 8, 8, 8])
    participant = np.array([0] * 4 + [1] * 4 + [1] * 4 + [2] * 4 + [0, 1, 2])
    people = ScoredResponses(score, question, participant, np.arange(9))
    found = participant_scores(people, 0.95)
    assert found[0].score < found[2].score
    assert found[0].adjusted == pytest.approx(found[2].adjusted)


def test_a_participant_who_was_alone_has_nobody_to_be_left_out_for():
    alone = ScoredResponses(np.ones(3), np.arange(3), np.zeros(3, int), np.arange(3))
    found = participant_scores(alone, 0.95)[0]
    assert isinstance(found.without, Undefined)
    assert isinstance(found.adjusted, Undefined)


def test_a_slope_is_within_people_not_between_them():
    # Person 0 is worse and came early, person 1 is better and came late: no drift in either.
    score = np.array([0.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0])
    position = np.array([1.0, 2.0, 2.0, 1.0, 5.0, 6.0, 7.0, 8.0])
    participant = np.repeat([0, 1], 4)
    found = within_participant_slope(score, position, participant, np.arange(8), 0.95)
    assert found.estimate == pytest.approx(0.0)


def test_a_predictor_that_never_varies_has_no_slope():
    found = within_participant_slope(
        np.array([0.0, 1.0, 1.0]), np.ones(3), np.zeros(3, int), np.arange(3), 0.95
    )
    assert isinstance(found, Undefined)


def test_unknown_times_have_no_position_and_are_no_repeat():
    times = pd.to_datetime(pd.Series(["2026-01-01T10:00Z", None, "2026-01-01T09:00Z"]))
    shown = pd.DataFrame({"participant": ["P1"] * 3, "shown_at": times})
    position = answer_order(shown, 32).position
    assert np.isnan(position[1])
    assert repeated_views(np.zeros(3, int), np.array([4, 4, 4]), position).tolist() == [
        True,
        False,
        False,
    ]


def test_no_times_at_all_are_undefined():
    assert isinstance(durations(np.array([np.nan, np.nan])), Undefined)
