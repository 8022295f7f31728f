"""Agreement between pairs of people, for people who were not asked."""

import numpy as np
import pytest

from analysis.arrays import Undefined
from analysis.inference.interval import Target
from analysis.inference.pairs_of_people import (
    AgreementWithOthers,
    new_people_interval,
    people_spread,
)


def drawn(rng, people, questions, person_sd, per_question=3):
    """Right or wrong answers of two values; a question is 1.2 logits hard, give or take."""
    who = np.argsort(rng.random((questions, people)), axis=1)[:, :per_question]
    logit = 2.4 + rng.normal(0, 1.2, (questions, 1)) + rng.normal(0, person_sd, people)[who]
    right = rng.random(who.shape) < 1 / (1 + np.exp(-logit))
    same = np.where(right, right.sum(1, keepdims=True), (~right).sum(1, keepdims=True)) - 1
    return AgreementWithOthers(
        share=(same / (per_question - 1)).ravel(),
        question=np.repeat(np.arange(questions), per_question),
        participant=who.ravel().astype(np.int64),
        image=np.arange(questions),
        category=np.arange(questions) % 4,
    )


def test_two_people_have_no_interval_and_the_reason_is_told():
    found = new_people_interval(drawn(np.random.default_rng(1), 2, 40, 0.5, 2), 0.95, "by image")
    assert isinstance(found, Undefined)
    assert found.reason == "two people are a single pair: nothing says how other people would agree"


def test_the_jackknife_is_that_of_leaving_each_person_out():
    # Agreement over the pairs without a person, each question's pairs weighing as they did.
    answers = drawn(np.random.default_rng(2), 5, 60, 0.8)
    sizes = np.bincount(answers.question)
    left = []
    for person in range(5):
        means = []
        for category in range(4):
            total = weight = 0.0
            for question in np.flatnonzero(answers.category == category):
                rows = np.flatnonzero(answers.question == question)
                pairs = sizes[question] * (sizes[question] - 1) / 2
                equal = answers.share[rows].sum() * (sizes[question] - 1) / 2
                own = rows[answers.participant[rows] == person]
                if own.size:
                    equal -= answers.share[own[0]] * (sizes[question] - 1)
                    weight += (pairs - (sizes[question] - 1)) / pairs
                else:
                    weight += 1
                total += equal / pairs
            means.append(total / weight)
        left.append(np.mean(means))
    expected = 4 / 5 * np.sum((np.array(left) - np.mean(left)) ** 2)
    assert people_spread(answers).total == pytest.approx(expected)


def test_people_who_do_not_differ_add_nothing_on_average():
    rng = np.random.default_rng(3)
    spreads = [people_spread(drawn(rng, 6, 120, 0.0)) for _ in range(200)]
    added = np.array([one.total - one.noise for one in spreads])
    assert abs(added.mean()) < 3 * added.std() / np.sqrt(added.size)


@pytest.mark.parametrize(("people", "person_sd"), [(3, 0.8), (8, 0.8)])
def test_the_interval_covers_the_agreement_of_new_people(people, person_sd):
    rng = np.random.default_rng(4)
    # The chance that two new people give the same one of two answers to a new question.
    question = 2.4 + rng.normal(0, 1.2, 400_000)
    first, second = (
        1 / (1 + np.exp(-(question + rng.normal(0, person_sd, question.size)))) for _ in range(2)
    )
    truth = float(np.mean(first * second + (1 - first) * (1 - second)))
    covered = [
        found.low <= truth <= found.high
        for _ in range(100)
        if (found := new_people_interval(drawn(rng, people, 120, person_sd), 0.95, "by image"))
    ]
    # 93 % less two Monte Carlo errors of 100 draws; the same people's interval has about 80.
    assert np.mean(covered) > 0.88
    assert found.target is Target.T3
