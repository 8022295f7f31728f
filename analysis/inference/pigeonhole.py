"""The product-weight bootstrap of crossed questions and people: a conservative second opinion."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array

from analysis.array_types import FloatArray
from analysis.inference.scored_responses import ScoredResponses


def pigeonhole_means(
    responses: ScoredResponses, resamples: int, generator: np.random.Generator
) -> FloatArray:
    """Draw questions and people independently and average Σ w_i v_p s_ip / Σ w_i v_p.

    No bootstrap is exact for crossed data; this one over-covers. A resample in which no drawn
    person answered a drawn question is left out.

    Returns
    -------
    float, shape (at most B,)

    References
    ----------
    Owen (2007), Annals of Applied Statistics 1(2); Owen and Eckles (2012), arXiv 1106.2125.

    Examples
    --------
    >>> same = ScoredResponses(np.ones(4), np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]),
    ...                        np.array([0, 1]))
    >>> sorted(set(pigeonhole_means(same, 20, np.random.default_rng(1)).tolist()))
    [1.0]
    """
    n, people = responses.n_questions, responses.n_participants
    at = (responses.question, responses.participant)
    scores = coo_array((responses.score, at), shape=(n, people)).toarray()
    answered = coo_array((np.ones(responses.n_responses), at), shape=(n, people)).toarray()
    questions = generator.multinomial(n, np.full(n, 1 / n), size=resamples).astype(np.float64)
    persons = generator.multinomial(people, np.full(people, 1 / people), size=resamples)
    total = np.sum((questions @ scores) * persons, axis=1)
    weight = np.sum((questions @ answered) * persons, axis=1)
    some = weight > 0
    means: FloatArray = total[some] / weight[some]
    return means
