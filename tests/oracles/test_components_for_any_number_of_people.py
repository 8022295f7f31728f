"""Variance components against the two-way analysis of variance, for every small number of people.

The normal equations of the people have one direction in which they are zero; what rounding makes
of it must not decide whether there is a participants' variance.
"""

from __future__ import annotations

import numpy as np
import pytest

from analysis.inference.crossed import variance_components
from analysis.inference.scored_responses import ScoredResponses


def crossed(people: int, questions: int) -> np.ndarray:
    """Draw scores of everyone on everything, shape (questions, people)."""
    stream = np.random.default_rng(100 + people)
    person = stream.normal(0, 0.3, people)
    question = stream.normal(0, 0.2, questions)
    noise = stream.normal(0, 0.1, (questions, people))
    return 0.5 + question[:, None] + person[None, :] + noise


@pytest.mark.parametrize("people", range(2, 13))
@pytest.mark.parametrize("questions", [7, 256])
def test_a_complete_crossing_has_the_components_of_the_analysis_of_variance(people, questions):
    scores = crossed(people, questions)
    responses = ScoredResponses(
        scores.ravel(),
        np.repeat(np.arange(questions), people),
        np.tile(np.arange(people), questions),
        np.arange(questions),
    )
    # Mean squares of rows, of columns and of the rest; expectations as in Searle et al., ch. 4.
    rows, columns, everything = scores.mean(axis=1), scores.mean(axis=0), scores.mean()
    rest = scores - rows[:, None] - columns[None, :] + everything
    residual = np.sum(rest**2) / ((questions - 1) * (people - 1))
    participant = np.var(columns, ddof=1) - residual / questions
    found = variance_components(responses)
    assert found.residual == pytest.approx(residual, rel=1e-9)
    assert found.participant == pytest.approx(participant, rel=1e-9)
    assert found.participant > 0.005
    # B = σ_p² (1/P - 1/N)
    new_people = participant * (1 / people - 1 / scores.size)
    assert found.participant_variance_of_mean == pytest.approx(new_people, rel=1e-9)


@pytest.mark.parametrize("people", [3, 4, 5, 6, 7, 9, 10])
def test_three_of_several_people_recover_the_components(people):
    stream = np.random.default_rng(people)
    found = []
    for _ in range(200):
        who = np.argsort(stream.random((120, people)), axis=1)[:, :3]
        scores = (
            stream.normal(0, 0.25, (120, 1))
            + stream.normal(0, 0.1, people)[who]
            + stream.normal(0, 0.22, (120, 3))
        )
        question = np.repeat(np.arange(120), 3)
        responses = ScoredResponses(scores.ravel(), question, who.ravel(), np.arange(120))
        found.append(variance_components(responses).participant)
    # True value 0.01; the mean of 200 estimates with P - 1 degrees of freedom each has a
    # standard error of about 0.01 sqrt(2/(P-1)/200): 0.001 for three people, and 0.0005 for nine.
    assert float(np.mean(found)) == pytest.approx(0.01, abs=0.0035)
